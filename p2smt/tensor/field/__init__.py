"""Tensor programs over prime fields: equality without tolerance, every operation as what is known of it and no more."""
