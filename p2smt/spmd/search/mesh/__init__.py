"""Sharding over a mesh of several axes."""
