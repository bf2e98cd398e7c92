"""Many problems and training jobs at once: sweeps and their results."""
