"""What `p2smt report` writes of a job."""

from pathlib import Path
from typing import Any

import click

from p2smt.cost.network.backend import Backend, Cost, cost_of
from p2smt.errors import ProblemError
from p2smt.job.optimize import Optimum
from p2smt.placement.matrix import ParallelismMatrix, check_matrix, parse_matrix
from p2smt.problem.condition_text import condition_text
from p2smt.problem.file import read_problem_file
from p2smt.problem.workload import Workload
from p2smt.report.content.content import JobReport

_OF_ONE_REDUCTION = {"axes": "--axes", "reduce": "--reduce", "size": "--bytes", "dtype": "--dtype"}


def is_job(path: Path | None) -> bool:
    """Whether a problem file, if there is one, says what only a job has."""
    if path is None:
        return False
    entry = read_problem_file(path)
    return bool(entry.reduction or entry.transformer or entry.parallelism or entry.conditions)


def report_job(
    given: dict[str, Any],
    conditions: tuple[str, ...],
    backend: Backend,
    timeout: float | None,
    target: tuple[str | None, str | None, Path | None],
) -> int:
    """Write the page of a job, or a figure of it; the exit code comes back.

    `given` are the options of a problem, `target` the figure, the matrix and the file that were asked for.
    """
    from p2smt.cli.main import FOUND
    from p2smt.cli.options.job import read_job
    from p2smt.cli.options.problem import deadline_after
    from p2smt.cli.output.report_files import write_drawing
    from p2smt.report.figures.figures import cluster_figure

    figure, text, out = target
    _check_options(given, figure)
    workload = read_job(_job_flags(given, conditions))
    chosen = None if text is None else parse_matrix(text)
    if chosen is not None:
        check_matrix(chosen, workload.problem(workload.reductions[0]))
    if figure == "cluster" and chosen is not None:
        reduced = list(dict.fromkeys(axis for one in workload.reductions for axis in one.axes))
        write_drawing(out or Path("cluster.svg"), cluster_figure(workload.system, workload.axes, reduced, chosen))
        return FOUND
    cost = cost_of(workload.system, backend)
    found = _optimum(workload, cost, deadline_after(timeout))
    if isinstance(found, int):
        return found
    if chosen is not None and chosen not in {one.matrix for one in found.placements}:
        raise ProblemError(_missing(found, chosen))
    return _write(found, cost, backend, (figure, chosen, out))


def _check_options(given: dict[str, Any], figure: str | None) -> None:
    for name, option in _OF_ONE_REDUCTION.items():
        if given[name] is not None:
            raise click.UsageError(f"{option} is for one reduction; the file of a job has its axes and reductions")
    if figure in ("program", "sensitivity"):
        raise click.UsageError(f"--figure {figure} is of one reduction; of a job there are cluster and ranking")


def _job_flags(given: dict[str, Any], conditions: tuple[str, ...]) -> dict[str, Any]:
    """The options that `read_job` takes."""
    kept = {name: value for name, value in given.items() if name not in ("problem_file", *_OF_ONE_REDUCTION)}
    return {"job_file": given["problem_file"], "conditions": conditions, **kept}


def _optimum(workload: Workload, cost: Cost, deadline: float | None) -> Optimum | int:
    """The placements of a job, or, after what there is to say instead was printed, the exit code."""
    from p2smt.cli.main import NEGATIVE, PARTIAL
    from p2smt.cli.output.optimize import print_infeasible
    from p2smt.cli.output.progress import placement_progress
    from p2smt.job.infeasible import Infeasible
    from p2smt.job.optimize import Unfinished, optimize

    with placement_progress() as progress:
        found = optimize(workload, cost, deadline, progress)
    match found:
        case Optimum():
            return found
        case Infeasible():
            print_infeasible(found)
            return NEGATIVE
        case Unfinished():
            click.echo(f"stopped ({found.stop}) before any placement was priced; allow a longer --timeout")
            return PARTIAL


def _missing(found: Optimum, matrix: ParallelismMatrix) -> str:
    if not found.proved:
        return f"matrix {matrix} was not priced before the search stopped ({found.stop}); allow a longer --timeout"
    workload = found.workload
    texts = "; ".join(condition_text(one, workload.axes, workload.levels) for one in workload.conditions)
    return f"matrix {matrix} does not keep the job's conditions ({texts}); choose another, or change them"


def _write(
    found: Optimum, cost: Cost, backend: Backend, target: tuple[str | None, ParallelismMatrix | None, Path | None]
) -> int:
    from p2smt.cli.main import FOUND, PARTIAL
    from p2smt.cli.output.report_files import write, write_drawing
    from p2smt.report.content.collect_job import collect_job
    from p2smt.report.page.page import page_text

    figure, chosen, out = target
    report = collect_job(found, cost, backend, chosen)
    if figure is None:
        what = f"{len(found.workload.reductions)} reductions on {len(found.placements)} of {found.found} placements"
        write(out or Path("report.html"), page_text(report), what)
    else:
        write_drawing(out or Path(f"{figure}.svg"), _figure(report, figure))
    return FOUND if found.proved else PARTIAL


def _figure(report: JobReport, figure: str) -> Any:
    from p2smt.report.content.naming import naming_of
    from p2smt.report.figures.cluster_drawing import placement_drawing
    from p2smt.report.figures.job_ranking_chart import job_ranking_drawing

    if figure == "ranking":
        return job_ranking_drawing(report)
    return placement_drawing(report.placements[0], naming_of(report.system, report.axes), report.coloured)
