"""Placements on which every program costs the same, told by a key.

The price of a step depends on its collective, on the pattern of its groups and on the bytes that roots hold
(`network/cost.py`), and that of a permutation on the bytes alone. A digit of the device number varies, is free or is 0
in the groups of a step as its reduction level is, so the levels of the digits tell the patterns of all groupings. So
every program costs the same on two placements if the sizes and the significance of their reduction levels agree, and so
do the levels of their digits, of which adjacent ones of one level are one.

Example: [64 32 8] with axes 8, 8, 4, 16 and 4, reduced over the first and the third, has 1,458 placements and 214 keys.
"""

from p2smt.placement.digits import DeviceMap
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import Language
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.schedule import BufferLayout

_Digits = tuple[tuple[int, int], ...]
"""Digits of one level of the system: the number of the reduction level, 0 for none, and the size."""

PriceKey = tuple[Language, BufferLayout, tuple[tuple[int, int], ...], Tree | None, tuple[_Digits, ...]]
"""The steps, the levels by significance, their sizes, the irregular hierarchy if any, and the digits of each level."""


def price_key(lowering: Lowering) -> PriceKey:
    """Return the key of a placement; equal keys mean equal prices of all programs, for one payload and cost model."""
    numbered = enumerate(lowering.hierarchy.reduction_levels, start=1)
    number_of = {place: number for number, level in numbered for place in level.digits}
    digits: list[list[tuple[int, int]]] = [[] for _ in lowering.problem.levels]
    for place, digit in enumerate(DeviceMap(lowering.matrix).digits):
        # A digit with one value tells nothing apart.
        if digit.size > 1:
            number, of_level = number_of.get(place, 0), digits[digit.level]
            before = of_level.pop()[1] if of_level and of_level[-1][0] == number else 1
            of_level.append((number, before * digit.size))
    return (
        lowering.language,
        lowering.significance,
        tuple(lowering.sizes.items()),
        lowering.tree,
        tuple(map(tuple, digits)),
    )
