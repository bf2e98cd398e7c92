"""Segments of a step, each with shares of its own, as in HAP."""
