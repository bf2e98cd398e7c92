"""The report on a job, or one of its figures: solved, collected, drawn, written."""

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.options.job import JobOptions
from p2smt.cli.options.report import ReportOutput
from p2smt.cli.output.files import is_stdout
from p2smt.cli.output.report_files import write, write_drawing
from p2smt.cli.output.solved import solved
from p2smt.cost.network.backend import asked_cost
from p2smt.errors import ProblemError
from p2smt.job.optimize import check_priced
from p2smt.job.step.job_step import JobStep
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.system.network import System
from p2smt.report.content.collect_job import collect_job
from p2smt.report.content.content import JobReport
from p2smt.report.figures.figures import cluster_figure, job_cluster_figure
from p2smt.report.figures.job_ranking_chart import job_ranking_drawing
from p2smt.report.figures.kind import FigureKind
from p2smt.report.figures.shapes import Drawing
from p2smt.report.page.page import page_text
from p2smt.wording import counted


def report_job(given: JobOptions, output: ReportOutput) -> ExitCode:
    """Write the report on a job, or a single figure; of a given placement, or of the fastest one."""
    workload, chosen = given.workload(), output.chosen
    if chosen is not None:
        check_matrix(chosen, workload)
    if output.figure is FigureKind.CLUSTER and chosen is not None:
        reduced = list(dict.fromkeys(axis for reduction in workload.reductions for axis in reduction.axes))
        write_drawing(
            output.figure_file, cluster_figure(workload.system, workload.axes, reduced, chosen), force=output.force
        )
        return ExitCode.FOUND
    cost = asked_cost(workload.system, output.backend)
    err = output.out is not None and is_stdout(output.out)
    optimum = solved(workload, cost, output.deadline, err=err)
    if isinstance(optimum, ExitCode):
        return optimum
    if chosen is not None:
        check_priced(optimum, chosen)
    step = _step(given, workload.system) if output.figure is None else None
    report = collect_job(optimum, cost, output.backend, chosen, step)
    if output.figure is None:
        reductions = counted(len(workload.reductions), "reduction")
        what = f"{reductions} on {len(optimum.placements)} of {counted(optimum.found, 'placement')}"
        write(output.page_file, page_text(report, output.command), what, force=output.force)
    else:
        write_drawing(output.figure_file, _job_drawing(report, output.figure), force=output.force)
    return of_search(complete=optimum.proved)


def _step(given: JobOptions, system: System) -> JobStep | None:
    """Return the step of the job's model; None for other jobs, and on systems whose steps are not predicted."""
    try:
        return given.step(system)
    except ProblemError:
        return None


def _job_drawing(report: JobReport, figure: FigureKind) -> Drawing:
    return job_ranking_drawing(report) if figure is FigureKind.RANKING else job_cluster_figure(report)
