"""A mesh axis mapped to devices, and the ranks that take part in its collectives."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from p2smt.cost.network.pattern import Pattern
from p2smt.tensor.placing import Mesh


@dataclass(frozen=True, slots=True)
class AxisDevices:
    """A mesh axis mapped to devices: the pattern of its groups, and the device of every rank."""

    mesh: Mesh
    axis: int
    pattern: Pattern
    devices: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of ranks in a group."""
        return self.mesh[self.axis].size

    @property
    def stride(self) -> int:
        """The difference between the rank numbers of neighbours along the axis."""
        return prod(each.size for each in self.mesh[self.axis + 1 :])

    def sent_to(self, senders: Collection[int]) -> frozenset[int]:
        """Return the ranks that receive if these ranks send to their successors along the axis."""
        return frozenset(rank + self.stride for rank in senders)

    def together_with(self, senders: Collection[int]) -> frozenset[int]:
        """Return all members of the groups that contain any of these ranks."""
        return frozenset(rank for ranks in self.groups() if any(each in senders for each in ranks) for rank in ranks)

    def groups(self) -> Iterator[tuple[int, ...]]:
        """Yield the ranks of every group, in order along the axis."""
        outer = range(prod(each.size for each in self.mesh[: self.axis]))
        for before, behind in product(outer, range(self.stride)):
            first = (before * self.size * self.stride) + behind
            yield tuple(first + (member * self.stride) for member in range(self.size))
