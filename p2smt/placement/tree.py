"""Groups on a tree of irregular units: the groups of its hull without the missing devices.

With present the numbers of the devices in the hull (`problem/system/tree.py`), ascending, and rank(d) the position of
d,
    groups(tree) = { rank(group of the hull, restricted to present) }   without those of a single member.
The first member that is left is the root.
Complexity: O(devices) for all groups: each device is put into the group of its root, a change of some of its digits.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, for groups in uniform trees; irregular ones are ours.

Example: two nodes of 1 and 3 GPUs; the GPUs of a node are one group: (1, 2, 3), and rank 0 is alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from p2smt.placement.digits import split
from p2smt.placement.groups import DigitGroups
from p2smt.problem.system.tree import Tree

Shape = Sequence[int] | Tree
"""A hierarchy: the size of every level, or a tree of irregular units."""


def hull_of(shape: Shape) -> tuple[int, ...]:
    """Return the level sizes of a shape's uniform hull."""
    return shape.hull if isinstance(shape, Tree) else tuple(shape)


def numbers_of(shape: Shape) -> Sequence[int]:
    """Return the existing devices' numbers in the hull, ascending."""
    return shape.present if isinstance(shape, Tree) else range(prod(shape))


def digits_of(shape: Shape) -> list[tuple[int, ...]]:
    """Return the digits of every existing device, most significant first.

    >>> digits_of(Tree(((2,), (2, 1))))
    [(0, 0), (0, 1), (1, 0)]
    """
    hull = hull_of(shape)
    return [split(number, hull) for number in numbers_of(shape)]


@dataclass(frozen=True, slots=True)
class PresentGroups:
    """The groups of a hull, restricted to existing devices and given by their ranks.

    `present` are the existing devices' numbers in the hull, ascending; rank `i` is the `i`-th of them. A group
    with a single remaining member is omitted, as its data stays unchanged.

    Invariant: the groups are disjoint, and each has at least two members unless nothing varies; the first is
    the root.

    >>> list(PresentGroups(DigitGroups((2, 3), (0,)), (0, 1, 2, 3, 4)))
    [(0, 3), (1, 4)]
    >>> list(PresentGroups(DigitGroups((2, 3), (1,)), (0, 3, 4, 5)))
    [(1, 2, 3)]
    """

    hull: DigitGroups
    present: tuple[int, ...]

    @property
    def size(self) -> int:
        """The size of the largest group; 0 if there is none."""
        return max(map(len, self._formed), default=0)

    @property
    def group_sizes(self) -> tuple[int, ...]:
        """The distinct sizes of groups, ascending."""
        return tuple(sorted({*map(len, self._formed)}))

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self._formed)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the groups in ascending order of their first members, with members ascending."""
        return iter(self._formed)

    def roots(self) -> Iterator[int]:
        """Yield the first member of every group, ascending."""
        return (group[0] for group in self._formed)

    def members(self, root: int) -> Iterator[int]:
        """Yield the members of a root's group, ascending."""
        return iter(next(group for group in self._formed if group[0] == root))

    def root_of(self, device: int) -> int | None:
        """Return the first member of a device's group; None if it is in no group."""
        return next((group[0] for group in self._formed if device in group), None)

    @property
    def _formed(self) -> tuple[tuple[int, ...], ...]:
        return _present_groups(self)


@lru_cache(maxsize=256)
def _present_groups(groups: PresentGroups) -> tuple[tuple[int, ...], ...]:
    members: dict[int, list[int]] = {}
    for rank, device in enumerate(groups.present):
        root = groups.hull.root_of(device)
        if root is not None:
            members.setdefault(root, []).append(rank)
    # With nothing varying every device is a group of its own, which has one member by definition.
    least = 2 if groups.hull.varying else 1
    return tuple(sorted(tuple(group) for group in members.values() if len(group) >= least))


def present_groups(tree: Tree, varying: range, zero: range) -> PresentGroups:
    """Return the groups along the levels `varying`, among devices with digit 0 on the levels `zero`.

    Levels are counted from 1.

    >>> list(present_groups(Tree(((2,), (3, 1))), range(2, 3), range(0)))
    [(0, 1, 2)]
    """
    varies, zeros = (tuple(level - 1 for level in levels) for levels in (varying, zero))
    return PresentGroups(DigitGroups(tree.hull, varies, zeros), tree.present)
