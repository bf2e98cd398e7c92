"""The time of a step on a network: bytes per link first, time from them."""

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
    """A step's request: a collective among all groups of a pattern, whose roots hold `held` bytes before."""

    collective: Collective
    pattern: Pattern
    held: float


@dataclass(frozen=True, slots=True)
class LocalWork:
    """Work that a device does alone: `moved` bytes read and as many written."""

    moved: float


def step_work(payload: Payload, step: PlanStep, pattern: Callable[[GroupRule], Pattern]) -> Work | LocalWork:
    """The work of a step; where groups hold different amounts, all count as the one that holds most.

    `pattern` gives the pattern of a rule's groups, as `pattern_of` does for the rules of one plan.
    """
    match step:
        case PermuteStep():
            return LocalWork(payload.bytes / step.portion.parts)
        case CollectiveStep():
            held = payload.bytes / min(portion.parts for portion in step.portions)
            return Work(step.collective, pattern(step.groups), held)


@dataclass(frozen=True)
class PerByte:
    """The loads of all groups of a pattern, their time and the latency once around, per byte of one hop."""

    loads: tuple[LinkLoad, ...]
    links_s: float
    around_s: float

    @cached_property
    def bandwidth_bytes(self) -> tuple[tuple[Link, float], ...]:
        """Per load its link, and the bytes that take the link's bandwidth."""
        return tuple((load.link, load.bandwidth_bytes) for load in self.loads)


_NOTHING = PerByte((), 0.0, 0.0)
_MOST_COSTS = 1 << 15
"""Works whose costs are kept: placements of one job ask for the same ones again and again."""

_MOST_WAYS = 1 << 13
"""Patterns and collectives of one system of which it is kept how they are carried."""


@dataclass(frozen=True, slots=True)
class StepCost:
    """The cost of a step, in seconds by cause; every hop carries `hop_bytes`, `rounds` times around pay latency.

    `launch_s` is what it takes to begin; nothing for what a device does alone. `algorithm` is what NCCL carries the
    call with; None for what a device does alone, and for other libraries; `protocol` is None where the system prices
    one alone. `processors_s` is for how long the calls and
    messages of all devices keep the cores busy that they share, `own_s` one core those of the device that has most;
    nothing where devices have cores of their own.
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
        """Time of the links."""
        return self.per_byte.links_s * self.hop_bytes

    @property
    def latency_s(self) -> float:
        """Latency of the hops, which does not depend on the payload."""
        return self.per_byte.around_s * self.rounds

    @property
    def fixed_s(self) -> float:
        """The part that does not depend on the payload, as long as the same algorithm carries the call."""
        return max(self.latency_s + self.launch_s, self.processors_s)

    @property
    def cores_s(self) -> float:
        """The time of shared processors beyond latency and launch, in which their work is done."""
        return self.fixed_s - (self.latency_s + self.launch_s)

    @property
    def bytes_s(self) -> float:
        """The part that grows with the payload, as long as the same algorithm carries the call."""
        return self.links_s + self.memory_s

    @property
    def seconds(self) -> float:
        """All causes together: links and memory take turns with every chunk, latency and launch are paid once."""
        return self.links_s + self.fixed_s + self.memory_s


def local_cost(work: Work | LocalWork, network: Network) -> StepCost:
    """The cost of work that a device does alone; a group of one device does nothing."""
    moved = work.moved if isinstance(work, LocalWork) else 0.0
    return StepCost(_NOTHING, 0.0, 0.0, 2 * moved / network.memory_bandwidth)


def cheapest(options: Iterable[StepCost]) -> StepCost:
    """The first of those that take least."""
    return min(options, key=lambda option: option.seconds)


class PlanPrices(ABC):
    """Prices plans and their steps by the work that they are, whatever carries it on whatever system."""

    system: System

    @abstractmethod
    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """The cost of some work, which need not be a step of a plan."""

    def in_turn(self, cost: StepCost) -> float:
        """Seconds of a step during which no other one gets on: its call is begun by the thread that begins all."""
        return cost.launch_s

    def plan_seconds(self, plan: Plan) -> float:
        """Seconds that a plan takes: its steps one after the other, or in chunks at once."""
        if plan.chunks > 1:
            from p2smt.cost.pipelining import Pipelines

            return Pipelines(self).pipeline(plan).seconds
        return sum(self.step_cost(plan, step).seconds for step in plan.steps)

    def step_cost(self, plan: Plan, step: PlanStep) -> StepCost:
        """The cost of a step of a plan by cause; all groups count as the one that holds most."""
        return self.work_cost(step_work(plan.payload, step, lambda rule: pattern_of(plan, rule)))


@dataclass(frozen=True, slots=True)
class _Way:
    """An algorithm for a collective among the groups of a pattern, per byte that a root holds before."""

    per_byte: PerByte
    moved: Traffic
    algorithm: Algorithm

    def cost(self, held: float, network: Network) -> StepCost:
        """The same for roots that hold so many bytes."""
        moved, memory = self.moved, self.moved.memory * held / network.memory_bandwidth
        return StepCost(self.per_byte, moved.per_hop * held, moved.rounds, memory, network.launch, self.algorithm)


class _PatternCosts:
    """A cache of algorithms for patterns on one system, shared by the cost models of all problems on it."""

    def __init__(self) -> None:
        self.per_byte: dict[tuple[Pattern, HopShape, Algorithm], PerByte] = {}
        self.ways: dict[tuple[Pattern, Collective], tuple[_Way, ...]] = {}

    def make_room(self) -> None:
        """Forget everything where too much is known: it is worked out again where it is asked for."""
        if len(self.ways) >= _MOST_WAYS:
            self.ways.clear()
            self.per_byte.clear()


@lru_cache(maxsize=8)
def _known_of(system: System, algorithm: Choice) -> _PatternCosts:
    return _PatternCosts()


@dataclass(frozen=True)
class NetworkCost(PlanPrices):
    """Prices steps on one system.

    Per link the bytes of its busiest place over its bandwidth; `links_seconds` over all links; the latency of
    the hops around; and the device's memory, through which every collective reads its input and writes its
    output. All groups of a step work at once, so a step ends when the last group ends. Where NCCL chooses, a call
    takes the algorithm that is cheaper for it; of equally cheap ones a ring.
    """

    system: System
    algorithm: Choice = Auto.AUTO
    _costs: dict[Work | LocalWork, StepCost] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _known(self) -> _PatternCosts:
        return _known_of(self.system, self.algorithm)

    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """The cost of some work that need not be a step of a plan, such as a measured collective."""
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
