"""Write the report of a reduction or of a whole job as one HTML file."""

from typing import assert_never

from p2smt.argument_types import require
from p2smt.cost.network.backend import Backend, Nccl, cost_of
from p2smt.job.optimize import Optimum
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.reduction.synth.session import Synthesis
from p2smt.report.content.collect import collect
from p2smt.report.content.collect_job import collect_job
from p2smt.report.page.page import page_text

_NCCL = Nccl()


def report_html(
    of: Synthesis | Optimum,
    backend: Backend = _NCCL,
    also: ParallelismMatrix | None = None,
    deadline: float | None = None,
) -> str:
    """Return a self-contained page with the cluster, placements, programs, ranking and sensitivity.

    Times are predicted for `backend`. `also` is a placement that is always shown and selected when the page
    opens. After the deadline (a time of `time.monotonic`), the programs of a synthesis that exceed the length
    limit and other payload sizes are left out.
    """
    require(of, (Synthesis, Optimum), "subject of a report", "synthesize, or optimize of a job, gives one")
    match of:
        case Synthesis():
            return page_text(collect(of, backend, also, deadline=deadline))
        case Optimum():
            return page_text(collect_job(of, cost_of(of.workload.system, backend), backend, also))
        case _:
            assert_never(of)
