"""Many problems at once: workloads with several reductions, sweeps and their results."""
