"""Groups on a tree of unlike sizes: those of its hull, without the devices that do not exist."""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.placement.groups import DigitGroups


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
