"""Find the placement with the least communication time of a training step, exhaustively or with a bound if stopped.

Every placement that satisfies the conditions is priced, with the best program for each reduction
(`job_pricer.py`). Prices of steps, programs and patterns are cached, so that each further placement takes
milliseconds. If all placements were priced, the best is optimal. If the search is stopped, the least lower
bound of the remaining placements (`floors.py`, which needs no programs) bounds every placement, and
`Optimum.gap` is the largest possible saving.

    best = min over placements p of  sum over reductions r of  min over programs of  time(r, p),
    gap  = best - min(best, least bound of the placements that were not priced).

Complexity: placements x reductions pricings. If nothing satisfies the conditions, `infeasible.py` explains it.
Reference: Land and Doig, "An automatic method of solving discrete programming problems", 1960, for a search with
bounds.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2smt.argument_types import require
from p2smt.cost.any_length import Reach
from p2smt.cost.network.cost import Cost
from p2smt.cost.ranking import competition_ranks
from p2smt.display import MOST_ROWS, html_table, one_line
from p2smt.errors import ProblemError
from p2smt.job.infeasible import Infeasible, explain_infeasible
from p2smt.job.job_pricer import JobPricer, PlacementTime
from p2smt.placement.conditioned import ConditionedPlacements
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import PlacementCondition
from p2smt.problem.condition_text import condition_text
from p2smt.problem.quantity import format_seconds
from p2smt.problem.workload import Workload
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Enumeration, Stop

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class LengthLimits:
    """Indices of reductions for which a better program beyond the length limit may have been missed.

    `deep`: on some placement, the reduction spans too many levels, and only programs up to the limit were
    considered. `overlapping`: the reduction may run at the same time as others, and only the cheapest longer
    program was considered (overall, or per set of communicators); another one may be better together with other
    reductions.
    """

    deep: tuple[int, ...] = ()
    overlapping: tuple[int, ...] = ()

    @property
    def none(self) -> bool:
        """True if programs of any length were considered for every reduction."""
        return not self.deep and not self.overlapping


@dataclass(frozen=True, slots=True)
class Optimum:
    """The priced placements of a job, fastest first, ties by matrix; there is at least one.

    `found` is the number of placements that satisfy the placement conditions. `refused` of them have no
    programs within the communicator limits; the others are in `placements`, unless the search was stopped.
    `lower_bound_s` bounds the seconds per step on every placement. `limited` tells where only programs up to
    the length limit were considered.
    """

    workload: Workload
    placements: tuple[PlacementTime, ...]
    found: int
    refused: int
    stop: Stop
    reason: str
    lower_bound_s: float
    limited: LengthLimits

    @property
    def best(self) -> PlacementTime:
        """The fastest placement."""
        return self.placements[0]

    @property
    def proved(self) -> bool:
        """True if all placements were priced with all programs up to the length limit and the best longer one.

        For reductions in `limited`, only programs up to the limit were considered.
        """
        return self.stop is Stop.EXHAUSTED

    @property
    def gap(self) -> float:
        """The fraction of the best time that a better placement could save at most."""
        return 1 - self.lower_bound_s / self.best.seconds if self.best.seconds else 0.0

    def loss(self, seconds: float) -> float:
        """Return the relative overhead of a placement that takes `seconds` per step over the best one."""
        return seconds / self.best.seconds - 1 if self.best.seconds else 0.0

    def __repr__(self) -> str:
        said = "all priced" if self.proved else f"stopped: {self.stop}"
        return one_line(
            self, f"{self.best.matrix}, {format_seconds(self.best.seconds)} a step, best of {self.found}, {said}"
        )

    def _repr_html_(self) -> str:
        """Return a table of the fastest placements."""
        rows = [
            (str(one.matrix), format_seconds(one.seconds), f"+{self.loss(one.seconds):.1%}")
            for one in self.placements[:MOST_ROWS]
        ]
        more = max(0, len(self.placements) - MOST_ROWS)
        return html_table(repr(self)[1:-1], ("placement", "communication a step", "loss"), rows, more)


def check_priced(optimum: Optimum, matrix: ParallelismMatrix) -> None:
    """Raise ProblemError, with the reason, unless a placement was priced."""
    if any(placement.matrix == matrix for placement in optimum.placements):
        return
    if not optimum.proved:
        raise ProblemError(
            f"matrix {matrix} was not priced before the search stopped ({optimum.stop}); allow a longer --timeout"
        )
    workload = optimum.workload
    texts = "; ".join(condition_text(one, workload.axes, workload.levels) for one in workload.conditions)
    raise ProblemError(
        f"matrix {matrix} does not keep the job's conditions ({texts}); choose another matrix, or change the conditions"
    )


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The search was stopped before any placement was priced."""

    stop: Stop
    reason: str


