"""Reduction programs over all devices of a system: the fastest short program for a collective of a given size.

A program's time for n bytes is the sum over its steps of
    max(step cost of (bytes per byte of the tensor) * n, busiest device's seconds per byte * n),
so the works of all programs are made once, for one byte, and scaled. The cheapest program depends on n, because steps
have latencies.
Complexity: synthesis once for each collective, then O(different steps) prices for each size.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022.

Example: an all-reduce over 2 machines of 8 GPUs. For many bytes the fastest is ReduceScatter inside, AllReduce across,
AllGather inside: the network carries an eighth of what a single call would send.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from p2smt.collective import Collective
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Backend, Nccl, cost_of
from p2smt.cost.network.cost import LocalWork, Work, step_work
from p2smt.cost.network.gloo import gloo_hops
from p2smt.cost.network.pattern import pattern_of
from p2smt.errors import ProblemError
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.network import System
from p2smt.reduction.plan.holdings import Amounts
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, Plan, PlanStep
from p2smt.reduction.plan.rank_holdings import rank_holdings
from p2smt.reduction.synth.session import Synthesizer

MOST_STEPS = 3
"""The most steps of a program: for example reduce inside a machine, across machines, gather inside."""
MOST_DEVICES = 1024
"""The most devices for which programs are searched; chunk ownership is stored per device."""

_ONE = Payload(1, "float32")
"""A payload of one byte; costs are scaled by the bytes of the whole tensor."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A step's work per byte of the tensor, and the seconds per byte for which the busiest device carries data."""

    work: Work | LocalWork
    carrying: float


class LevelPrograms:
    """Programs of at most `MOST_STEPS` steps, synthesised for each collective on first use; prices are cached.

    `carrying` has each device's seconds per byte sent and received; empty if devices do not carry the bytes.
    `library` is True if a ReduceScatter in a program is the library's call. Otherwise it is an all-to-all followed by
    local sums, because gloo's ReduceScatter is an AllReduce; machines of different sizes also use the library's,
    because an all-to-all in groups has no price there. Raises ProblemError for a system with measured rates of whole
    collectives, and for too many devices.
    """

    def __init__(self, system: System, backend: Backend, carrying: Sequence[Fraction] = ()) -> None:
        if system.profile is not None:
            raise ProblemError(
                f"{system.name or 'the system'} has times of whole collectives, but not of the steps of "
                "programs; leave --programs out"
            )
        if not 2 <= system.devices <= MOST_DEVICES:
            raise ProblemError(
                f"--programs support 2 to {MOST_DEVICES} devices, but the system has {system.devices}; "
                "leave --programs out"
            )
        self.library = isinstance(backend, Nccl) or system.is_uneven
        self._system = system
        self._cost = cost_of(system, backend)
        self._carrying = tuple(map(float, carrying))
        self._synthesizer = Synthesizer()
        self._programs: dict[Collective, list[tuple[Plan, tuple[_Step, ...]]]] = {}
        self._fastest: dict[tuple[Collective, int], tuple[float, Plan] | None] = {}

    def fastest(self, goal: Collective, count: int) -> tuple[float, Plan] | None:
        """Return seconds and plan of the fastest program for a tensor of `count` bytes; None if there is none."""
        if goal not in self._programs:
            self._programs[goal] = [(plan, tuple(self._steps(plan))) for plan in self.plans(goal)]
        if (goal, count) not in self._fastest:
            known: dict[_Step, float] = {}
            for _, steps in self._programs[goal]:
                known.update((step, self._seconds(step, count)) for step in steps if step not in known)
            priced = [(sum(map(known.__getitem__, steps)), plan) for plan, steps in self._programs[goal]]
            self._fastest[goal, count] = min(priced, key=lambda each: each[0], default=None)
        return self._fastest[goal, count]

    def plans(self, goal: Collective) -> tuple[Plan, ...]:
        """Return the plans of all programs with more than one call, for the only placement of one axis."""
        axis, search = Axis("ranks", self._system.devices), Search(limit=MOST_STEPS)
        problem = build_problem(self._system, [axis], [0], _ONE_NUMBER, search, goal)
        (placed,) = self._synthesizer.synthesize(problem).placements
        lowering = Lowering(problem, placed.matrix)
        return tuple(lowering.plan(program) for program in placed.programs if len(program) > 1)

    def _steps(self, plan: Plan) -> Iterator[_Step]:
        for step, before in zip(plan.steps, rank_holdings(plan), strict=False):
            work = step_work(_ONE, step, lambda rule: pattern_of(plan, rule))
            yield _Step(work, self._carried(plan, step, before) if self._carrying else 0.0)

    def _seconds(self, step: _Step, count: int) -> float:
        carrying = step.carrying * count
        match step.work:
            case LocalWork(moved):
                return self._cost.work_cost(LocalWork(moved * count)).seconds
            case Work(collective, pattern, held) if collective.scatters and not self.library:
                return max(all_to_all_cost(pattern, held * count, self._system).seconds, carrying)
            case Work(collective, pattern, held):
                return max(self._cost.work_cost(Work(collective, pattern, held * count)).seconds, carrying)

    def _carried(self, plan: Plan, step: PlanStep, before: Amounts) -> float:
        """Return the busiest device's seconds per byte of the tensor; bytes sent and received are averaged."""
        if not isinstance(step, CollectiveStep):
            return 0.0
        busiest = 0.0
        for members in plan.groups(step.groups):
            held = (before[members[0]] or 0) / plan.multiple
            moved = self._moved(step.collective, len(members))
            each = (bytes_ * self._carrying[member] for bytes_, member in zip(moved, members, strict=True))
            busiest = max(busiest, held * max(each))
        return busiest

    def _moved(self, collective: Collective, size: int) -> list[float]:
        """Return each rank's mean of bytes sent and received, per byte that the group's root holds before the call."""
        if collective.scatters and not self.library:
            return [(size - 1) / size] * size
        moved = [0.0] * size
        for sender, receiver, part in gloo_hops(collective, size):
            moved[sender] += part / 2
            moved[receiver] += part / 2
        return moved


_ONE_NUMBER = Payload(4, "float32")
"""A payload of one float32; the steps found are the same for all payloads."""
