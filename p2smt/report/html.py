"""Write the report of a reduction, a whole job, a sharding or a schedule as one HTML file."""

from typing import assert_never

from p2smt.argument_types import require
from p2smt.cost.network.backend import Backend, Nccl, cost_of
from p2smt.errors import P2Error
from p2smt.job.optimize import Optimum
from p2smt.job.schedules import machine_of
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.spellings import system_given
from p2smt.problem.system.network import System
from p2smt.reduction.synth.session import Synthesis
from p2smt.report.content.collect import collect
from p2smt.report.content.collect_job import collect_job
from p2smt.report.content.schedule_content import schedule_report, searched_report
from p2smt.report.page.page import page_text
from p2smt.report.page.schedule_page import schedule_page
from p2smt.report.page.sharding_page import sharding_page
from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.tuner.result import TuningResult
from p2smt.spmd.search.sharded import ShardingResult

_NCCL = Nccl()


def report_html(
    of: Synthesis | Optimum | ShardingResult | TuningResult | CheckedSchedule,
    backend: Backend = _NCCL,
    also: ParallelismMatrix | None = None,
    deadline: float | None = None,
    *,
    system: System | str | None = None,
) -> str:
    """Return a self-contained page: of a synthesis the cluster, placements, programs, ranking and sensitivity.

    Of a sharding it shows layouts, collectives and the time line; of a schedule its steps, proofs and time line on
    `system`, which has to be given for schedules and for nothing else.

    Times are predicted for `backend`. `also` is a placement that is always shown and selected when the page
    opens. After the deadline (a time of `time.monotonic`), the programs of a synthesis that exceed the length
    limit and other payload sizes are left out.
    """
    kinds = (Synthesis, Optimum, ShardingResult, TuningResult, CheckedSchedule)
    require(of, kinds, "subject of a report", "synthesize, optimize, shard_program and tune_schedule give one")
    is_schedule = isinstance(of, TuningResult | CheckedSchedule)
    if is_schedule and system is None:
        raise P2Error(
            "a schedule has no system; give the one on which its time line is drawn, as in system='node:1,gpu:4'"
        )
    if not is_schedule and system is not None:
        raise P2Error(f"a {type(of).__name__} has its own system; leave system out")
    match of:
        case Synthesis():
            return page_text(collect(of, backend, also, deadline=deadline))
        case Optimum():
            return page_text(collect_job(of, cost_of(of.workload.system, backend), backend, also))
        case ShardingResult():
            return sharding_page(of)
        case TuningResult():
            assert system is not None
            machine = machine_of(system_given(system), of.untouched.scheduled.program, backend)
            return schedule_page(searched_report(of, machine))
        case CheckedSchedule():
            assert system is not None
            return schedule_page(schedule_report(of, machine_of(system_given(system), of.start, backend)))
        case _:
            assert_never(of)
