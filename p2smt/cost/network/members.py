"""Collectives of one arbitrary group of devices, such as a whole cluster whose machines have different sizes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from p2smt.collective import Collective
from p2smt.cost.network.backend import Backend, Gloo, Nccl
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import PerByte, StepCost, cheapest
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.gloo import GlooCost, GlooWay, gloo_way
from p2smt.cost.network.load import around_seconds, links_seconds
from p2smt.cost.network.members_exchange import exchange_loads
from p2smt.cost.network.protocol import fastest_protocol
from p2smt.cost.network.switching import members_of, with_switch
from p2smt.cost.network.traffic import HopShape, carriers, traffic
from p2smt.cost.network.unlike import able_groups
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.network import System


@dataclass(frozen=True)
class MembersCost:
    """Prices calls among `members`: device numbers in rank order, the root first, at least two.

    Hops are counted one by one on the graph of the cluster. Raises ProblemError for systems of more than 4096 devices.
    """

    system: System
    backend: Backend
    members: Sequence[int]
    _known: dict[tuple[HopShape, Algorithm], PerByte] = field(default_factory=dict, compare=False, repr=False)
    _ways: dict[Collective, GlooWay] = field(default_factory=dict, compare=False, repr=False)

    def one_more(self, collective: Collective) -> float:
        """Return the fixed seconds of one more call in a group of calls; gloo makes calls one after the other."""
        match self.backend:
            case Nccl():
                return self.system.network.launch
            case Gloo():
                return GlooCost(self.system).in_turn(self._way(collective).cost(0.0, self.system.network))
            case _:
                assert_never(self.backend)

    def collective(self, collective: Collective, held: float) -> float:
        """Return the seconds of a collective whose root holds `held` bytes before."""
        match self.backend:
            case Nccl(algorithm):
                machines = len({self._cluster.device(member)[: self.system.machine + 1] for member in self.members})
                able = able_groups(self._cluster, self.system, [self.members])
                options = carriers(collective, algorithm, machines, able)
                return cheapest(self._carried(collective, option, held) for option in options).seconds
            case Gloo():
                return self._way(collective).cost(held, self.system.network).seconds
            case _:
                assert_never(self.backend)

    def exchange(self, held: float) -> float:
        """Return the seconds of an all-to-all in which every device holds `held` bytes before and after."""
        size, network = len(self.members), self.system.network
        memory = 2 * held / network.memory_bandwidth
        return StepCost(self._exchanged, held / size, 1.0, memory, network.exchange_launch).seconds

    def _way(self, collective: Collective) -> GlooWay:
        if collective not in self._ways:
            self._ways[collective] = gloo_way(self._cluster, self.system, collective, [self.members])
        return self._ways[collective]

    def _carried(self, collective: Collective, algorithm: Algorithm, held: float) -> StepCost:
        moved, network = traffic(collective, algorithm, len(self.members)), self.system.network
        key = (moved.shape, algorithm)
        if key not in self._known:
            loads = explicit_loads(self._cluster, self.system, [(self.members, 1.0)], moved.shape)
            inside = members_of([*map(self._cluster.device, self.members)])[-1]
            loads = with_switch(loads, algorithm, self.system, [(inside, 1.0)])
            self._known[key] = PerByte(loads, links_seconds(loads, network), around_seconds(loads))
        memory = moved.memory * held / network.memory_bandwidth
        cost = StepCost(self._known[key], moved.per_hop * held, moved.rounds, memory, network.launch, algorithm)
        return fastest_protocol(cost, self.system)

    @cached_property
    def _cluster(self) -> ClusterGraph:
        return ClusterGraph(self.system)

    @cached_property
    def _exchanged(self) -> PerByte:
        loads = exchange_loads(self._cluster, self.system, self.members)
        return PerByte(loads, links_seconds(loads, self.system.network), around_seconds(loads))
