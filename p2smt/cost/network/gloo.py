"""Collectives of gloo, PyTorch's backend for CPUs, and their prices.

Gloo's algorithms differ from NCCL's (gloo `broadcast.cc`, `reduce.cc`, `allreduce.cc`; torch `ProcessGroupGloo.cpp`).
For a group of n members whose root holds B bytes, the bytes on each hop are
    AllReduce, ReduceScatter   2 (n - 1) / n * B on a ring; PyTorch's ReduceScatter is an AllReduce of which every
                               member keeps its block
    AllGather                  (n - 1) * B on a ring   (B is one shard)
    Reduce                     (n - 1) / n * B on a ring, then B / n from every member to the root
    Broadcast                  B on a binomial tree of ceil(log2(n)) rounds
Hops are counted one by one on the graph of the cluster; of a round of hops the slowest one counts.
Complexity: O(members) hops for each group.
Reference: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", 2005
(binomial trees and rings).

Example: 4 members and 8 bytes. An AllReduce puts 12 bytes on every hop; a Broadcast takes 2 rounds of 8 bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, log2
from typing import assert_never

from p2smt.collective import Collective
from p2smt.cost.network.binomial_tree import binomial_tree
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import LocalWork, PerByte, StepCost, Work, local_cost
from p2smt.cost.network.explicit import counted_loads
from p2smt.cost.network.load import around_seconds, links_seconds
from p2smt.cost.network.pattern import Pattern
from p2smt.cost.network.plan_prices import PlanPrices
from p2smt.cost.network.processing import ProcessorTime, processing
from p2smt.problem.system.link import Link
from p2smt.problem.system.network import Network, System

Hop = tuple[int, int, float]


@dataclass(frozen=True, slots=True)
class GlooWay:
    """Gloo's algorithm for groups of at most `size` members: loads per byte of the root, and processor time."""

    collective: Collective
    size: int
    per_byte: PerByte
    busy: ProcessorTime

    def cost(self, held: float, network: Network) -> StepCost:
        """Return the cost if roots hold `held` bytes before."""
        return StepCost(
            self.per_byte,
            held,
            gloo_turns(self.collective, self.size)[0],
            _memory(self.collective, self.size) * held / network.memory_bandwidth,
            network.launch,
            processors_s=self.busy.processors_s,
            own_s=self.busy.own_s,
        )


@dataclass(frozen=True)
class GlooCost(PlanPrices):
    """Prices steps with gloo: the busiest link's bytes, and the latency of successive messages.

    Raises ProblemError for systems of more than 4096 devices.
    """

    system: System
    _known: dict[tuple[Pattern, Collective], GlooWay] = field(default_factory=dict, compare=False, repr=False)

    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """Return the cost of work that need not be a step of a plan."""
        if isinstance(work, LocalWork) or work.pattern.group_size == 1:
            return local_cost(work, self.system.network)
        key = (work.pattern, work.collective)
        if key not in self._known:
            self._known[key] = gloo_way(self._cluster, self.system, work.collective, work.pattern.device_groups)
        return self._known[key].cost(work.held, self.system.network)

    def in_turn(self, cost: StepCost) -> float:
        """Return the seconds for which a step blocks all others, including its messages, which a processor handles.

        If the processor time of messages is known, the rest of their latency is idle waiting, during which other steps
        proceed.
        """
        return cost.fixed_s if self.system.network.processors is None else cost.launch_s + cost.own_s

    @cached_property
    def _cluster(self) -> ClusterGraph:
        return ClusterGraph(self.system)


def gloo_way(cluster: ClusterGraph, system: System, collective: Collective, groups: Sequence[Sequence[int]]) -> GlooWay:
    """Return gloo's algorithm for a collective in all groups at once, with the hops of a round in the slowest group.

    Groups have at least two members.
    """
    hops = {size: list(gloo_hops(collective, size)) for size in {*map(len, groups)}}
    counted = [(members, [(members[a], members[b], part) for a, b, part in hops[len(members)]]) for members in groups]
    around = max((_around(cluster, collective, members) for members in groups), key=_seconds)
    loads = tuple(replace(load, hops=around.count(load.link)) for load in counted_loads(cluster, system, counted))
    per_byte = PerByte(loads, links_seconds(loads, system.network), around_seconds(loads))
    busy = processing(cluster, system.network.processors, collective, groups)
    return GlooWay(collective, max(map(len, groups)), per_byte, busy)


def _around(cluster: ClusterGraph, collective: Collective, members: Sequence[int]) -> list[Link]:
    """Return the slowest link of every round of a group."""
    units = [cluster.device(member) for member in members]
    _, turns = gloo_turns(collective, len(members))
    joined = ([cluster.joins(units[a], units[b]) for a, b in turn] for turn in turns)
    # Messages of one turn run at once, so its slowest link counts.
    return [max(links, key=lambda link: link.latency) for links in joined]


def _seconds(links: Iterable[Link]) -> float:
    return sum(link.latency for link in links)


def gloo_hops(collective: Collective, size: int) -> Iterator[Hop]:
    """Yield source, target and bytes of each hop, as ranks in a group, per byte that the root holds before."""
    ring = [(place, (place + 1) % size) for place in range(size)]
    match collective:
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER:
            yield from ((a, b, 2 * (size - 1) / size) for a, b in ring)
        case Collective.ALL_GATHER:
            yield from ((a, b, float(size - 1)) for a, b in ring)
        case Collective.REDUCE:
            yield from ((a, b, (size - 1) / size) for a, b in ring)
            # After the ring every member has the sum of one share, which it sends to the root.
            yield from ((place, 0, 1 / size) for place in range(1, size))
        case Collective.BROADCAST:
            yield from ((a, b, 1.0) for a, b in binomial_tree(size))
        case _:
            assert_never(collective)


def gloo_turns(collective: Collective, size: int) -> tuple[float, list[list[tuple[int, int]]]]:
    """Return the number of passes over all hops, and the hops of each round, which run at once.

    The slowest hop of a round counts. A ring has one hop per round, and 2(n-1)/n passes for an AllReduce; a tree has
    one round per level.
    """
    ring = [[(place, (place + 1) % size)] for place in range(size)]
    match collective:
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER:
            return 2 * (size - 1) / size, ring
        case Collective.ALL_GATHER:
            return (size - 1) / size, ring
        case Collective.REDUCE:
            return 1.0, ring
        case Collective.BROADCAST:
            tree = binomial_tree(size)
            return 1.0, [[(a, b) for a, b in tree if b - a == 1 << turn] for turn in range(ceil(log2(size)))]
        case _:
            assert_never(collective)


def _memory(collective: Collective, size: int) -> float:
    """Return the bytes that a device reads and writes per byte that the root holds."""
    match collective:
        case Collective.ALL_REDUCE | Collective.REDUCE | Collective.BROADCAST:
            return 2.0
        case Collective.REDUCE_SCATTER:
            # torch's ReduceScatter on gloo: an AllReduce of a copy, of which a block is copied out.
            return 4.0 + 1 / size
        case Collective.ALL_GATHER:
            # torch's AllGather on gloo: into a buffer of its own, out of which all shards are copied.
            return 1.0 + 3.0 * size
        case _:
            assert_never(collective)
