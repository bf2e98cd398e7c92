"""Prices of NCCL's algorithms on systems with units of different sizes, counted hop by hop."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from p2smt.collective import Collective
from p2smt.cost.network.applicable import applicable
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import LocalWork, PerByte, StepCost, Work, cheapest, local_cost
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.load import around_seconds, links_seconds
from p2smt.cost.network.pattern import Pattern
from p2smt.cost.network.plan_prices import PlanPrices
from p2smt.cost.network.protocol import fastest_protocol
from p2smt.cost.network.switching import members_of, with_switch
from p2smt.cost.network.traffic import carriers, traffic
from p2smt.problem.system.algorithm import ADDING, Algorithm, Auto, Choice
from p2smt.problem.system.network import System

HeldGroup = tuple[Sequence[int], float]
"""The device numbers of a group, the root first, and the bytes that its root holds before the step."""


@dataclass(frozen=True)
class UnlikeCost(PlanPrices):
    """Prices steps as `NetworkCost` does, on a system with units of different sizes.

    Raises ProblemError for systems of more than 4096 devices.
    """

    system: System
    algorithm: Choice = Auto.AUTO
    _known: dict[tuple[Pattern, Collective, Algorithm], StepCost] = field(
        default_factory=dict, compare=False, repr=False
    )

    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """Return the cost of work that need not be a step of a plan."""
        if isinstance(work, LocalWork) or work.pattern.group_size == 1:
            return local_cost(work, self.system.network)
        machines = machines_of(self._cluster, self.system, work.pattern.device_groups)
        able = able_groups(self._cluster, self.system, work.pattern.device_groups)
        options = carriers(work.collective, self.algorithm, machines, able)
        return cheapest(self._carried(work, algorithm) for algorithm in options)

    def _carried(self, work: Work, algorithm: Algorithm) -> StepCost:
        key = (work.pattern, work.collective, algorithm)
        if key not in self._known:
            groups = [(group, 1.0) for group in work.pattern.device_groups]
            self._known[key] = unlike_cost(self._cluster, self.system, work.collective, algorithm, groups)
        one = self._known[key]
        held = replace(one, hop_bytes=work.held, memory_s=one.memory_s * work.held)
        return fastest_protocol(held, self.system)

    @cached_property
    def _cluster(self) -> ClusterGraph:
        return ClusterGraph(self.system)


def unlike_cost(
    cluster: ClusterGraph, system: System, collective: Collective, algorithm: Algorithm, groups: Sequence[HeldGroup]
) -> StepCost:
    """Return the cost of a step whose groups, of two devices or more, all run at the same time.

    Bytes are counted hop by hop for every group. Latency is that of the group with the longest path around (including
    its rounds), memory that of the group with the most bytes.
    """
    every = [(members, held, traffic(collective, algorithm, len(members))) for members, held in groups]
    counted = [(members, moved.per_hop * held) for members, held, moved in every]
    # All groups use the same algorithm, so the shape is that of the first.
    loads = explicit_loads(cluster, system, counted, every[0][2].shape)
    if algorithm in ADDING:
        inside = [(members_of([*map(cluster.device, members)])[-1], amount) for members, amount in counted]
        loads = with_switch(loads, algorithm, system, inside)
    per_byte = PerByte(loads, links_seconds(loads, system.network), around_seconds(loads))
    memory = max(moved.memory * held for _, held, moved in every) / system.network.memory_bandwidth
    rounds = max(moved.rounds for _, _, moved in every)
    return StepCost(per_byte, 1.0, rounds, memory, system.network.launch, algorithm)


def able_groups(cluster: ClusterGraph, system: System, groups: Sequence[Sequence[int]]) -> frozenset[Algorithm]:
    """Return the algorithms, besides rings and trees, that every one of several groups can use."""
    each = [_able(cluster, system, group) for group in groups if len(group) > 1]
    return frozenset.intersection(*each) if each else frozenset()


def _able(cluster: ClusterGraph, system: System, group: Sequence[int]) -> frozenset[Algorithm]:
    """Return the algorithms that one group can use; parallel trees only if no machine has two of its devices."""
    units = [*map(cluster.device, group)]
    found = applicable(system, members_of(units))
    machines = len({unit[: system.machine + 1] for unit in units})
    return found if machines == len(units) else found - {Algorithm.PAT}


def machines_of(cluster: ClusterGraph, system: System, groups: Sequence[Sequence[int]]) -> int:
    """Return the largest number of machines that any of the groups spans."""
    depth = system.machine + 1
    return max(len({cluster.device(member)[:depth] for member in members}) for members in groups)
