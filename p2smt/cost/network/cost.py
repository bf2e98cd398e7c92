"""The time of a step on a network, computed from the bytes on each link.

A step with B bytes on the root of every group takes
    seconds = links + memory + max(latency + launch, processors),
    links   = max over link classes of load / bandwidth, plus (1 - overlap) * those of the other classes,
    latency = rounds * (sum over link classes of hops * latency of a hop),
which is the usual model of a latency and a time per byte (Hockney, "The communication challenge for MPP", 1994), with
one term for each link instead of one for the machine. If NCCL may choose, the least of its algorithms counts.
Complexity: a pattern is worked out once for each algorithm (`levels.py`), and costs O(links) for each payload.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

from p2smt.collective import Collective
from p2smt.cost.network.load import LinkLoad
from p2smt.cost.network.pattern import Pattern
from p2smt.problem.model import Payload
from p2smt.problem.system.algorithm import Algorithm, NcclProtocol
from p2smt.problem.system.link import Link
from p2smt.problem.system.network import Network, System
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


@runtime_checkable
class Cost(Protocol):
    """A cost model of steps and plans on one system, in seconds."""

    @property
    def system(self) -> System:
        """The system."""

    def plan_seconds(self, plan: Plan) -> float:
        """Return the predicted seconds of a plan."""

    def step_cost(self, plan: Plan, step: PlanStep) -> StepCost:
        """Return the cost of a step of a plan, by cause."""

    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """Return the cost of work that need not be a step of a plan."""

    def in_turn(self, cost: StepCost) -> float:
        """Return the seconds of a step during which no concurrent step makes progress."""
