"""Shard a model: choose a layout for every tensor so that one training step takes the least time."""
