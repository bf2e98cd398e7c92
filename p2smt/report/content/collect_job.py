"""Collect the contents of the report on a job from its optimum."""

from collections.abc import Sequence

from p2smt.cost.network.backend import Backend
from p2smt.cost.network.cost import Cost
from p2smt.job.comparison import Column, compared
from p2smt.job.job_pricer import PlacementTime, ReductionTime
from p2smt.job.optimize import Optimum
from p2smt.job.step.job_step import JobStep, splits_beside
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.workload import Workload
from p2smt.reduction.plan.lower import Lowering
from p2smt.report.content.collect import MOST_PLACEMENTS
from p2smt.report.content.content import JobReport, PlacementContent, ProgramContent, StepsContent
from p2smt.report.content.job_program import chosen_steps
from p2smt.report.content.program_content import program_content
from p2smt.report.content.selection import AnySelection, select_devices
from p2smt.report.content.versions import versions

MOST_JOB_PROGRAMS = 288
"""Maximum number of programs whose steps the report of a job shows, summed over all placements."""


def collect_job(
    optimum: Optimum,
    cost: Cost,
    backend: Backend,
    also: ParallelismMatrix | None = None,
    step: JobStep | None = None,
) -> JobReport:
    """Return the report of a job, with the fastest placements and those that the best one is compared with.

    `also` is shown and selected when the page opens, if it was priced. `step` is the step of the job's model.
    """
    workload = optimum.workload
    columns = compared(optimum, () if also is None else (also,))
    times = _shown(optimum, columns)
    opened = next((number for number, one in enumerate(times) if one.matrix == also), 0)
    reduced = {axis for reduction in workload.reductions for axis in reduction.axes}
    selections = [select_devices(one.matrix, reduced) for one in times]
    return JobReport(
        workload.system,
        workload.axes,
        workload.search,
        backend,
        optimum.found,
        tuple(map(PlacementContent, selections)),
        opened,
        times[opened].reductions[slowest(times[opened])].reduction.axes[0],
        versions(),
        optimum,
        times,
        tuple(_programs(workload, one, cost, chosen) for one, chosen in zip(times, selections, strict=True)),
        columns,
        None if step is None else StepsContent(step.own.split, splits_beside(step)),
    )


def slowest(time: PlacementTime) -> int:
    """Return the index of the reduction that takes longest per step on a placement; the first one on a tie."""
    seconds = [one.seconds for one in time.reductions]
    return seconds.index(max(seconds))


def _shown(optimum: Optimum, columns: Sequence[Column]) -> tuple[PlacementTime, ...]:
    """Return the compared placements and as many of the fastest others as the limits allow, fastest first."""
    kept = {column.placement.matrix for column in columns}
    most = min(MOST_PLACEMENTS, MOST_JOB_PROGRAMS // len(optimum.workload.reductions))
    others = [one.matrix for one in optimum.placements if one.matrix not in kept]
    kept.update(others[: max(most - len(kept), 0)])
    return tuple(one for one in optimum.placements if one.matrix in kept)


def _programs(
    workload: Workload, time: PlacementTime, cost: Cost, selection: AnySelection
) -> tuple[ProgramContent, ...]:
    return tuple(_program(workload, one, cost, selection) for one in time.reductions)


def _program(workload: Workload, time: ReductionTime, cost: Cost, selection: AnySelection) -> ProgramContent:
    reduction, chosen = time.reduction, time.candidate
    lowering = Lowering(workload.problem(reduction), selection.matrix)
    steps = chosen_steps(chosen.program, lowering, cost, selection.devices)
    return program_content(f"{reduction.name} ·", chosen.text, chosen.seconds, reduction.payload.bytes, steps)
