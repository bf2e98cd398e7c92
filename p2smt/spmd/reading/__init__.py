"""Explanations of a sharding: its strategy in the field's words, the cost of alternatives, the difference of two."""
