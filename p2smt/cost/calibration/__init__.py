"""Measured times in, fitted bandwidths and latencies out."""
