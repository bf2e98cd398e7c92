"""Trees whose units differ: how many children every unit of every level has, and which numbers of the hull that takes.

A tree lies in its *hull*, the uniform tree that has at every level as many children per unit as any unit there. The
children of a unit are digits 0, 1, ... of the hull's, so that digit 0 is everywhere: masters exist. Devices are
numbered in the order of the tree, which is that of their numbers in the hull.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from p2smt.errors import ProblemError

MAX_TREE_DEVICES = 2**16
"""Every device of an unlike tree is listed."""


@dataclass(frozen=True, slots=True)
class Tree:
    """`children[l][u]`: how many children unit `u` of level `l` has, units in breadth-first order; level 0 is the root.

    Holds: `len(children[0]) == 1`, `len(children[l + 1]) == sum(children[l])`, all counts >= 1; ProblemError for
    anything else. Device `i` has the number `present[i]` in the hull.

    >>> Tree(((3,), (8, 8, 5))).hull, Tree(((2,), (3, 1))).present
    ((3, 8), (0, 1, 2, 3))
    >>> Tree(((2,), (1, 3))).present
    (0, 3, 4, 5)
    """

    children: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Check the counts."""
        if not self.children or len(self.children[0]) != 1:
            raise ProblemError("a tree has at least one level, and one count of children for its root")
        for level, counts in enumerate(self.children):
            small = next((count for count in counts if count < 1), None)
            if small is not None:
                raise ProblemError(f"level {level} has a unit with {small} children; a size is a whole number >= 1")
        for level, (above, counts) in enumerate(pairwise(self.children), start=1):
            if sum(above) != len(counts):
                raise ProblemError(
                    f"level {level} has {len(counts)} sizes for the {sum(above)} units above it; "
                    "give one size for every unit"
                )
        if self.devices > MAX_TREE_DEVICES:
            raise ProblemError(
                f"{self.devices} devices are too many for a tree of unlike sizes, which has at most {MAX_TREE_DEVICES}"
            )

    @property
    def hull(self) -> tuple[int, ...]:
        """The largest number of children at every level."""
        return tuple(max(counts) for counts in self.children)

    @property
    def devices(self) -> int:
        """Number of devices that there are."""
        return sum(self.children[-1])

    @property
    def is_uniform(self) -> bool:
        """Whether all units of every level have equally many children: the tree is its hull."""
        return all(len(set(counts)) == 1 for counts in self.children)

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers in the hull of all devices, ascending: device `i` has the `i`-th."""
        units = [0]
        for size, counts in zip(self.hull, self.children, strict=True):
            units = [unit * size + digit for unit, count in zip(units, counts, strict=True) for digit in range(count)]
        return tuple(units)


def uniform_tree(sizes: Sequence[int]) -> Tree:
    """The tree in which every unit of level `l` has `sizes[l]` children.

    >>> uniform_tree((2, 3)).children
    ((2,), (3, 3))
    """
    return Tree(tuple((size,) * prod(sizes[:level]) for level, size in enumerate(sizes)))
