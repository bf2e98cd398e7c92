"""Tensor programs as torch source: what every rank computes on its parts, statement by statement."""
