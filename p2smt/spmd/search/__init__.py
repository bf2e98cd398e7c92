"""Search for the fastest program: over sharding ratios, under memory limits and conditions, on one or several axes.

`searching.py` solves one joint problem, `sharding.py` all ratios of one axis, and `mesh/` several axes;
`alternation.py` and `segments/` are HAP's loops over ratios. The other modules price alternatives: duplicated and
recomputed values, baselines, the next best programs, and clashing conditions.
"""
