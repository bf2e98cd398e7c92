"""Sharding over a device mesh of several axes."""
