"""The joint problem of a program on a mesh: its layouts and sharding rules as options, and their costs.

`graph.py` flattens the program; `forms.py` (layouts that rules need and make), `options.py` and `pricing.py` feed
`build.py`, which makes the problem. `restriction.py` and `conditions.py` exclude options, and `chosen.py` interprets
assignments. Mixed precision (`precision.py`) and checkpointed regions (`checkpoints.py`) are applied before the search.
"""
