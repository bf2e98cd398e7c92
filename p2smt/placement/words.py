"""Describe a placement in words: `tp inside the node; pp, dp across nodes`."""

from collections.abc import Sequence
from math import prod

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level


def placement_words(matrix: ParallelismMatrix, axes: Sequence[Axis], levels: Sequence[Level]) -> str:
    """Return a phrase with the levels of each axis of size above 1, innermost first, grouping equal ones.

    >>> levels = [Level("node", 8), Level("gpu", 8)]
    >>> axes = [Axis("pp", 4), Axis("dp", 2), Axis("tp", 8)]
    >>> placement_words(ParallelismMatrix(((4, 1), (2, 1), (1, 8))), axes, levels)
    'tp inside the node; pp, dp across nodes'
    >>> axes = [Axis("pp", 4), Axis("dp", 8), Axis("tp", 2)]
    >>> placement_words(ParallelismMatrix(((4, 1), (2, 4), (1, 2))), axes, levels)
    'dp over 2 nodes x 4 gpus of each; tp inside the node; pp across nodes'

    On irregular units, an axis has fewer shards than the product of its row, which describes the largest unit.

    >>> placement_words(ParallelismMatrix(((8, 8),)), [Axis("dp", 61)], levels)
    'dp over 8 nodes x up to 8 gpus of each'
    """
    places: dict[tuple[int, ...], list[int]] = {}
    for number, row in enumerate(matrix.rows):
        reach = tuple(level for level, factor in enumerate(row) if factor > 1)
        if reach:
            # Axes with several levels share words only if their factors agree as well.
            key = reach if len(reach) == 1 else (*reach, *row)
            places.setdefault(key, []).append(number)
    said = []
    for numbers in sorted(places.values(), key=lambda some: _inwards(matrix.rows[some[0]])):
        names = ", ".join(axes[number].name for number in numbers)
        row = matrix.rows[numbers[0]]
        said.append(f"{names} {where_words(row, levels, unlike=prod(row) != axes[numbers[0]].size)}")
    return "; ".join(said) if said else "one device"


def _inwards(row: Sequence[int]) -> tuple[int, ...]:
    """Return a sort key that puts axes further inside first."""
    return tuple(-factor for factor in reversed(row))


def where_words(row: Sequence[int], levels: Sequence[Level], *, unlike: bool = False) -> str:
    """Return the levels of an axis of size above 1, given its row; `unlike`: some units have fewer parts."""
    reach = [level for level, factor in enumerate(row) if factor > 1]
    if len(reach) > 1:
        first, *others = [f"{row[level]} {_units(levels[level])}" for level in reach]
        return f"over {first} x {' x '.join(f'up to {other}' if unlike else other for other in others)} of each"
    (level,) = reach
    if level == 0:
        return f"across {_units(levels[0])}"
    parent = f"the {levels[level - 1].name}" if _is_noun(levels[level - 1]) else f"a unit of {levels[level - 1].name}"
    return f"inside {parent}" if level == len(levels) - 1 else f"across {_units(levels[level])} inside {parent}"


def _units(level: Level) -> str:
    """Return the plural for the units of a level."""
    return f"{level.name}s" if _is_noun(level) else f"units of {level.name}"


def _is_noun(level: Level) -> bool:
    """True if the name has a plural; levels that are given by their sizes alone are called `level0`."""
    return not level.name[-1].isdigit()
