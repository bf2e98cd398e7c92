"""Groups on a tree of unlike sizes: those of its hull, without the devices that do not exist."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from p2smt.placement.digits import split
from p2smt.placement.groups import DigitGroups
from p2smt.problem.system.tree import Tree

Shape = Sequence[int] | Tree
"""A hierarchy: the size of every level, or a tree whose units differ."""


def hull_of(shape: Shape) -> tuple[int, ...]:
    """The level sizes of the uniform hierarchy that a shape lies in."""
    return shape.hull if isinstance(shape, Tree) else tuple(shape)


def numbers_of(shape: Shape) -> Sequence[int]:
    """The numbers in the hull of all devices, ascending."""
    return shape.present if isinstance(shape, Tree) else range(prod(shape))


def digits_of(shape: Shape) -> list[tuple[int, ...]]:
    """The digits of every device, most significant first.

    >>> digits_of(Tree(((2,), (2, 1))))
    [(0, 0), (0, 1), (1, 0)]
    """
    hull = hull_of(shape)
    return [split(number, hull) for number in numbers_of(shape)]


@dataclass(frozen=True, slots=True)
class PresentGroups:
    """The groups of a hull with the devices left out that are not `present`, members by their rank among the present.

    `present` are numbers of the hull, ascending; rank `i` is the device with the `i`-th. A group of which one member
    is left does nothing, and is no group here: its member keeps what it has. Holds: the groups are disjoint, and each
    has at least two members, unless nothing varies; the first is the root.

    >>> list(PresentGroups(DigitGroups((2, 3), (0,)), (0, 1, 2, 3, 4)))
    [(0, 3), (1, 4)]
    >>> list(PresentGroups(DigitGroups((2, 3), (1,)), (0, 3, 4, 5)))
    [(1, 2, 3)]
    """

    hull: DigitGroups
    present: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of members of the largest group; 0 where there is none."""
        return max(map(len, self._formed), default=0)

    @property
    def group_sizes(self) -> tuple[int, ...]:
        """The different numbers of members that groups have, ascending."""
        return tuple(sorted({*map(len, self._formed)}))

    @property
    def count(self) -> int:
        """Number of groups."""
        return len(self._formed)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """The groups in ascending order of their first members, members ascending."""
        return iter(self._formed)

    def roots(self) -> Iterator[int]:
        """The first member of every group, ascending."""
        return (group[0] for group in self._formed)

    def members(self, root: int) -> Iterator[int]:
        """The members of the group of a root, ascending."""
        return iter(next(group for group in self._formed if group[0] == root))

    def root_of(self, device: int) -> int | None:
        """The first member of a device's group; None where it is in none."""
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
    """The groups along the levels `varying` among the devices with digits 0 on those of `zero`, levels from 1 on.

    >>> list(present_groups(Tree(((2,), (3, 1))), range(2, 3), range(0)))
    [(0, 1, 2)]
    """
    varies, zeros = (tuple(level - 1 for level in levels) for levels in (varying, zero))
    return PresentGroups(DigitGroups(tree.hull, varies, zeros), tree.present)
