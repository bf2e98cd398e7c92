"""Sweeps over many problems and training jobs, and the stores of their results."""
