"""Sharding a model: which layout every tensor has, so that a step is fastest."""
