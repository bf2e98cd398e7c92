"""An axis of a mesh on devices: who takes part in a collective."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from p2smt.cost.network.pattern import Pattern
from p2smt.tensor.placing import Mesh


@dataclass(frozen=True, slots=True)
class Along:
    """An axis of a mesh, its groups of devices, and the device of every rank."""

    mesh: Mesh
    axis: int
    pattern: Pattern
    devices: tuple[int, ...]

    @property
    def size(self) -> int:
        """The ranks of a group."""
        return self.mesh[self.axis].size

    @property
    def stride(self) -> int:
        """By how much the numbers of neighbours along the axis differ."""
        return prod(each.size for each in self.mesh[self.axis + 1 :])

    def groups(self) -> Iterator[tuple[int, ...]]:
        """The ranks of every group, in the order of the axis."""
        outer = range(prod(each.size for each in self.mesh[: self.axis]))
        for before, behind in product(outer, range(self.stride)):
            first = (before * self.size * self.stride) + behind
            yield tuple(first + (member * self.stride) for member in range(self.size))
