"""Time programs on real processes, in a laboratory or on a cluster, and store the results as tables."""
