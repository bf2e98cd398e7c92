"""The joint problem of a program on a mesh: its layouts and rules as options, and what each costs.

From `graph.py`, the program without nesting, by `forms.py` (what rules need and make), `options.py` and `pricing.py` to
`build.py`, which makes the problem; `restriction.py` and `conditions.py` leave options out, `chosen.py` reads answers.
What is settled before a search stands here too: mixed precision (`precision.py`) and checkpointed regions.
"""
