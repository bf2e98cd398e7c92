"""Optimise whole jobs: find the fastest placement for all reductions of a training step."""
