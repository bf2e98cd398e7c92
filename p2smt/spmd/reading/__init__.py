"""Explain a sharding: its strategy by its usual name, the cost of alternatives, and the difference of two programs."""
