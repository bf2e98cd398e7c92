"""Whole jobs: the fastest placement for all reductions of a training step."""
