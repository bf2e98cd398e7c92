"""The time of a step on a network: bytes per link first, time from them."""

from dataclasses import dataclass, field

from p2smt.cost.algorithm import Algorithm, Shape, traffic
from p2smt.cost.levels import pattern_loads
from p2smt.cost.load import LinkLoad, around_seconds, links_seconds
from p2smt.cost.pattern import Pattern, pattern_of
from p2smt.plan.model import CollectiveStep, PermuteStep, Plan, PlanStep
from p2smt.problem.network import System
from p2smt.program.collective import Collective


@dataclass(frozen=True, slots=True)
class Work:
    """What a step asks for: a collective among all groups of a pattern, whose roots hold `held` bytes before."""

    collective: Collective
    pattern: Pattern
    held: float


@dataclass(frozen=True, slots=True)
class LocalWork:
    """What a device does alone: `moved` bytes read and as many written."""

    moved: float


def step_work(plan: Plan, step: PlanStep) -> Work | LocalWork:
    """The work of a step; where groups hold different amounts, all count as the one that holds most."""
    match step:
        case PermuteStep():
            return LocalWork(plan.payload.bytes / step.portion.parts)
        case CollectiveStep():
            held = plan.payload.bytes / min(portion.parts for portion in step.portions)
            return Work(step.collective, pattern_of(plan, step.groups), held)


@dataclass(frozen=True, slots=True)
class StepCost:
    """The bytes that a step puts on every class of links, and its time in seconds by cause.

    Latency is paid for `rounds` times the hops of every link.
    """

    loads: tuple[LinkLoad, ...]
    rounds: float
    links_s: float
    latency_s: float
    memory_s: float

    @property
    def seconds(self) -> float:
        """All causes together: links and memory take turns with every chunk, latency is paid once."""
        return self.links_s + self.latency_s + self.memory_s


@dataclass(frozen=True)
class NetworkCost:
    """Prices steps on one system.

    Per link the bytes of its busiest place over its bandwidth; `links_seconds` over all links; the latency of
    the hops around; and the device's memory, through which every collective reads its input and writes its
    output. All groups of a step work at once, so a step ends when the last group ends.
    """

    system: System
    algorithm: Algorithm = Algorithm.RING
    _known: dict[tuple[Pattern, Shape], tuple[LinkLoad, ...]] = field(default_factory=dict, compare=False, repr=False)

    def plan_seconds(self, plan: Plan) -> float:
        """Seconds that a plan takes: its steps one after the other."""
        return sum(self.step_cost(plan, step).seconds for step in plan.steps)

    def step_cost(self, plan: Plan, step: PlanStep) -> StepCost:
        """What a step puts on the links, and its time by cause."""
        return self.work_cost(step_work(plan, step))

    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """The same for work that is no step of a plan, such as a measured collective."""
        network = self.system.network
        if isinstance(work, LocalWork):
            return StepCost((), 0.0, 0.0, 0.0, 2 * work.moved / network.memory_bandwidth)
        size = work.pattern.group_size
        if size == 1:
            return StepCost((), 0.0, 0.0, 0.0, 0.0)
        moved = traffic(work.collective, self.algorithm, size)
        per_byte = self._loads(work.pattern, moved.shape)
        loads = tuple(load.times(moved.per_hop * work.held) for load in per_byte)
        return StepCost(
            loads,
            moved.rounds,
            links_seconds(loads, network),
            moved.rounds * around_seconds(loads),
            moved.memory * work.held / network.memory_bandwidth,
        )

    def _loads(self, pattern: Pattern, shape: Shape) -> tuple[LinkLoad, ...]:
        key = (pattern, shape)
        if key not in self._known:
            self._known[key] = pattern_loads(pattern, self.system, shape)
        return self._known[key]
