"""The report on one reduction, or one of its figures: searched for, collected, drawn, written."""

from typing import assert_never

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.options.report import ReportOutput
from p2smt.cli.output.plan import no_plan
from p2smt.cli.output.progress import progress
from p2smt.cli.output.report_files import write, write_drawing
from p2smt.cost.network.backend import asked_cost
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.model import Problem
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import synthesize
from p2smt.report.content.collect import collect
from p2smt.report.content.content import Report
from p2smt.report.figures.figures import cluster_figure, program_figure, time_line_figure
from p2smt.report.figures.kind import FigureKind
from p2smt.report.figures.ranking_chart import ranking_drawing
from p2smt.report.figures.sensitivity_chart import sensitivity_drawing
from p2smt.report.page.page import page_text
from p2smt.wording import counted


def report_problem(problem: Problem, output: ReportOutput, plan: Plan | None = None) -> ExitCode:
    """Write the report on a problem, or a single figure; with a plan, that of its program and placement."""
    chosen = output.chosen
    if chosen is not None:
        check_matrix(chosen, problem)
    match output.figure:
        case None:
            report, code = _collected(problem, output, chosen, plan)
            what = f"{counted(report.total, 'program')} on {counted(report.found, 'placement')}"
            write(output.page_file, page_text(report, output.command), what, force=output.force)
        case FigureKind.RANKING:
            report, code = _collected(problem, output)
            write_drawing(output.figure_file, ranking_drawing(report), force=output.force)
        case FigureKind.SENSITIVITY:
            report, code = _collected(problem, output)
            write_drawing(output.figure_file, sensitivity_drawing(report), force=output.force)
        case FigureKind.CLUSTER | FigureKind.PROGRAM | FigureKind.TIME_LINE:
            code = _draw(problem, output, chosen, plan)
        case _:
            assert_never(output.figure)
    return code


def _collected(
    problem: Problem,
    output: ReportOutput,
    chosen: ParallelismMatrix | None = None,
    plan: Plan | None = None,
) -> tuple[Report, ExitCode]:
    """Return the report of a problem, and the exit code, which depends on whether the search finished."""
    with progress("placements", note="{} programs", remaining=False) as on_progress:
        synthesis = synthesize(problem, output.deadline, on_progress)
    with progress("placements", note="{} programs", remaining=False) as on_progress:
        report = collect(synthesis, output.backend, chosen, on_progress, output.deadline, plan)
    return report, of_search(found=synthesis.total_programs > 0, complete=report.complete)


def _draw(problem: Problem, output: ReportOutput, chosen: ParallelismMatrix | None, plan: Plan | None) -> ExitCode:
    """Write the figure of the given placement or plan; by default of the cheapest one."""
    # The picture of a given placement needs no search.
    if output.figure is FigureKind.CLUSTER and chosen is not None:
        write_drawing(
            output.figure_file, cluster_figure(problem.system, problem.axes, problem.reduce, chosen), force=output.force
        )
        return ExitCode.FOUND
    cost, code = asked_cost(problem.system, output.backend), ExitCode.FOUND
    if plan is None:
        cheapest = output.plan_options.plan(problem, cost, output.deadline)
        if cheapest.plan is None:
            return no_plan(complete=cheapest.complete)
        plan, code = cheapest.plan, of_search(complete=cheapest.complete)
    if output.figure is FigureKind.TIME_LINE:
        drawing = time_line_figure(plan, cost)
    elif output.figure is FigureKind.PROGRAM:
        drawing = program_figure(problem, plan, cost)
    else:
        drawing = cluster_figure(problem.system, problem.axes, problem.reduce, plan.matrix)
    write_drawing(output.figure_file, drawing, force=output.force)
    return code
