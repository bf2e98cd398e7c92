"""Command lines of training frameworks for a split, and the splits that each of them cannot run."""
