"""A cluster as a mesh of named axes, each with a cost model of collectives along it."""

from dataclasses import dataclass
from math import prod
from types import MappingProxyType

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import Network

DEVICE = "device"
"""The name of the axis of a mesh with one axis."""
_NAMES = MappingProxyType({1: (DEVICE,), 2: ("rows", "columns")})


def axis_names(count: int) -> tuple[str, ...]:
    """Names of so many axes, until it is known what they are for.

    >>> axis_names(3)
    ('axis0', 'axis1', 'axis2')
    """
    return _NAMES.get(count, tuple(f"axis{number}" for number in range(count)))


@dataclass(frozen=True, slots=True)
class MeshAxis:
    """An axis: `network` prices collectives among all groups of devices that differ on it alone, all at once."""

    name: str
    size: int
    network: Network


@dataclass(frozen=True, slots=True)
class Mesh:
    """The devices of `cluster` in the order of ranks, of which the last axis varies fastest.

    `placement` is the parallelism matrix by which the axes lie on the hardware, as text; empty where none was given.
    Holds: the sizes multiply to the number of devices.
    """

    cluster: Cluster
    axes: tuple[MeshAxis, ...]
    placement: str = ""

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of ranks of each axis."""
        return tuple([axis.size for axis in self.axes])

    @property
    def networks(self) -> tuple[Network, ...]:
        """Cost models of collectives along each axis."""
        return tuple(axis.network for axis in self.axes)

    def others(self, axis: int) -> int:
        """The number of groups of an axis: the product of the sizes of all other axes."""
        return prod(self.sizes) // self.sizes[axis]


def one_axis(cluster: Cluster) -> Mesh:
    """The mesh of a single axis over all devices of a cluster."""
    return Mesh(cluster, (MeshAxis(DEVICE, len(cluster.devices), cluster.network),))


@dataclass(frozen=True, slots=True)
class MeshOutcome:
    """The result for a mesh: the sizes of its axes, its placement, the fastest time and a lower bound (picoseconds).

    No time: the bound is no less than what was found on another mesh, and it was not searched.
    """

    sizes: tuple[int, ...]
    placement: str
    time: int | None
    bound: int
