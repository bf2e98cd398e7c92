"""The time of a step on a network, computed from the bytes on each link."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import prod

from p2smt.collective import Collective
from p2smt.cost.network.applicable import applicable
from p2smt.cost.network.levels import pattern_loads
from p2smt.cost.network.load import LinkLoad, around_seconds, links_seconds
from p2smt.cost.network.pattern import Pattern, pattern_of
from p2smt.cost.network.protocol import NcclProtocol, fastest_protocol
from p2smt.cost.network.switching import with_switch
from p2smt.cost.network.traffic import HopShape, Traffic, carriers, traffic
from p2smt.problem.model import Payload
from p2smt.problem.system.algorithm import Algorithm, Auto, Choice
from p2smt.problem.system.network import Link, Network, System
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, PlanStep


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a collective step: all groups of a pattern run it at once; each root holds `held` bytes before."""

    collective: Collective
    pattern: Pattern
    held: float


@dataclass(frozen=True, slots=True)
class LocalWork:
    """Local work of a device: reading and writing `moved` bytes each."""

    moved: float


def step_work(payload: Payload, step: PlanStep, pattern: Callable[[GroupRule], Pattern]) -> Work | LocalWork:
    """Return the work of a step; groups that hold different amounts all count as the one that holds most.

    `pattern` maps a group rule to the pattern of its groups, as `pattern_of` does for the rules of one plan.
    """
    match step:
        case PermuteStep():
            return LocalWork(payload.bytes / step.portion.parts)
        case CollectiveStep():
            held = payload.bytes / min(portion.parts for portion in step.portions)
            return Work(step.collective, pattern(step.groups), held)


@dataclass(frozen=True)
class PerByte:
    """Link loads of all groups of a pattern, their time, and the latency once around, for one byte per hop."""

    loads: tuple[LinkLoad, ...]
    links_s: float
    around_s: float

    @cached_property
    def bandwidth_bytes(self) -> tuple[tuple[Link, float], ...]:
        """Return each load's link and the bytes that use the link's bandwidth."""
        return tuple((load.link, load.bandwidth_bytes) for load in self.loads)


_NOTHING = PerByte((), 0.0, 0.0)
_MOST_COSTS = 1 << 15
"""The most costs that are cached; the placements of one job ask for the same work again and again."""

_MOST_WAYS = 1 << 13
"""The most algorithms that are cached per system, by pattern and collective."""


@dataclass(frozen=True, slots=True)
class StepCost:
    """The cost of a step, in seconds by cause; each hop carries `hop_bytes`, and latency counts `rounds` times around.

    `launch_s` is the time to launch the call; 0 for local work. `algorithm` is NCCL's algorithm for the call; None for
    local work and for other libraries. `protocol` is None if the system prices a single protocol. `processors_s` is the
    time for which the calls and messages of all devices keep the shared cores busy, `own_s` the time of one core for
    the busiest device; both are 0 if devices have cores of their own.
    """

    per_byte: PerByte
    hop_bytes: float
    rounds: float
    memory_s: float
    launch_s: float = 0.0
    algorithm: Algorithm | None = None
    processors_s: float = 0.0
    own_s: float = 0.0
    protocol: NcclProtocol | None = None

    @property
    def loads(self) -> tuple[LinkLoad, ...]:
        """The bytes that the step puts on every class of links."""
        return tuple(load.times(self.hop_bytes) for load in self.per_byte.loads)

    @property
    def links_s(self) -> float:
        """The time of the links."""
        return self.per_byte.links_s * self.hop_bytes

    @property
    def latency_s(self) -> float:
        """The latency of the hops, which does not depend on the payload."""
        return self.per_byte.around_s * self.rounds

    @property
    def fixed_s(self) -> float:
        """The part of the time that does not depend on the payload, as long as the call keeps its algorithm."""
        return max(self.latency_s + self.launch_s, self.processors_s)

    @property
    def cores_s(self) -> float:
        """The time of shared cores beyond latency and launch; their work overlaps with both."""
        return self.fixed_s - (self.latency_s + self.launch_s)

    @property
    def bytes_s(self) -> float:
        """The part of the time that grows with the payload, as long as the call keeps its algorithm."""
        return self.links_s + self.memory_s

    @property
    def seconds(self) -> float:
        """The total time: links, memory, and the fixed part.

        Links and memory add up, because they alternate with every chunk; latency and launch count once.
        """
        return self.links_s + self.fixed_s + self.memory_s


def local_cost(work: Work | LocalWork, network: Network) -> StepCost:
    """Return the cost of local work; a group of one device does nothing."""
    moved = work.moved if isinstance(work, LocalWork) else 0.0
    return StepCost(_NOTHING, 0.0, 0.0, 2 * moved / network.memory_bandwidth)


def cheapest(options: Iterable[StepCost]) -> StepCost:
    """Return the option with the least time, the first of equal ones."""
    return min(options, key=lambda option: option.seconds)


class PlanPrices(ABC):
    """Base class of cost models, which prices plans and steps by their work, for any backend and system."""

    system: System

    @abstractmethod
    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """Return the cost of work that need not be a step of a plan."""

    def in_turn(self, cost: StepCost) -> float:
        """Return the seconds for which a step blocks all others: one thread launches all calls."""
        return cost.launch_s

    def plan_seconds(self, plan: Plan) -> float:
        """Return the seconds of a plan: the sum of its steps, or the time of its pipeline if it has chunks."""
        if plan.chunks > 1:
            from p2smt.cost.pipelining import Pipelines

            return Pipelines(self).pipeline(plan).seconds
        return sum(self.step_cost(plan, step).seconds for step in plan.steps)

    def step_cost(self, plan: Plan, step: PlanStep) -> StepCost:
        """Return the cost of a step of a plan, by cause; all groups count as the one that holds most."""
        return self.work_cost(step_work(plan.payload, step, lambda rule: pattern_of(plan, rule)))


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
