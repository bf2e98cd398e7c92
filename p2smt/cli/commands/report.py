"""`p2smt report`."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.problem import TIMEOUT, backend_options, deadline_after, problem_options, read_problem
from p2smt.cost.network.backend import Backend


@click.command("report")
@problem_options
@backend_options
@TIMEOUT
@click.option("--out", type=click.Path(path_type=Path), help="File to write, - for stdout [report.html, FIGURE.svg].")
@click.option(
    "--figure",
    type=click.Choice(["cluster", "program", "ranking", "sensitivity"]),
    help="Write this figure alone, as .svg or .png (by --out).",
)
@click.option(
    "--condition", "conditions", metavar="TEXT", multiple=True, help="Of a job: one more condition; repeatable."
)
@click.option("--matrix", metavar="ROWS", help="Placement to draw, in a report the one opened [the fastest].")
@click.option("--program", metavar="TEXT", help="With --figure program: program to draw [the fastest].")
def command(
    backend: Backend,
    timeout: float | None,
    out: Path | None,
    figure: str | None,
    conditions: tuple[str, ...],
    matrix: str | None,
    program: str | None,
    **given: Any,
) -> int:
    """Write one HTML file that shows the cluster, its placements, programs step by step, ranking and sensitivity.

    The file needs no other and no network. Of a job (a file with [[reduction]] or [transformer], as for optimize) it
    shows all reductions of a training step. With --figure a single drawing is written instead.

    \b
    Example:
      p2smt report --system node:4,gpu:16 --axes data:4,model:16 --reduce model --bytes 1GiB --out report.html
      p2smt report problem.toml --figure cluster --matrix 2x2/2x8 --out placement.svg
      p2smt report problem.toml --figure program --out program.png
      p2smt example dense-70b --out job.toml && p2smt report job.toml --condition "tp inside node"
    """  # noqa: D301
    from p2smt.cli.commands.report_job import is_job, report_job
    from p2smt.placement.matrix import check_matrix, parse_matrix

    _check_options(out, figure, matrix, program)
    if is_job(given["problem_file"]):
        return report_job(given, conditions, backend, timeout, (figure, matrix, out))
    if conditions:
        raise click.UsageError("--condition is for jobs; name a file with [[reduction]] or [transformer]")
    problem, deadline, chosen = read_problem(given), deadline_after(timeout), None
    if matrix is not None:
        chosen = parse_matrix(matrix)
        check_matrix(chosen, problem)
    if figure is None:
        return _page(problem, backend, deadline, chosen, out or Path("report.html"))
    target = out or Path(f"{figure}.svg")
    if figure in ("ranking", "sensitivity"):
        return _chart(problem, backend, deadline, figure, target)
    return _drawing(problem, backend, deadline, figure, (matrix, program), target)


def _check_options(out: Path | None, figure: str | None, matrix: str | None, program: str | None) -> None:
    if program is not None and figure != "program":
        raise click.UsageError("--program is the program that --figure program draws; give both")
    if matrix is not None and figure in ("ranking", "sensitivity"):
        raise click.UsageError(f"--figure {figure} shows all placements; leave --matrix out")
    suffix = "" if out is None else out.suffix.lower()
    if figure is None and suffix in (".svg", ".png"):
        raise click.UsageError(f"--out {out} is a figure's name; say which with --figure, or name an .html file")
    if figure is not None and out is not None and suffix not in (".svg", ".png") and str(out) != "-":
        raise click.UsageError(f"--out {out} has no format; a figure's file ends in .svg or .png")


def _collected(problem: Any, backend: Backend, deadline: float | None, chosen: Any = None) -> tuple[Any, int]:
    """The report of a problem, and the exit code that says how the search ended."""
    from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
    from p2smt.cli.output.progress import search_progress
    from p2smt.reduction.synth.session import Synthesizer
    from p2smt.report.content.collect import collect

    with search_progress() as progress:
        synthesis = Synthesizer().synthesize(problem, deadline, progress)
    with search_progress() as progress:
        report = collect(synthesis, backend, chosen, progress)
    if not synthesis.complete:
        return report, PARTIAL
    return report, FOUND if synthesis.total_programs else NEGATIVE


def _page(problem: Any, backend: Backend, deadline: float | None, chosen: Any, out: Path) -> int:
    from p2smt.cli.output.report_files import write
    from p2smt.report.page.page import page_text

    report, code = _collected(problem, backend, deadline, chosen)
    write(out, page_text(report), f"{report.total} programs on {report.found} placements")
    return code


def _chart(problem: Any, backend: Backend, deadline: float | None, figure: str, out: Path) -> int:
    from p2smt.cli.output.report_files import write_drawing
    from p2smt.report.figures.ranking_chart import ranking_drawing
    from p2smt.report.figures.sensitivity_chart import sensitivity_drawing

    report, code = _collected(problem, backend, deadline)
    draw = ranking_drawing if figure == "ranking" else sensitivity_drawing
    write_drawing(out, draw(report))
    return code


def _drawing(
    problem: Any,
    backend: Backend,
    deadline: float | None,
    figure: str,
    chosen: tuple[str | None, str | None],
    out: Path,
) -> int:
    from p2smt.cli.commands.plan import cheapest_plan, given_plan
    from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
    from p2smt.cli.output.report_files import write_drawing
    from p2smt.cost.network.backend import cost_of
    from p2smt.placement.matrix import parse_matrix
    from p2smt.report.figures.figures import cluster_figure, program_figure

    matrix, program = chosen
    drawn = partial(cluster_figure, problem.system, problem.axes, problem.reduce)
    if figure == "cluster" and matrix is not None:
        write_drawing(out, drawn(parse_matrix(matrix)))
        return FOUND
    if program is not None:
        plan, complete = given_plan(problem, matrix, program), True
    else:
        plan, complete = cheapest_plan(problem, backend, matrix, deadline)
    if plan is None:
        click.echo("p2smt: no program does this reduction on this hierarchy within the limit", err=True)
        return NEGATIVE if complete else PARTIAL
    if figure == "cluster":
        write_drawing(out, drawn(plan.matrix))
    else:
        write_drawing(out, program_figure(problem, plan, cost_of(problem.system, backend)))
    return FOUND if complete else PARTIAL
