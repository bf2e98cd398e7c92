"""A cluster as a mesh of two axes, each with what collectives along it take where it is placed."""

from dataclasses import dataclass

from p2smt.spmd.cluster import Cluster
from p2smt.spmd.network import Network
from p2smt.tensor.layout import Layout

Pair = tuple[Layout, Layout]
"""A tensor's layout on each axis; cuts are without sizes. Where both cut one dimension, the first cuts it first."""


@dataclass(frozen=True, slots=True)
class MeshAxis:
    """An axis: `network` prices collectives among all groups of devices that differ on it alone, all at once."""

    name: str
    size: int
    network: Network


@dataclass(frozen=True, slots=True)
class Mesh:
    """The devices of `cluster` are in the order of ranks: the second axis varies fastest.

    `placement` is the parallelism matrix by which the axes lie on the hardware, as text; empty where none was given.
    Holds: the sizes multiply to the number of devices.
    """

    cluster: Cluster
    axes: tuple[MeshAxis, MeshAxis]
    placement: str = ""

    @property
    def sizes(self) -> tuple[int, int]:
        """How many ranks each axis has."""
        return self.axes[0].size, self.axes[1].size

    @property
    def networks(self) -> tuple[Network, ...]:
        """What prices collectives along each axis."""
        return tuple(axis.network for axis in self.axes)


@dataclass(frozen=True, slots=True)
class Tried:
    """A mesh that was looked at: sizes of its axes, placement, the fastest time there and a bound (picoseconds).

    No time: the bound is no less than what was found on another mesh, and it was not searched.
    """

    sizes: tuple[int, ...]
    placement: str
    time: int | None
    bound: int
