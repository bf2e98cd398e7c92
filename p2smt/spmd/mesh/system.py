"""The meshes that a system's devices can be: axes of given sizes, placed on the levels of the hardware."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from p2smt.collective import Collective
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Backend, Cost, cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.errors import ProblemError
from p2smt.placement.digits import DeviceMap
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.system.network import System
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.mesh.mesh import Mesh, MeshAxis
from p2smt.spmd.network import ModelledNetwork, Network, NoNetwork
from p2smt.tensor.placing import coordinates
from p2smt.tensor.program import Axis as MeshedAxis

NAMES = ("rows", "columns")
"""Of the axes, until it is known what they are for."""


@dataclass(frozen=True)
class AxisCost:
    """What collectives take among devices that differ on one axis alone, all groups of them at once."""

    cost: Cost
    matrix: ParallelismMatrix
    axis: int

    def one_more(self, collective: Collective) -> float:
        """What no other call gets on beside."""
        return self.cost.in_turn(self.cost.work_cost(Work(collective, self._pattern, 0.0)))

    @cached_property
    def _pattern(self) -> Pattern:
        """Per level the digits of the axes, the first most significant; an axis' own vary in a group."""
        levels: list[list[tuple[Role, int]]] = [[] for _ in self.matrix.rows[0]]
        for digit in DeviceMap(self.matrix).digits:
            if digit.size > 1:
                levels[digit.level].append((Role.VARYING if digit.axis == self.axis else Role.FREE, digit.size))
        return Pattern(tuple(map(tuple, levels)))

    def collective(self, collective: Collective, held: float) -> float:
        """By the loads of the pattern of all groups."""
        return self.cost.work_cost(Work(collective, self._pattern, held)).seconds

    def exchange(self, held: float) -> float:
        """The same."""
        return all_to_all_cost(self._pattern, held, self.cost.system).seconds


def meshes(system: System, cluster: Cluster, backend: Backend, sizes: tuple[int, int]) -> Iterator[Mesh]:
    """The mesh of these sizes in every placement on the system's levels.

    ProblemError for systems of which only collectives among all devices are known.
    """
    if system.profile is not None or system.is_uneven:
        known = "has measured collectives among all devices alone" if system.profile else "has machines of unlike size"
        raise ProblemError(
            f"{system.name or 'the system'} {known}; a mesh of two axes needs links of levels; drop --mesh"
        )
    axes = tuple(Axis(name, size) for name, size in zip(NAMES, sizes, strict=True))
    problem = Problem(system=system, axes=axes, reduce=(0,), payload=Payload(1, "int8"), search=Search())
    cost = cost_of(system, backend)
    for matrix in all_placements(problem).items:
        yield _mesh(cluster, cost, matrix, sizes)


def _mesh(cluster: Cluster, cost: Cost, matrix: ParallelismMatrix, sizes: tuple[int, int]) -> Mesh:
    placed = DeviceMap(matrix)
    ranks = tuple(MeshedAxis(name, size) for name, size in zip(NAMES, sizes, strict=True))
    numbers = [placed.device(coordinates(ranks, rank)) for rank in range(len(cluster.devices))]
    devices = tuple(cluster.devices[number] for number in numbers)
    one, other = (
        MeshAxis(name, size, _network(cost, matrix, number, size))
        for number, (name, size) in enumerate(zip(NAMES, sizes, strict=True))
    )
    return Mesh(replace(cluster, devices=devices), (one, other), str(matrix))


def _network(cost: Cost, matrix: ParallelismMatrix, axis: int, size: int) -> Network:
    return ModelledNetwork(AxisCost(cost, matrix, axis)) if size > 1 else NoNetwork()
