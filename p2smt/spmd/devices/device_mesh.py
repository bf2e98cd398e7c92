"""A cluster as a mesh of named axes, with a cost model of collectives for each axis."""

from dataclasses import dataclass
from math import prod
from types import MappingProxyType

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import NetworkModel

DEVICE = "device"
"""The name of the axis of a one-dimensional mesh."""
_NAMES = MappingProxyType({1: (DEVICE,), 2: ("rows", "columns")})


def axis_names(count: int) -> tuple[str, ...]:
    """Return default names for `count` mesh axes.

    >>> axis_names(3)
    ('axis0', 'axis1', 'axis2')
    """
    return _NAMES.get(count, tuple(f"axis{number}" for number in range(count)))


@dataclass(frozen=True, slots=True)
class MeshAxis:
    """A mesh axis; `network` prices a collective that all groups along this axis run at the same time."""

    name: str
    size: int
    network: NetworkModel


@dataclass(frozen=True, slots=True)
class Mesh:
    """The devices of `cluster` in rank order; the last axis varies fastest.

    `placement` is the parallelism matrix that maps the axes to hardware levels, as text; empty if there is none.
    The product of the axis sizes is the number of devices.
    """

    cluster: Cluster
    axes: tuple[MeshAxis, ...]
    placement: str = ""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the number of ranks along each axis."""
        return tuple([axis.size for axis in self.axes])

    @property
    def networks(self) -> tuple[NetworkModel, ...]:
        """Return the cost models of collectives along each axis."""
        return tuple(axis.network for axis in self.axes)

    def others(self, axis: int) -> int:
        """Return the number of groups along an axis: the product of the sizes of all other axes."""
        return prod(self.sizes) // self.sizes[axis]


def one_axis(cluster: Cluster) -> Mesh:
    """Return the one-dimensional mesh over all devices of a cluster."""
    return Mesh(cluster, (MeshAxis(DEVICE, len(cluster.devices), cluster.network),))


@dataclass(frozen=True, slots=True)
class MeshOutcome:
    """The result for a mesh: its axis sizes, its placement, the fastest time and a lower bound (picoseconds).

    `time` is None if the mesh was not searched, because its bound is no less than the time found on another mesh.
    """

    sizes: tuple[int, ...]
    placement: str
    time: int | None
    bound: int
