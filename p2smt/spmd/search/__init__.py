"""Searches for the fastest program: over shares, under memory limits and conditions, on one axis and on several.

`searching.py` searches one joint problem, `sharding.py` all shares of one axis, `mesh/` several axes; `alternation.py`
and `segments/` are HAP's loops over shares. The others say what else there is: what is computed twice or again, what
the ways of the trade take, which program comes next, which conditions clash.
"""
