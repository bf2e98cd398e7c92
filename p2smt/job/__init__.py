"""Whole jobs: the placement that is fastest for all reductions of a training step."""
