"""Tensor programs over prime fields: equality without tolerance."""
