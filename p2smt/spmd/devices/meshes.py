"""Device meshes of a system: axes of given sizes, placed on the levels of its hardware."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2smt.collective import Collective
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Backend, cost_of
from p2smt.cost.network.cost import Cost, Work
from p2smt.cost.network.pattern import Pattern, Role, merged
from p2smt.errors import ProblemError
from p2smt.placement.digits import DeviceMap
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.system.network import System
from p2smt.spmd.devices.carried_network import CarriedNetwork
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import DEVICE, Mesh, MeshAxis, axis_names
from p2smt.spmd.devices.network import ModelledNetwork, NetworkModel, NoNetwork
from p2smt.tensor.expression import ProgramAxis as MeshedAxis
from p2smt.tensor.placing import coordinates


@dataclass(frozen=True)
class AxisCost:
    """A cost model of collectives along one mesh axis, with all its groups running at the same time."""

    cost: Cost
    pattern: Pattern

    def one_more(self, collective: Collective) -> float:
        """Return the seconds that one more call in a group of calls adds, in which no other call makes progress."""
        return self.cost.in_turn(self.cost.work_cost(Work(collective, self.pattern, 0.0)))

    def collective(self, collective: Collective, held: float) -> float:
        """Return the seconds of a collective whose root holds `held` bytes, by the link loads of all groups."""
        return self.cost.work_cost(Work(collective, self.pattern, held)).seconds

    def exchange(self, held: float) -> float:
        """Return the seconds of an all-to-all of `held` bytes per device, by the link loads of all groups."""
        return all_to_all_cost(self.pattern, held, self.cost.system).seconds


def meshes(
    system: System, cluster: Cluster, backend: Backend, sizes: tuple[int, ...], names: tuple[str, ...] = ()
) -> Iterator[Mesh]:
    """Yield the mesh of these sizes in every placement on the system's levels; default names are `axis_names`.

    An axis over all devices uses the cluster's own network, with its measurements. Other axes are priced by the links
    of the hardware levels, or by the devices' processors if these are the limit. Raises ProblemError for several axes
    if the system file has prices of collectives over all devices only.
    """
    names = names or axis_names(len(sizes))
    problem = Problem(
        system=system, axes=tuple(map(Axis, names, sizes)), reduce=(0,), payload=Payload(1, "int8"), search=Search()
    )
    if len(cluster.devices) in sizes:
        axes = [
            MeshAxis(name, size, cluster.network if size > 1 else NoNetwork())
            for name, size in zip(names, sizes, strict=True)
        ]
        known = () if system.is_uneven else all_placements(problem).items
        yield Mesh(cluster, tuple(axes), next((str(matrix) for matrix in known), ""))
        return
    refuse_groups(system, sizes)
    cost = cost_of(system, backend)
    for matrix in all_placements(problem).items:
        yield _mesh(cluster, cost, matrix, sizes, names)


def mesh_of_machines(system: System, cluster: Cluster, backend: Backend) -> Mesh:
    """Return the mesh of machines x devices inside, named by their levels; rank numbers are device numbers.

    It is priced by links, as machines are, even if the system has measured collectives among all devices. Raises
    ProblemError for machines of different sizes.
    """
    if system.is_uneven:
        raise ProblemError(
            f"machines of {system.name or 'the system'} have {min(system.machine_sizes)} to {system.inside} devices, "
            "so they do not form a mesh; leave --virtual out, which writes a program for all devices"
        )
    sizes = (system.machines, system.inside)
    outer, inner = system.levels[: system.machine + 1], system.levels[system.machine + 1 :]
    across = (*[level.size for level in outer], *[1] * len(inner))
    inside = (*[1] * len(outer), *[level.size for level in inner])
    names = outer[-1].name, inner[0].name if len(inner) == 1 else DEVICE
    return _mesh(cluster, cost_of(system, backend), ParallelismMatrix((across, inside)), sizes, names)


def _pattern(matrix: ParallelismMatrix, axis: int) -> Pattern:
    """Return the digits of the axes at each level, most significant first; this axis's digits vary in a group."""
    levels: list[list[tuple[Role, int]]] = [[] for _ in matrix.rows[0]]
    for digit in DeviceMap(matrix).digits:
        if digit.size > 1:
            levels[digit.level].append((Role.VARYING if digit.axis == axis else Role.FREE, digit.size))
    return Pattern(tuple(map(merged, levels)))


def refuse_groups(system: System, sizes: tuple[int, ...]) -> None:
    """Raise ProblemError if collectives over only some of the system's devices cannot be priced."""
    text, name = ",".join(map(str, sizes)), system.name or "the system"
    if system.profile is not None:
        known = "has measured collectives among all devices alone ([profile])"
    elif system.timings is not None:
        known = "has timed collectives among all devices alone ([timings])"
    elif system.is_uneven:
        known = "has machines of unlike size"
    else:
        return
    raise ProblemError(
        f"{name} {known}, so there are no times for the groups of --mesh {text}; give one axis all "
        f"{system.devices} devices, leave --mesh out, or remove it from the system file"
    )


def _mesh(
    cluster: Cluster, cost: Cost, matrix: ParallelismMatrix, sizes: tuple[int, ...], names: tuple[str, ...]
) -> Mesh:
    placed = DeviceMap(matrix)
    ranks = tuple(map(MeshedAxis, names, sizes))
    places = [coordinates(ranks, rank) for rank in range(len(cluster.devices))]
    devices = tuple(cluster.devices[placed.device(place)] for place in places)
    axes = []
    for number, (name, size) in enumerate(zip(names, sizes, strict=True)):
        network: NetworkModel = ModelledNetwork(AxisCost(cost, _pattern(matrix, number))) if size > 1 else NoNetwork()
        if cluster.efforts.send and size > 1:
            busiest = [
                max(
                    cluster.efforts.send / device.speed
                    for device, place in zip(devices, places, strict=True)
                    if place[number] == coordinate
                )
                for coordinate in range(size)
            ]
            network = CarriedNetwork(network, tuple(busiest))
        axes.append(MeshAxis(name, size, network))
    return Mesh(replace(cluster, devices=devices), tuple(axes), str(matrix))
