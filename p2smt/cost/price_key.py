"""Placements on which every program costs the same, told by a key.

The price of a step depends on its collective, on the pattern of its groups and on the bytes that roots hold
(`network/cost.py`), and that of a permutation on the bytes alone. So every program costs the same on two placements if
the sizes and the significance of their reduction levels agree, and so do the patterns of all groupings.

Example: [64 32 8] with axes 8, 8, 4, 16 and 4, reduced over the first and the third, has 1,458 placements and 214 keys.
"""

from p2smt.cost.network.pattern import Pattern, pattern_of
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import Language
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.schedule import BufferLayout

PriceKey = tuple[Language, BufferLayout, tuple[tuple[int, int], ...], Tree | None, tuple[Pattern, ...]]
"""The steps, the levels by significance, their sizes, the irregular hierarchy if any, and each grouping's pattern."""


def price_key(lowering: Lowering) -> PriceKey:
    """Return the key of a placement; equal keys mean equal prices of all programs, for one payload and cost model."""
    language, direct = lowering.language, lowering.direct
    patterns = tuple(pattern_of(direct, lowering.groups(grouping)) for grouping in language.groupings)
    return language, lowering.significance, tuple(lowering.sizes.items()), lowering.tree, patterns
