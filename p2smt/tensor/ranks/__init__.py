"""SPMD programs given as per-rank statements, and the distributed program that they amount to."""
