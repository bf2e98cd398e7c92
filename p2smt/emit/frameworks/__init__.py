"""What to type into training frameworks for a split, and which splits each of them cannot run."""
