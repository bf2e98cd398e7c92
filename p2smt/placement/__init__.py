"""Placement of axes: parallelism matrices, device numbers, synthesis hierarchies."""
