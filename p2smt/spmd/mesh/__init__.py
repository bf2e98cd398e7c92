"""Sharding over a mesh of two axes."""
