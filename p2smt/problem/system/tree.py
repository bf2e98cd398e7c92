"""Trees of irregular units: the number of children of every unit, and the embedding into a uniform tree.

A tree is embedded in its *hull*, the uniform tree with the maximum number of children at every level. A unit's children
take the first digits 0, 1, ... of the hull, so that digit 0 always exists, and with it masters. The number of a device
with digits d[0], d[1], ... is mixed radix (Knuth, "The Art of Computer Programming 2", section 4.1):
    number = sum over levels l of  d[l] * hull[l + 1] * hull[l + 2] * ...
Devices are numbered in tree order, which is also the order of their numbers in the hull.
Complexity: O(devices) for the numbers of all devices.

Example: two nodes of 1 and 3 GPUs have the hull 2 x 3; the GPUs have the numbers 0, and 3, 4, 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import prod

from p2smt.errors import ProblemError

MAX_TREE_DEVICES = 2**16
"""Maximum number of devices of an irregular tree, which are enumerated."""

MAX_HULL = 2**20
"""Maximum number of devices in a tree's hull, as some lists have an entry for each of them."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree; `children[l][u]` is the number of children of unit `u` on level `l`, breadth first.

    Level 0 is the root.

    Invariant: `len(children[0]) == 1`, `len(children[l + 1]) == sum(children[l])`, all counts >= 1; otherwise
    ProblemError is raised. Device `i` has number `present[i]` in the hull.

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
                "the outermost level has one size, and an inner level one size or one per unit above; "
                "write such as node:3,gpu:[8,8,5]"
            )
        for level, counts in enumerate(self.children):
            small = next((count for count in counts if count < 1), None)
            if small is not None:
                raise ProblemError(f"level {level} has a unit with {small} children; a size is a whole number >= 1")
        for level, (above, counts) in enumerate(pairwise(self.children), start=1):
            if sum(above) != len(counts):
                raise ProblemError(
                    f"level {level} has {len(counts)} sizes for {sum(above)} units above it; give one size per unit"
                )
        if self.devices > MAX_TREE_DEVICES:
            raise ProblemError(
                f"{self.devices} devices are too many for an irregular hierarchy; the limit is {MAX_TREE_DEVICES}"
            )

    @property
    def hull(self) -> tuple[int, ...]:
        """The largest number of children at every level."""
        return tuple(max(counts) for counts in self.children)

    @property
    def devices(self) -> int:
        """The number of existing devices."""
        return sum(self.children[-1])

    @property
    def is_uniform(self) -> bool:
        """True if the tree equals its hull."""
        return all(len(set(counts)) == 1 for counts in self.children)

    @property
    def present(self) -> tuple[int, ...]:
        """The devices' numbers in the hull, ascending."""
        return _present(self)

    def inside(self, level: int) -> tuple[int, ...]:
        """Return the number of devices in every unit of a level; level -1 is the cluster.

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
        """Return the levels in the short form of systems, without names.

        >>> str(Tree(((2,), (5, 3))))
        '2x[5,3]'
        """
        return "x".join(map(counts_text, self.children))


def uniform_tree(sizes: Sequence[int]) -> Tree:
    """Return the tree in which every unit of level `l` has `sizes[l]` children.

    >>> uniform_tree((2, 3)).children
    ((2,), (3, 3))
    """
    return Tree(tuple((size,) * prod(sizes[:level]) for level, size in enumerate(sizes)))


def check_tree(tree: Tree, sizes: Sequence[int]) -> None:
    """Raise ProblemError unless the tree's hull has these sizes and is not too large."""
    if prod(tree.hull) > MAX_HULL:
        raise ProblemError(
            f"the irregular hierarchy {tree} would have {prod(tree.hull)} devices with all units as "
            f"large as the largest; the limit is {MAX_HULL}"
        )
    if tree.hull != tuple(sizes):
        raise ProblemError(f"the irregular hierarchy {tree} needs levels of {list(tree.hull)}, not {list(sizes)}")


def tree_of(sizes: Sequence[Sequence[int]]) -> Tree:
    """Return the tree with the given sizes per level; a single size applies to all units of a level.

    >>> tree_of([(2,), (2, 1), (4,)])
    Tree(children=((2,), (2, 1), (4, 4, 4)))
    """
    children: list[tuple[int, ...]] = []
    for counts in sizes:
        above = sum(children[-1]) if children else 1
        if above > MAX_TREE_DEVICES:
            raise ProblemError(f"there are {above} units above {counts_text(counts)}; the limit is {MAX_TREE_DEVICES}")
        children.append(tuple(counts) * above if len(counts) == 1 else tuple(counts))
    return Tree(tuple(children))


def machine_tree(above: Sequence[int], machines: Sequence[int], inside: Sequence[int]) -> Tree:
    """Return the tree of machines with the given numbers of devices, filled in order of device number.

    `above` are the sizes of the levels down to the machines, `inside` those of the levels within a machine.

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
    """Return sizes in the short form of systems: a single number if all are equal.

    >>> counts_text((8, 8)), counts_text((8, 5))
    ('8', '[8,5]')
    """
    return str(counts[0]) if len({*counts}) == 1 else f"[{','.join(map(str, counts))}]"
