"""Segments of a step, each with sharding ratios of its own, as in HAP."""
