"""`p2smt report`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.file_kind import ending_of
from p2smt.cli.options.job import JobOptions
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.plan import BEST
from p2smt.cli.options.problem import ProblemOptions, problem_job_or_plan_options
from p2smt.cli.options.report import ReportOutput
from p2smt.cli.options.shared import FORCE, TIMEOUT, backend_options, deadline_after
from p2smt.cli.options.values import choice
from p2smt.cli.options.words import RememberingCommand, words
from p2smt.cli.output.files import refuse_overwriting
from p2smt.cli.output.written import WRITTEN_JSON
from p2smt.cost.network.backend import Backend
from p2smt.problem.file import SearchEntry
from p2smt.problem.job_file import is_job
from p2smt.problem.problem_file import search_of
from p2smt.problem.system.figures import with_figures
from p2smt.report.figures.kind import FigureKind


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
        from p2smt.cli.job_report import report_job

        return report_job(_job_options(given, conditions, figure), output)
    if conditions:
        raise click.UsageError(
            "--condition is for jobs; give a file with [[reduction]] or [transformer], or leave it out"
        )
    from p2smt.cli.problem_report import report_problem

    return report_problem(given.problem(), output)


def _report_plan(given: ProblemOptions, path: Path, conditions: tuple[str, ...], output: ReportOutput) -> ExitCode:
    """Write a report on the problem that a plan solves, with the plan's placement expanded, or a single figure."""
    from p2smt.cli.options.plan_file import given_plan, system_of_plan
    from p2smt.cli.problem_report import report_problem
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
    return report_problem(problem, replace(output, matrix=str(plan.matrix) if shows_one else None), plan)


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


def _job_options(given: ProblemOptions, conditions: tuple[str, ...], figure: FigureKind | None) -> JobOptions:
    """Return the options as those of a job; raises UsageError for options that only describe a single reduction."""
    assert given.problem_file is not None
    _refuse(_of_one_reduction(given), "is for one reduction; the file of a job has its axes and reductions")
    if figure in (FigureKind.PROGRAM, FigureKind.TIME_LINE, FigureKind.SENSITIVITY):
        raise click.UsageError(f"--figure {figure} shows one reduction; for a job, choose cluster or ranking")
    return JobOptions(job_file=given.problem_file, conditions=conditions, system=given.system, search=given.search)
