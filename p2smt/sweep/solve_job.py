"""Solve one job of a sweep as `p2smt advise` does, and return its rows."""

import time
from functools import cache

from p2smt.cost.network.backend import cost_of
from p2smt.cost.ten_digits import ten_digits
from p2smt.errors import InterruptedSearchError
from p2smt.job.advice import USUAL, Advice, advise, sends_seconds, training
from p2smt.job.infeasible import Infeasible
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.optimize import Unfinished
from p2smt.placement.notation import order_text
from p2smt.placement.words import placement_words
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop
from p2smt.sweep.digest import job_text
from p2smt.sweep.environment import environment
from p2smt.sweep.job_rows import JobOutcome, JobPlacementRow, JobResultColumns, job_columns
from p2smt.sweep.rows import MAX_REASON, RowStatus
from p2smt.sweep.task import JobTask


def solve_job(task: JobTask) -> JobOutcome:
    """Price every placement of a job. Raises InterruptedSearchError on interruption, and P2Error as `training`."""
    job = task.job
    deadline = None if task.timeout_s is None else time.monotonic() + task.timeout_s
    step = training(job.system, job.transformer, job.parallelism, job.search)
    result = advise(step, cost_of(job.system, task.backend), deadline, synthesizer=_synthesizer())
    asked = job_columns(task)
    stop: Stop
    match result:
        case Advice(times=times):
            stop, reason = result.optimum.stop, result.optimum.reason
            rows = tuple(_placement(result, asked.key, number, one) for number, one in enumerate(times))
            columns = _columns(result, rows)
        case Unfinished(stop=stop, reason=reason):
            rows, columns = (), JobResultColumns()
        case Infeasible():  # a training job has no conditions, so every placement keeps them
            raise AssertionError(result)
    if stop is Stop.INTERRUPTED:
        raise InterruptedSearchError
    return JobOutcome(
        task=asked,
        status=RowStatus.OK if stop is Stop.EXHAUSTED else RowStatus.STOPPED,
        reason="" if stop is Stop.EXHAUSTED else f"{stop}: {reason}".removesuffix(": ")[:MAX_REASON],
        result=columns,
        environment=environment().id,
        job=job_text(job, task.backend),
        placements=rows,
    )


def _placement(advice: Advice, key: str, number: int, one: PlacementTime) -> JobPlacementRow:
    workload = advice.training.workload
    return JobPlacementRow(
        key=key,
        number=number,
        matrix=str(one.matrix),
        words=placement_words(one.matrix, workload.axes, workload.levels),
        seconds=ten_digits(one.seconds),
        sends_seconds=ten_digits(sends_seconds(one)),
        wire_seconds=ten_digits(one.wire_seconds),
        communicators=one.communicators,
    )


def _columns(advice: Advice, rows: tuple[JobPlacementRow, ...]) -> JobResultColumns:
    """Return the results over all placements; `rows` holds them, fastest first."""
    best, worst, axes = rows[0], rows[-1], advice.training.workload.axes
    usual = None if advice.usual is None else rows[advice.times.index(advice.usual)]
    return JobResultColumns(
        placements=len(rows),
        best_matrix=best.matrix,
        best_words=best.words,
        best_order=None if advice.order is None else f"{USUAL}:{order_text(USUAL, advice.order, axes)}",
        best_seconds=best.seconds,
        sends_seconds=best.sends_seconds,
        wire_seconds=best.wire_seconds,
        usual_matrix=None if usual is None else usual.matrix,
        usual_seconds=None if usual is None else usual.seconds,
        loss=None if usual is None else ten_digits(advice.loss),
        worst_matrix=worst.matrix,
        worst_seconds=worst.seconds,
    )


@cache
def _synthesizer() -> Synthesizer:
    """Return the synthesizer of this process, as for problems."""
    return Synthesizer()
