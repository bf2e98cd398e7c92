"""Trees whose units differ: how many children every unit of every level has, and which numbers of the hull that takes.

A tree lies in its *hull*, the uniform tree that has at every level as many children per unit as any unit there. The
children of a unit are digits 0, 1, ... of the hull's, so that digit 0 is everywhere: masters exist. Devices are
numbered in the order of the tree, which is that of their numbers in the hull.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import prod

from p2smt.errors import ProblemError

MAX_TREE_DEVICES = 2**16
"""The most devices of an irregular tree, which are listed one by one."""

MAX_HULL = 2**20
"""The largest hull of a tree, because some lists have an entry per number of the hull."""


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
            raise ProblemError(
                "the outermost level has one size, and those inside may have one for each unit above; write such as "
                "node:3,gpu:[8,8,5]"
            )
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
        """True if all units of every level have the same number of children: the tree is its hull."""
        return all(len(set(counts)) == 1 for counts in self.children)

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers in the hull of all devices, ascending: device `i` has the `i`-th."""
        return _present(self)

    def inside(self, level: int) -> tuple[int, ...]:
        """Numbers of devices of all units of a level; level -1 is the cluster.

        >>> Tree(((2,), (2, 1), (4, 4, 3))).inside(0)
        (8, 3)
        """
        counts = (1,) * self.devices
        # From the devices outwards: each unit takes the counts of as many children as it has, in breadth-first order.
        for sizes in reversed(self.children[level + 1 :]):
            following = iter(counts)
            counts = tuple(sum(next(following) for _ in range(size)) for size in sizes)
        return counts

    def __str__(self) -> str:
        """Write the levels as the short form of a system has them, without names.

        >>> str(Tree(((2,), (5, 3))))
        '2x[5,3]'
        """
        return "x".join(map(counts_text, self.children))


def uniform_tree(sizes: Sequence[int]) -> Tree:
    """The tree in which every unit of level `l` has `sizes[l]` children.

    >>> uniform_tree((2, 3)).children
    ((2,), (3, 3))
    """
    return Tree(tuple((size,) * prod(sizes[:level]) for level, size in enumerate(sizes)))


def check_tree(tree: Tree, sizes: Sequence[int]) -> None:
    """Raise ProblemError unless these are the sizes of the tree's hull, and not too large."""
    if prod(tree.hull) > MAX_HULL:
        raise ProblemError(
            f"units of unlike size {tree} would have {prod(tree.hull)} devices if all were as large as the largest; "
            f"at most {MAX_HULL} are supported"
        )
    if tree.hull != tuple(sizes):
        raise ProblemError(f"units of unlike size {tree} need levels of {list(tree.hull)}, not {list(sizes)}")


def tree_of(sizes: Sequence[Sequence[int]]) -> Tree:
    """The tree of sizes per level, a level of one size standing for units that are all alike.

    >>> tree_of([(2,), (2, 1), (4,)])
    Tree(children=((2,), (2, 1), (4, 4, 4)))
    """
    children: list[tuple[int, ...]] = []
    for counts in sizes:
        above = sum(children[-1]) if children else 1
        if above > MAX_TREE_DEVICES:
            raise ProblemError(f"there are {above} units above {counts_text(counts)}; at most {MAX_TREE_DEVICES}")
        children.append(tuple(counts) * above if len(counts) == 1 else tuple(counts))
    return Tree(tuple(children))


def machine_tree(above: Sequence[int], machines: Sequence[int], inside: Sequence[int]) -> Tree:
    """The tree of machines of so many devices each, which have the first numbers of the levels inside a machine.

    `above` are the sizes of the levels down to the machines, `inside` those of the levels in a machine.

    >>> machine_tree((2,), (8, 5), (2, 4))
    Tree(children=((2,), (2, 2), (4, 4, 4, 1)))
    """
    children = [(size,) * prod(above[:level]) for level, size in enumerate(above)]
    units = tuple(machines)
    for level, size in enumerate(inside):
        each = prod(inside[level + 1 :])
        # Rounded up: the last child may be filled only in part.
        children.append(tuple(-(-devices // each) for devices in units))
        assert all(0 < count <= size for count in children[-1]), "a machine has at most the devices of its levels"
        # Children are filled in order; the last one gets the rest.
        units = tuple(min(each, devices - each * unit) for devices in units for unit in range(-(-devices // each)))
    return Tree(tuple(children))


@lru_cache(maxsize=64)
def _present(tree: Tree) -> tuple[int, ...]:
    units = [0]
    for size, counts in zip(tree.hull, tree.children, strict=True):
        units = [unit * size + digit for unit, count in zip(units, counts, strict=True) for digit in range(count)]
    return tuple(units)


def counts_text(counts: Sequence[int]) -> str:
    """Sizes as the short form of a system has them: one number where all are the same.

    >>> counts_text((8, 8)), counts_text((8, 5))
    ('8', '[8,5]')
    """
    return str(counts[0]) if len({*counts}) == 1 else f"[{','.join(map(str, counts))}]"
