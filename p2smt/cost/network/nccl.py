"""Prices of steps with NCCL on a system of equal units, from the bytes on each link.

    cost(collective, pattern, held) = min over algorithms and protocols of  fixed + held * per byte,
a latency and a time per byte (Hockney, "The communication challenge for MPP", 1994), here with one load for each link;
`cost.py` has the formula. What does not depend on the bytes is worked out once for each pattern of groups and
algorithm, and kept (memoisation), because the placements of one job ask for the same work again and again.
Complexity: O(algorithms x protocols) for a known pattern; `levels.py` for a new one. Caches are emptied when full.

Example: an AllReduce of 8 GPUs is priced as a ring and as a tree. Few bytes take the tree, which has fewer rounds; many
bytes the ring, which loads links less.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import prod

from p2smt.collective import Collective
from p2smt.cost.network.applicable import applicable
from p2smt.cost.network.cost import LocalWork, PerByte, StepCost, Work, cheapest, local_cost
from p2smt.cost.network.levels import pattern_loads
from p2smt.cost.network.load import around_seconds, links_seconds
from p2smt.cost.network.pattern import Pattern
from p2smt.cost.network.plan_prices import PlanPrices
from p2smt.cost.network.protocol import fastest_protocol
from p2smt.cost.network.switching import with_switch
from p2smt.cost.network.traffic import HopShape, Traffic, carriers, traffic
from p2smt.problem.system.algorithm import Algorithm, Auto, Choice
from p2smt.problem.system.network import Network, System

_MOST_COSTS = 1 << 15
"""The most costs that are cached; the placements of one job ask for the same work again and again."""

_MOST_WAYS = 1 << 13
"""The most algorithms that are cached per system, by pattern and collective."""


@dataclass(frozen=True, slots=True)
class _Way:
    """An algorithm for a collective among the groups of a pattern, per byte that a root holds before."""

    per_byte: PerByte
    moved: Traffic
    algorithm: Algorithm

    def cost(self, held: float, network: Network) -> StepCost:
        """Return the cost if roots hold `held` bytes before."""
        moved, memory = self.moved, self.moved.memory * held / network.memory_bandwidth
        return StepCost(self.per_byte, moved.per_hop * held, moved.rounds, memory, network.launch, self.algorithm)


class _PatternCosts:
    """A cache of algorithms for patterns on one system, shared by the cost models of all problems on it."""

    def __init__(self) -> None:
        self.per_byte: dict[tuple[Pattern, HopShape, Algorithm], PerByte] = {}
        self.ways: dict[tuple[Pattern, Collective], tuple[_Way, ...]] = {}

    def make_room(self) -> None:
        """Empty the cache when it is full; entries are recomputed on demand."""
        if len(self.ways) >= _MOST_WAYS:
            self.ways.clear()
            self.per_byte.clear()


@lru_cache(maxsize=8)
def _known_of(system: System, algorithm: Choice) -> _PatternCosts:
    return _PatternCosts()


@dataclass(frozen=True)
class NetworkCost(PlanPrices):
    """Prices steps on one system with NCCL.

    Links count the bytes at their busiest place divided by the bandwidth, combined by `links_seconds`. Added to this
    are the latency of the hops around and the device memory, from which every collective reads its input and to which
    it writes its output. All groups of a step run at once, so the step ends when the last group ends. If NCCL chooses
    the algorithm, the cheapest one is used for each call; a ring if equal.
    """

    system: System
    algorithm: Choice = Auto.AUTO
    _costs: dict[Work | LocalWork, StepCost] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _known(self) -> _PatternCosts:
        return _known_of(self.system, self.algorithm)

    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """Return the cost of work that need not be a step of a plan, such as a measured collective."""
        cost = self._costs.get(work)
        if cost is None:
            # All at once: keeping the order of use would cost more than working prices out again now and then.
            if len(self._costs) >= _MOST_COSTS:
                self._costs.clear()
            cost = self._costs[work] = self._cost(work)
        return cost

    def _cost(self, work: Work | LocalWork) -> StepCost:
        if isinstance(work, LocalWork) or work.pattern.group_size == 1:
            return local_cost(work, self.system.network)
        key = (work.pattern, work.collective)
        ways = self._known.ways.get(key)
        if ways is None:
            self._known.make_room()
            ways = self._known.ways[key] = tuple(self._carried(*key))
        costs = [fastest_protocol(way.cost(work.held, self.system.network), self.system) for way in ways]
        return costs[0] if len(costs) == 1 else cheapest(costs)

    def _carried(self, pattern: Pattern, collective: Collective) -> Iterator[_Way]:
        machines = prod(pattern.members[: self.system.machine + 1])
        able = applicable(self.system, pattern.members)
        for algorithm in carriers(collective, self.algorithm, machines, able):
            moved = traffic(collective, algorithm, pattern.group_size)
            yield _Way(self._per_byte(pattern, moved.shape, algorithm), moved, algorithm)

    def _per_byte(self, pattern: Pattern, shape: HopShape, algorithm: Algorithm) -> PerByte:
        key = (pattern, shape, algorithm)
        known = self._known.per_byte.get(key)
        if known is None:
            loads = pattern_loads(pattern, self.system, shape)
            loads = with_switch(loads, algorithm, self.system, [(pattern.members[-1], 1.0)])
            known = PerByte(loads, links_seconds(loads, self.system.network), around_seconds(loads))
            self._known.per_byte[key] = known
        return known
