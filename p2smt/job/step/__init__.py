"""Predict the time of a transformer's training step under a split, and search for the fastest split."""
