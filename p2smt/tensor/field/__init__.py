"""Properties of operations over prime fields, used for equality without tolerance."""
