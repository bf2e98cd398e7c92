"""Placement of axes on levels: parallelism matrices, device numbers, and synthesis hierarchies."""
