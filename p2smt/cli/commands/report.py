"""`p2smt report`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.file_kind import ending_of
from p2smt.cli.options.job import JobOptions
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.plan import BEST
from p2smt.cli.options.problem import ProblemOptions, problem_job_or_plan_options
from p2smt.cli.options.report import ReportOutput
from p2smt.cli.options.shared import FORCE, TIMEOUT, backend_options, deadline_after
from p2smt.cli.options.values import choice
from p2smt.cli.options.words import RememberingCommand, words
from p2smt.cli.output.files import is_stdout, refuse_overwriting
from p2smt.cli.output.written import WRITTEN_JSON
from p2smt.cost.network.backend import Backend, asked_cost
from p2smt.errors import ProblemError
from p2smt.problem.file import SearchEntry
from p2smt.problem.job_file import is_job
from p2smt.problem.problem_file import search_of
from p2smt.problem.system.figures import with_figures
from p2smt.report.figures.kind import FigureKind
from p2smt.wording import counted

if TYPE_CHECKING:
    from p2smt.job.step.job_step import JobStep
    from p2smt.placement.matrix import ParallelismMatrix
    from p2smt.problem.model import Problem
    from p2smt.problem.system.network import System
    from p2smt.reduction.plan.model import Plan
    from p2smt.report.content.content import JobReport, Report
    from p2smt.report.figures.shapes import Drawing


@click.command("report", cls=RememberingCommand)
@problem_job_or_plan_options
@backend_options
@TIMEOUT
@click.option("--out", type=OutputPath(), help="File to write, - for stdout [report.html, FIGURE.svg].")
@FORCE
@WRITTEN_JSON
@choice("--figure", FigureKind, help="Write this figure alone, as .svg or .png (by --out).")
@click.option(
    "--condition", "conditions", metavar="TEXT", multiple=True, help="Of a job: one more condition; repeatable."
)
@click.option("--matrix", metavar="ROWS", help="Placement to draw, in a report the one opened [the fastest].")
@click.option("--program", metavar="TEXT", help="With --figure program or time-line: program to draw [the fastest].")
@click.option("--chunks", metavar=f"N|{BEST}", help=f"With --figure time-line: into how many chunks to cut [{BEST}].")
def command(
    given: ProblemOptions,
    backend: Backend,
    timeout: float | None,
    out: Path | None,
    force: bool,
    figure: FigureKind | None,
    conditions: tuple[str, ...],
    matrix: str | None,
    program: str | None,
    chunks: str | None,
) -> ExitCode:
    """Write one HTML file that shows the cluster, its placements, programs step by step, ranking and sensitivity.

    The file needs no other and no network. Of a job (a file with [[reduction]] or [transformer], as for optimize) it
    shows all reductions of a training step; of a plan (a .json file) what it is one of, and if it is in chunks, which
    of them is in which step when. With --figure a single drawing is written instead.

    \b
    Example:
      p2smt report --system node:4,gpu:16 --axes data:4,model:16 --reduce model --bytes 1GiB --out report.html
      p2smt report problem.toml --figure cluster --matrix 2x2/2x8 --out placement.svg
      p2smt report problem.toml --figure program --out program.png
      p2smt report problem.toml --figure time-line --chunks 8 --out chunks.svg
      p2smt example dense-70b --out job.toml && p2smt report job.toml --condition "tp inside node"
    """  # noqa: D301
    output = ReportOutput(
        figure=figure,
        matrix=matrix,
        program=program,
        chunks=chunks,
        backend=backend,
        deadline=deadline_after(timeout),
        out=out,
        force=force,
        command=words(),
    )
    output.check()
    refuse_overwriting(output.page_file if figure is None else output.figure_file, force=force)
    if given.problem_file is not None and ending_of(given.problem_file) == ".json":
        return _report_plan(given, given.problem_file, conditions, output)
    if given.problem_file is not None and is_job(given.entry()):
        return _report_job(_job_options(given, conditions, figure), output)
    if conditions:
        raise click.UsageError(
            "--condition is for jobs; give a file with [[reduction]] or [transformer], or leave it out"
        )
    return _report_problem(given.problem(), output)


def _report_plan(given: ProblemOptions, path: Path, conditions: tuple[str, ...], output: ReportOutput) -> ExitCode:
    """Write a report on the problem that a plan solves, with the plan's placement expanded, or a single figure."""
    from p2smt.cli.options.plan_file import given_plan, system_of_plan
    from p2smt.cost.explanation import problem_of

    own = {"--matrix": output.matrix, "--program": output.program, "--chunks": output.chunks}
    _refuse(
        {**_of_one_reduction(given), **own, "--condition": conditions or None}, "is for problems; a plan has its own"
    )
    plan = given_plan(path, unchecked=False)
    system = system_of_plan(plan, path, given.system.system)
    system = with_figures(system, given.system.bandwidth, given.system.latency)
    problem = problem_of(plan, system, search_of(given.search.over(SearchEntry())))
    shows_one = output.figure not in (FigureKind.RANKING, FigureKind.SENSITIVITY)
    return _report_problem(problem, replace(output, matrix=str(plan.matrix) if shows_one else None), plan)


