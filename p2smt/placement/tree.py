"""Groups on a tree of unlike sizes: those of its hull, without the devices that do not exist."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    has at least two members; the first is the root.

    >>> list(PresentGroups(DigitGroups((2, 3), (0,)), (0, 1, 2, 3, 4)))
    [(0, 3), (1, 4)]
    >>> list(PresentGroups(DigitGroups((2, 3), (1,)), (0, 3, 4, 5)))
    [(1, 2, 3)]
    """

    hull: DigitGroups
    present: tuple[int, ...]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """The groups in ascending order of their first members, members ascending."""
        members: dict[int, list[int]] = {}
        for rank, device in enumerate(self.present):
            root = self.hull.root_of(device)
            if root is not None:
                members.setdefault(root, []).append(rank)
        return iter(sorted(tuple(group) for group in members.values() if len(group) > 1))


def present_groups(tree: Tree, varying: range, zero: range) -> PresentGroups:
    """The groups along the levels `varying` among the devices with digits 0 on those of `zero`, levels from 1 on.

    >>> list(present_groups(Tree(((2,), (3, 1))), range(2, 3), range(0)))
    [(0, 1, 2)]
    """
    varies, zeros = (tuple(level - 1 for level in levels) for levels in (varying, zero))
    return PresentGroups(DigitGroups(tree.hull, varies, zeros), tree.present)
