"""Hop-by-hop prices of communication other than full-axis collectives: Send, and reduction programs.

Each step has a latency and a time per byte (Hockney, "The communication challenge for MPP", 1994), with one term for
each link (`cost/network/explicit.py`):
    bytes(link) = sum over groups whose hops cross the link of  bytes of a hop.
A reduction program is a sequence of steps that depend on each other, so their times add up. Its state matrices (Xie et
al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for deep learning",
2022, section 3.2) tell what a group's root holds before step i:
    held = whole * (rows of state[i][root] that are not empty / rows),   state[i + 1] = step i applied to state[i],
where whole is the rank's bytes, times the number of ranks if the goal gathers.
Complexity: O(devices x levels) hops for each step and algorithm.

NCCL is assumed. ProblemError for systems of more than 4096 devices.

Example: a Send along four ranks on two nodes of two GPUs, 1 MB each. The hops are 0-1, 1-2 and 2-3, all at once; only
1-2 crosses the network, which carries 1 MB.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod

from p2smt.collective import Collective
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import LocalWork, PerByte, StepCost, cheapest, local_cost
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.load import around_seconds, links_seconds
from p2smt.cost.network.protocol import fastest_protocol
from p2smt.cost.network.switching import members_of, with_switch
from p2smt.cost.network.traffic import carriers, traffic
from p2smt.cost.network.unlike import able_groups
from p2smt.problem.system.algorithm import ADDING, Algorithm, Auto
from p2smt.problem.system.network import System
from p2smt.reduction.language.language import Step
from p2smt.reduction.plan.schedule import schedules
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.groups import groups_of
from p2smt.schedule.cost.along import AxisDevices
from p2smt.schedule.instructions import instructions
from p2smt.schedule.scheduled import Implementation

Groups = Sequence[tuple[Sequence[int], float]]
"""Group members in order, and the bytes that the first member holds before the step."""


def send_cost(along: AxisDevices, brought: Sequence[int], system: System) -> StepCost:
    """Return the cost of a Send: every rank with data sends it to its successor along the axis, all at once.

    `brought` has the bytes of each rank, 0 for a rank without data.
    """
    of, stride = along.devices, along.stride
    pairs = [((of[rank], of[rank + stride]), float(amount)) for rank, amount in enumerate(brought) if amount]
    return _cost(Collective.BROADCAST, pairs, system)


def program_costs(
    noted: Implementation, along: AxisDevices, brought: Sequence[int], system: System
) -> Iterator[StepCost]:
    # The steps of a program depend on each other, so their times add up.
    """Yield the costs of a reduction program's steps along an axis, which run in sequence.

    `brought` has the bytes of each rank; for an AllGather these are blocks of the whole. If the program
    leaves blocks out of rank order, the cost of permuting them locally comes first.
    """
    sizes = tuple(size for _, size in noted.levels)
    running = machine(sizes, goal=noted.goal)
    state, parts = running.goal.start, prod(sizes) if noted.goal.gathers else 1
    steps = instructions(noted.program, noted.levels)
    moved = permuted(noted, brought)
    if moved:
        yield local_cost(LocalWork(moved), system.network)
    for grouping, collective in steps:
        groups: list[tuple[Sequence[int], float]] = []
        for members in groups_of(sizes, grouping):
            rows = state[members[0]]
            share = sum(1 for row in rows if row) / len(rows)
            for ranks in along.groups():
                chosen = [along.devices[ranks[member]] for member in members]
                groups.append((chosen, share * parts * brought[ranks[members[0]]]))
        yield _cost(collective, groups, system)
        after = running.apply(state, (grouping, collective))
        assert not isinstance(after, Violation), "the step that notes a program has proved it"
        state = after


def permuted(noted: Implementation, brought: Sequence[int]) -> float:
    """Return the bytes that devices permute locally, on the device that permutes most."""
    sizes, steps = tuple(size for _, size in noted.levels), tuple(instructions(noted.program, noted.levels))
    parts = prod(sizes) if noted.goal.gathers else 1
    return max(brought, default=0) * parts * _permuted(steps, sizes, noted.goal)


def _permuted(steps: tuple[Step, ...], sizes: tuple[int, ...], goal: Collective) -> float:
    """Return the share of the whole that devices permute, in the lowering of the program that permutes least."""

    def amount(lacking: int) -> float:
        return 1 / prod(size for number, size in enumerate(sizes) if lacking >> number & 1)

    ways = schedules(steps, tuple(range(1, len(sizes) + 1)), goal)
    return min(sum(map(amount, way.permuted)) for way in ways)


def _cost(collective: Collective, groups: Groups, system: System) -> StepCost:
    able = able_groups(_cluster(system), system, [members for members, _ in groups])
    return cheapest(
        fastest_protocol(_carried(collective, algorithm, groups, system), system)
        for algorithm in carriers(collective, Auto.AUTO, system.machines, able)
    )


def _carried(collective: Collective, algorithm: Algorithm, groups: Groups, system: System) -> StepCost:
    size = max((len(members) for members, _ in groups), default=1)
    moved, network = traffic(collective, algorithm, size), system.network
    counted = [(members, moved.per_hop * held) for members, held in groups]
    loads = explicit_loads(_cluster(system), system, counted, moved.shape)
    if algorithm in ADDING:
        devices = _cluster(system).device
        inside = [(members_of([*map(devices, members)])[-1], amount) for members, amount in counted if members]
        loads = with_switch(loads, algorithm, system, inside)
    per_byte = PerByte(loads, links_seconds(loads, network), around_seconds(loads))
    most = max((held for _, held in groups), default=0.0)
    return StepCost(
        per_byte, 1.0, moved.rounds, moved.memory * most / network.memory_bandwidth, network.launch, algorithm
    )


@lru_cache(maxsize=4)
def _cluster(system: System) -> ClusterGraph:
    return ClusterGraph(system)