def _of_one_reduction(given: ProblemOptions) -> dict[str, object]:
    """Return the options that describe a single reduction and do not apply to jobs."""
    return {
        "--axes": given.axes,
        "--reduce": given.reduce,
        "--goal": given.goal,
        "--bytes": given.size,
        "--dtype": given.dtype,
    }


def _refuse(options: Mapping[str, object], why: str) -> None:
    """Raise UsageError if any of these options is given; `why` completes the message."""
    for option, value in options.items():
        if value is not None:
            raise click.UsageError(f"{option} {why}")


def _report_problem(problem: "Problem", output: ReportOutput, plan: "Plan | None" = None) -> ExitCode:
    from p2smt.cli.output.report_files import write, write_drawing
    from p2smt.placement.matrix_check import check_matrix
    from p2smt.report.figures.ranking_chart import ranking_drawing
    from p2smt.report.figures.sensitivity_chart import sensitivity_drawing
    from p2smt.report.page.page import page_text

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
    problem: "Problem",
    output: ReportOutput,
    chosen: "ParallelismMatrix | None" = None,
    plan: "Plan | None" = None,
) -> "tuple[Report, ExitCode]":
    """Return the report of a problem, and the exit code, which depends on whether the search finished."""
    from p2smt.cli.output.progress import progress
    from p2smt.reduction.synth.session import synthesize
    from p2smt.report.content.collect import collect

    with progress("placements", note="{} programs", remaining=False) as on_progress:
        synthesis = synthesize(problem, output.deadline, on_progress)
    with progress("placements", note="{} programs", remaining=False) as on_progress:
        report = collect(synthesis, output.backend, chosen, on_progress, output.deadline, plan)
    return report, of_search(found=synthesis.total_programs > 0, complete=report.complete)


def _draw(
    problem: "Problem", output: ReportOutput, chosen: "ParallelismMatrix | None", plan: "Plan | None"
) -> ExitCode:
    """Write the figure of the given placement or plan; by default of the cheapest one."""
    from p2smt.cli.output.plan import no_plan
    from p2smt.cli.output.report_files import write_drawing
    from p2smt.report.figures.figures import cluster_figure, program_figure, time_line_figure

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


def _job_options(given: ProblemOptions, conditions: tuple[str, ...], figure: FigureKind | None) -> JobOptions:
    """Return the options as those of a job; raises UsageError for options that only describe a single reduction."""
    assert given.problem_file is not None
    _refuse(_of_one_reduction(given), "is for one reduction; the file of a job has its axes and reductions")
    if figure in (FigureKind.PROGRAM, FigureKind.TIME_LINE, FigureKind.SENSITIVITY):
        raise click.UsageError(f"--figure {figure} shows one reduction; for a job, choose cluster or ranking")
    return JobOptions(job_file=given.problem_file, conditions=conditions, system=given.system, search=given.search)


def _report_job(given: JobOptions, output: ReportOutput) -> ExitCode:
    from p2smt.cli.output.report_files import write, write_drawing
    from p2smt.cli.output.solved import solved
    from p2smt.job.optimize import check_priced
    from p2smt.placement.matrix_check import check_matrix
    from p2smt.report.content.collect_job import collect_job
    from p2smt.report.figures.figures import cluster_figure
    from p2smt.report.page.page import page_text

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


def _step(given: JobOptions, system: "System") -> "JobStep | None":
    """Return the step of the job's model; None for other jobs, and on systems whose steps are not predicted."""
    try:
        return given.step(system)
    except ProblemError:
        return None


def _job_drawing(report: "JobReport", figure: FigureKind) -> "Drawing":
    from p2smt.report.figures.figures import job_cluster_figure
    from p2smt.report.figures.job_ranking_chart import job_ranking_drawing

    return job_ranking_drawing(report) if figure is FigureKind.RANKING else job_cluster_figure(report)
