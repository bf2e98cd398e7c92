"""A plan as source text for a target."""
