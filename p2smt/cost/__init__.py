"""Costs of plans: links, the time of a step, ranking."""
