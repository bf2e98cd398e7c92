"""Prices of what is no collective among all ranks of an axis: a Send, and reduction programs, hop by hop.

Carried as by NCCL; ProblemError for systems of more than 4096 devices.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod

from p2smt.collective import Collective
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import PerByte, StepCost, cheapest
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.load import around_seconds, links_seconds
from p2smt.cost.network.traffic import carriers, traffic
from p2smt.problem.system.algorithm import Algorithm, Auto
from p2smt.problem.system.network import System
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.groups import groups_of
from p2smt.schedule.instructions import instructions
from p2smt.schedule.scheduled import Implementation
from p2smt.tensor.placing import Mesh

Groups = Sequence[tuple[Sequence[int], float]]
"""Members in order, and the bytes that the first of them holds before."""


def send_cost(mesh: Mesh, axis: int, brought: Sequence[int], system: System) -> StepCost:
    """Every rank that has something sends it to its next neighbour along an axis, all at once, one hop each.

    `brought` are the bytes of each rank, none where it has nothing.
    """
    stride = _stride(mesh, axis)
    pairs = [((rank, rank + stride), float(amount)) for rank, amount in enumerate(brought) if amount]
    return _cost(Collective.BROADCAST, pairs, system)


def program_costs(
    noted: Implementation, mesh: Mesh, axis: int, brought: Sequence[int], system: System
) -> Iterator[StepCost]:
    """The steps of a reduction program among the ranks of an axis, one behind the other; `brought` as above."""
    sizes = tuple(size for _, size in noted.levels)
    running = machine(sizes)
    state = running.goal.start
    for grouping, collective in instructions(noted.program, noted.levels):
        groups: list[tuple[Sequence[int], float]] = []
        for members in groups_of(sizes, grouping):
            rows = state[members[0]]
            share = sum(1 for row in rows if row) / len(rows)
            for first in _firsts(mesh, axis):
                ranks = [first + (member * _stride(mesh, axis)) for member in members]
                groups.append((ranks, share * brought[ranks[0]]))
        yield _cost(collective, groups, system)
        after = running.apply(state, (grouping, collective))
        assert not isinstance(after, Violation), "the step that notes a program has proved it"
        state = after


def _stride(mesh: Mesh, axis: int) -> int:
    return prod(each.size for each in mesh[axis + 1 :])


def _firsts(mesh: Mesh, axis: int) -> Iterator[int]:
    """The rank at 0 along the axis of each of its groups."""
    for outer, inner in product(range(prod(each.size for each in mesh[:axis])), range(_stride(mesh, axis))):
        yield (outer * mesh[axis].size * _stride(mesh, axis)) + inner


def _cost(collective: Collective, groups: Groups, system: System) -> StepCost:
    return cheapest(
        _carried(collective, algorithm, groups, system)
        for algorithm in carriers(collective, Auto.AUTO, system.machines)
    )


def _carried(collective: Collective, algorithm: Algorithm, groups: Groups, system: System) -> StepCost:
    size = max((len(members) for members, _ in groups), default=1)
    moved, network = traffic(collective, algorithm, size), system.network
    counted = [(members, moved.per_hop * held) for members, held in groups]
    loads = explicit_loads(_cluster(system), system, counted, moved.shape)
    per_byte = PerByte(loads, links_seconds(loads, network), around_seconds(loads))
    most = max((held for _, held in groups), default=0.0)
    return StepCost(per_byte, 1.0, moved.rounds, moved.memory * most / network.memory_bandwidth, network.launch,
                    algorithm)  # fmt: skip


@lru_cache(maxsize=4)
def _cluster(system: System) -> ClusterGraph:
    return ClusterGraph(system)
