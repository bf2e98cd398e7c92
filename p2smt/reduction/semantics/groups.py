"""Which devices form the groups of an instruction."""

from collections.abc import Sequence
from math import prod

from p2smt.placement.groups import DigitGroups
from p2smt.reduction.language.instruction import Grouping

Groups = tuple[tuple[int, ...], ...]


def groups_of(sizes: Sequence[int], grouping: Grouping) -> Groups:
    """The groups of a grouping on a hierarchy with these level sizes, in ascending order, members ascending.

    >>> groups_of((2, 3), Grouping(0, 1))
    ((0, 3), (1, 4), (2, 5))
    >>> groups_of((2, 3), Grouping(0, 1, masters=True))
    ((0, 3),)
    """
    varying = tuple(level - 1 for level in grouping.levels)
    below = tuple(range(grouping.inner, len(sizes))) if grouping.masters else ()
    return tuple(DigitGroups(tuple(sizes), varying, below))


def own_chunks(sizes: Sequence[int], device: int, levels: range) -> frozenset[int]:
    """The chunks whose digits on `levels` are the device's own: what an aligned scatter leaves with it.

    >>> sorted(own_chunks((2, 3), 4, range(1, 2)))
    [3, 4, 5]
    """
    strides = [prod(sizes[level:]) for level in range(1, len(sizes) + 1)]

    def digit(number: int, level: int) -> int:
        return number // strides[level - 1] % sizes[level - 1]

    chunks = range(prod(sizes))
    return frozenset(c for c in chunks if all(digit(c, level) == digit(device, level) for level in levels))
