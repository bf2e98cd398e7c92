"""The work of worker processes, which turns tasks into rows; it can run on any machine with p2smt installed."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock

from p2smt.cost.above_wire import above_wire
from p2smt.cost.network.backend import Backend, cost_of
from p2smt.cost.ranking import RankedPlacement, Ranker, searched_in_time
from p2smt.cost.ten_digits import ten_digits
from p2smt.errors import InterruptedSearchError, P2Error
from p2smt.problem.system.network import System
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop
from p2smt.sweep.digest import task_text
from p2smt.sweep.environment import Environment, environment
from p2smt.sweep.job_rows import JobOutcome, failed_job
from p2smt.sweep.rows import (
    MAX_REASON,
    PlacementRow,
    ProblemOutcome,
    ResultColumns,
    RowStatus,
    TaskColumns,
    failed,
    task_columns,
)
from p2smt.sweep.solve_job import solve_job
from p2smt.sweep.task import AnyTask, JobTask, ProblemTask
from p2smt.wording import bare_sizes

AnyOutcome = ProblemOutcome | JobOutcome

_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True, slots=True)
class SolvedChunk:
    """The outcomes of a chunk of tasks, the versions that computed them, and the seconds taken."""

    outcomes: tuple[AnyOutcome, ...]
    environment: Environment
    seconds: float


def solve_chunk(tasks: Sequence[AnyTask]) -> SolvedChunk:
    """Solve tasks sequentially, one at a time per process, as z3's context is not thread-safe."""
    began = time.monotonic()
    with _ONE_AT_A_TIME:
        outcomes = tuple(map(solve, tasks))
    return SolvedChunk(outcomes, environment(), time.monotonic() - began)


def solve(task: AnyTask) -> AnyOutcome:
    """Return the rows of one task; any failure becomes a row with status error."""
    try:
        return solve_job(task) if isinstance(task, JobTask) else _solve(task)
    except InterruptedSearchError:
        raise
    except P2Error as cause:
        reason = str(cause)
    except Exception as cause:  # one problem that hits a bug or runs out of memory must not end a sweep
        reason = f"{type(cause).__name__}: {cause}"
    return failure(task, " ".join(reason.split())[:MAX_REASON])


def failure(task: AnyTask, reason: str) -> AnyOutcome:
    """Return the outcome of a task without a result, with the versions in this process."""
    match task:
        case ProblemTask():
            return failed(task, reason, environment().id)
        case JobTask():
            return failed_job(task, reason, environment().id)


def _solve(task: ProblemTask) -> ProblemOutcome:
    deadline = None if task.timeout_s is None else time.monotonic() + task.timeout_s
    synthesis = _synthesizer().synthesize(task.problem, deadline)
    if synthesis.stop is Stop.INTERRUPTED:
        raise InterruptedSearchError
    ranker = _ranker(task.problem.system, task.backend)
    ranked = [ranker.placement(task.problem, placed, 1, deadline) for placed in synthesis.placements]
    asked = task_columns(task)
    rows = tuple(_placement(asked, number, placement) for number, placement in enumerate(ranked))
    stop = synthesis.stop if not synthesis.complete or searched_in_time(ranked) else Stop.DEADLINE
    status = RowStatus.OK if stop is Stop.EXHAUSTED else RowStatus.STOPPED
    reason = "" if stop is Stop.EXHAUSTED else f"{stop}: {synthesis.reason}".removesuffix(": ")[:MAX_REASON]
    text = task_text(task.problem, task.backend)
    return ProblemOutcome(
        task=asked,
        status=status,
        reason=reason,
        result=_result_columns(rows),
        environment=environment().id,
        problem=text,
        placements=rows,
    )


def _placement(asked: TaskColumns, number: int, placement: RankedPlacement) -> PlacementRow:
    best = placement.programs[0] if placement.programs else None
    return PlacementRow(
        key=asked.key,
        number=number,
        matrix=str(placement.placed.matrix),
        levels=bare_sizes(placement.placed.hierarchy.sizes) or "1",
        programs=len(placement.placed.programs),
        best_program=None if best is None else best.text,
        best_seconds=None if best is None else ten_digits(best.seconds),
        allreduce_seconds=ten_digits(placement.allreduce_seconds),
        wire_seconds=ten_digits(placement.wire_seconds),
    )


def _result_columns(rows: Sequence[PlacementRow]) -> ResultColumns:
    priced = [(row.best_seconds, row) for row in rows if row.best_seconds is not None]
    counts = ResultColumns(placements=len(rows), programs=sum(row.programs for row in rows))
    if not priced:
        return counts
    best_seconds, best = min(priced, key=lambda pair: pair[0])
    worst_seconds, worst = max(priced, key=lambda pair: pair[0])
    plain = min(rows, key=lambda row: row.allreduce_seconds)
    return ResultColumns(
        placements=counts.placements,
        programs=counts.programs,
        best_matrix=best.matrix,
        best_program=best.best_program,
        best_seconds=best_seconds,
        allreduce_seconds=best.allreduce_seconds,
        wire_seconds=best.wire_seconds,
        allreduce_best_matrix=plain.matrix,
        allreduce_best_seconds=plain.allreduce_seconds,
        worst_matrix=worst.matrix,
        worst_seconds=worst_seconds,
        speedup=_ratio(best.allreduce_seconds, best_seconds),
        speedup_over_allreduce=_ratio(plain.allreduce_seconds, best_seconds),
        placement_spread=_ratio(worst_seconds, best_seconds),
        above_wire=_above(best_seconds, best.wire_seconds),
    )


def _ratio(seconds: float, best: float) -> float | None:
    """Return the ratio rounded to ten digits; None if the best program takes no time."""
    return ten_digits(seconds / best) if best else None


def _above(best: float, wire: float) -> float | None:
    above = above_wire(best, wire)
    return None if above is None else ten_digits(above)


@cache
def _synthesizer() -> Synthesizer:
    """Return the synthesizer of this process, which caches programs for problems with equal reduction levels."""
    return Synthesizer()


@lru_cache(maxsize=16)
def _ranker(system: System, backend: Backend) -> Ranker:
    return Ranker(cost_of(system, backend))
