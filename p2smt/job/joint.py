"""Optimise a distributed program's schedule, placement and reduction programs together.

First, the collectives of the unscheduled program are placed. On that placement, schedules are searched, with
every collective implemented by its fastest program. Then the fastest schedules and the unscheduled program are
priced on every placement.

Coordinate descent, one round, with s a schedule, p a placement and r reduction programs:
    p0 = argmin over p of  time(unscheduled, p, best r),
    S  = the fastest schedules on p0, each collective with its fastest program,
    answer = argmin over s in S and all p of  time(s, p, best r).
The answer is never slower than the unscheduled program on its best placement. It need not be the best of all, because
a schedule that is slow on p0 may be fast elsewhere.
Complexity: one search of placements for each of `PLACED` + 1 schedules, and one search of schedules.
Reference: Wright, "Coordinate descent algorithms", 2015.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2smt.cost.network.backend import cost_of
from p2smt.errors import ProblemError
from p2smt.job.carrier import JobContext, ProgramCarrier
from p2smt.job.infeasible import Infeasible
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.optimize import Optimum, Progress, Unfinished, optimize
from p2smt.job.schedules import machine_of
from p2smt.job.sharded import has_collectives, sharded_workload
from p2smt.job.tuning_options import TuningOptions, most_schedules
from p2smt.job.without_collectives import WithoutCollectives, scheduled_alone
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import ProgramCondition
from p2smt.problem.model import Search
from p2smt.problem.system.network import System
from p2smt.schedule.cost.estimate import Estimate, estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.tuner.result import PricedSchedule, TuningResult
from p2smt.schedule.tuner.search import tune
from p2smt.smt.answer import Stop
from p2smt.tensor.footprint import footprint
from p2smt.tensor.program import Program

PLACED = 3
"""Number of fastest schedules that are placed, besides the unscheduled program."""
SEARCHING = 0.5
"""Fraction of the time limit, if any, that the search for schedules may use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedSchedule:
    """A schedule on a placement with the estimated time of a step: computing and exposed communication.

    `optimum` holds all placements of the schedule's collectives.
    """

    priced: PricedSchedule
    placement: PlacementTime
    estimate: Estimate
    optimum: Optimum

    @property
    def matrix(self) -> ParallelismMatrix:
        """The placement of the axes."""
        return self.placement.matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """Schedules on all their placements, fastest first, including the unscheduled program.

    `tuned` is the schedule search on placement `searched_on`; None if it was skipped for the reason `why_not`.
    `unplaced` lists schedules whose collectives could not be placed, with the reason.
    """

    placed: tuple[PlacedSchedule, ...]
    untouched: PlacedSchedule
    tuned: TuningResult | None
    searched_on: ParallelismMatrix
    why_not: str = ""
    unplaced: tuple[tuple[PricedSchedule, str], ...] = ()
    programs: Stop = Stop.EXHAUSTED

    @property
    def best(self) -> PlacedSchedule:
        """The fastest schedule; ties prefer the unscheduled program, then fewer steps."""
        return self.placed[0]

    @property
    def complete(self) -> bool:
        """True if no search ended early."""
        ended = all(each.optimum.proved for each in self.placed) and self.programs is Stop.EXHAUSTED
        return ended and not self.unplaced and (self.tuned is None or not self.tuned.cut_off)


def joint(
    program: Program,
    system: System,
    conditions: Sequence[str],
    search: Search,
    asked: TuningOptions,
    on_progress: Progress | None = None,
    on_schedules: Callable[[int], None] | None = None,
) -> Joint | WithoutCollectives | Infeasible | Unfinished:
    """Schedule and place a distributed program.

    If the unscheduled program cannot be placed, the result is that of `optimize`. Raises ProblemError as
    `sharded_workload`, and for conditions on a program without collectives.
    """
    if program.is_distributed and not has_collectives(program):
        if conditions:
            way_out = f"drop --condition {conditions[0][:80]!r}"
            raise ProblemError(
                f"program {program.name} has no collectives, so all placements are equally fast; {way_out}"
            )
        return scheduled_alone(program, machine_of(system, program, asked.backend), asked, on_schedules)
    cost = cost_of(system, asked.backend)
    workload = sharded_workload(program, system, conditions, search)
    first = optimize(workload, cost, asked.deadline, on_progress)
    if not isinstance(first, Optimum):
        return first
    found = JobContext(workload, cost, asked.deadline)
    run = _Joint(found, asked, first.best.matrix, conditions, machine_of(system, program, asked.backend))
    plain = ScheduledProgram(program)
    why_not = _why_not(program, workload.conditions, asked)
    # On another placement a schedule may take less than the bound of this one.
    rival = asked.rival if len(first.placements) == 1 else None
    tuned = None if why_not else run.tuned(program, on_schedules, rival)
    untouched = PricedSchedule(schedule=(), scheduled=plain, estimate=run.estimate(plain, first.best.matrix))
    candidates = [] if tuned is None else [each for each in tuned.found if each.schedule][:PLACED]
    placed = [*run.placed(untouched, first)]
    own = placed[0]
    unplaced = list[tuple[PricedSchedule, str]]()
    for each in candidates:
        other = run.optimum(each.scheduled.program)
        if isinstance(other, Optimum):
            placed += run.placed(each, other)
        else:
            unplaced.append((each, other))
    ordered = sorted(placed, key=_order)
    return Joint(
        placed=tuple(ordered),
        untouched=own,
        tuned=tuned,
        searched_on=first.best.matrix,
        why_not=why_not,
        unplaced=tuple(unplaced),
        programs=run.ended,
    )