def optimize(
    workload: Workload,
    cost: Cost,
    deadline: float | None = None,
    on_progress: Progress | None = None,
    *,
    synthesizer: Synthesizer | None = None,
) -> Optimum | Infeasible | Unfinished:
    """Price every placement that satisfies the job's conditions, with the best program for each reduction.

    After `deadline` (a time of `time.monotonic`) or Ctrl-C, the result contains what was found, with a lower
    bound. `on_progress` is called with the number of placements priced and their total. `synthesizer` may hold
    programs found earlier. The result is Infeasible if nothing satisfies the conditions.
    """
    require(workload, Workload, "workload", "build_workload makes one, read_job reads a file")
    require(cost, Cost, "cost", "cost_of makes one")
    found = placements_of(workload, deadline)
    if not found.items:
        return _nothing(workload, cost, found, deadline)
    if found.stop is Stop.INTERRUPTED:
        return Unfinished(found.stop, found.reason)
    pricer = JobPricer(workload, cost, deadline, synthesizer)
    stop: Stop = found.stop
    reason = found.reason
    priced: list[PlacementTime] = []
    refused = done = 0
    try:
        for done, matrix in enumerate(found.items):
            if deadline is not None and time.monotonic() >= deadline:
                stop = Stop.DEADLINE
                break
            one = pricer.placement(matrix)
            ended, why = pricer.ending(matrix)
            priced += [one] if one is not None else []
            refused += one is None and ended is Stop.EXHAUSTED
            if ended is not Stop.EXHAUSTED:
                stop, reason = ended, why
            if ended is Stop.INTERRUPTED:
                break
            if on_progress is not None:
                on_progress(done + 1, len(found.items))
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
    if priced:
        return _optimum(workload, pricer, found, priced, refused, stop, reason)
    return _nothing(workload, cost, found, deadline) if stop is Stop.EXHAUSTED else Unfinished(stop, reason)


def placements_of(workload: Workload, deadline: float | None = None) -> Enumeration[ParallelismMatrix]:
    """Return every placement that satisfies the job's placement conditions."""
    conditions = [one for one in workload.conditions if isinstance(one, PlacementCondition)]
    if not conditions:
        return all_placements(workload, deadline)
    return ConditionedPlacements(workload, conditions).all(range(len(conditions)), deadline)


def _optimum(
    workload: Workload,
    pricer: JobPricer,
    found: Enumeration[ParallelismMatrix],
    priced: list[PlacementTime],
    refused: int,
    stop: Stop,
    reason: str,
) -> Optimum:
    order, _ = competition_ranks([one.seconds for one in priced])
    placements = tuple(priced[place] for place in order)
    best = placements[0].seconds
    if stop is Stop.EXHAUSTED:
        bound = best
    # Stopped early, but all placements are known: the least of their floors bounds them all.
    elif found.complete:
        bound = min(best, *map(pricer.least, found.items))
    else:
        bound = 0.0
    limited = _length_limits(pricer, [one.matrix for one in priced])
    return Optimum(workload, placements, len(found.items), refused, stop, reason, bound, limited)


def _length_limits(pricer: JobPricer, matrices: Sequence[ParallelismMatrix]) -> LengthLimits:
    numbers = range(len(pricer.workload.reductions))
    reaches = [{pricer.reach(number, matrix) for matrix in matrices} for number in numbers]
    return LengthLimits(
        tuple(number for number in numbers if Reach.LEVELS in reaches[number]),
        tuple(number for number in numbers if pricer.overlaps(number) and Reach.CHEAPEST in reaches[number]),
    )


def _nothing(
    workload: Workload, cost: Cost, found: Enumeration[ParallelismMatrix], deadline: float | None
) -> Infeasible | Unfinished:
    if not found.complete:
        return Unfinished(found.stop, found.reason)
    return explain_infeasible(workload, cost, deadline)
