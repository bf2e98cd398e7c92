"""Programs timed on real processes, in a laboratory or on a cluster, and kept as tables."""
