"""Time of one training step of a transformer under a split, and the search for the shortest one."""