def _order(placed: PlacedSchedule) -> tuple[float, int]:
    """Return the sort key: time rounded to ten digits, so that rounding errors decide nothing, then number of steps."""
    return float(f"{placed.estimate.seconds:.9e}"), len(placed.priced.schedule)


def _why_not(program: Program, conditions: Sequence[object], asked: TuningOptions) -> str:
    """Return the reason why no schedules are searched; empty if they are."""
    if asked.depth == 0:
        return "no moves were asked for (--depth 0)"
    if any(isinstance(each, ProgramCondition) for each in conditions):
        return "a condition limits communicators, which schedules do not count"
    return ""


class _Joint:
    def __init__(
        self,
        found: JobContext,
        asked: TuningOptions,
        matrix: ParallelismMatrix,
        conditions: Sequence[str],
        machine: Machine,
    ) -> None:
        self._found = found
        self._machine = machine
        self._asked = asked
        self._matrix = matrix
        self._conditions = conditions
        self._machines: dict[ParallelismMatrix, tuple[Machine, ProgramCarrier]] = {}

    def tuned(self, program: Program, on_progress: Callable[[int], None] | None, rival: float | None) -> TuningResult:
        """Return the schedules of a program, on the placement best for the unscheduled one."""
        most = most_schedules(program)
        now = time.monotonic()
        deadline = None if self._asked.deadline is None else now + (SEARCHING * (self._asked.deadline - now))
        return tune(
            program,
            self._on(self._matrix),
            self._asked.depth,
            most,
            PLACED + 1,
            on_progress,
            deadline=deadline,
            programs=False,
            rival=rival,
        )

    def optimum(self, program: Program) -> Optimum | str:
        """Return the placements of a schedule's collectives, or the reason why there are none."""
        job = self._found.workload
        try:
            workload = sharded_workload(program, job.system, self._conditions, job.search)
        except ProblemError as cause:
            return str(cause)
        result = optimize(workload, self._found.cost, self._asked.deadline, synthesizer=self._found.synthesizer)
        match result:
            case Optimum():
                return result
            case Infeasible():
                return "nothing keeps all conditions"
            case Unfinished(stop, reason):
                return f"stopped ({stop}){f': {reason}' if reason else ''}"

    def placed(self, priced: PricedSchedule, optimum: Optimum) -> list[PlacedSchedule]:
        """Return a schedule on all placements of its collectives, fastest first."""
        values = footprint(priced.scheduled.program)
        found = [
            PlacedSchedule(
                priced=priced,
                placement=each,
                estimate=estimate(
                    priced.scheduled,
                    self._on(each.matrix),
                    Pricer(priced.scheduled, self._on(each.matrix), values),
                ),
                optimum=optimum,
            )
            for each in optimum.placements
        ]
        return sorted(found, key=lambda each: each.estimate.seconds)

    def estimate(self, scheduled: ScheduledProgram, matrix: ParallelismMatrix) -> Estimate:
        """Return the time of a scheduled program on a placement."""
        return estimate(scheduled, self._on(matrix))

    @property
    def ended(self) -> Stop:
        """The reason why the search for programs ended."""
        stops = [carrier.ended for _, carrier in self._machines.values()]
        return next((stop for stop in stops if stop is not Stop.EXHAUSTED), Stop.EXHAUSTED)

    def _on(self, matrix: ParallelismMatrix) -> Machine:
        if matrix not in self._machines:
            carrier = ProgramCarrier(self._found, matrix)
            machine = replace(self._machine, cost=self._found.cost, placement=matrix, carrier=carrier)
            self._machines[matrix] = machine, carrier
        return self._machines[matrix][0]
