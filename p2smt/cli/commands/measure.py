"""`p2smt measure`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.problem import JSON, problem_options, read_problem


@click.command("measure")
@problem_options
@click.option("--out", type=click.Path(path_type=Path), required=True, help="CSV file; what is in it stays.")
@click.option("--matrix", "matrices", multiple=True, metavar="ROWS", help="Only this placement; may be repeated [all].")
@click.option("--sample", type=click.IntRange(min=1), help="So many programs of a placement at most [all].")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the sample.")
@click.option("--least", type=click.IntRange(min=2), default=3, show_default=True, help="Repeats at least.")
@click.option("--most", type=click.IntRange(min=2), default=15, show_default=True, help="Repeats at most.")
@click.option("--error", type=float, default=0.03, show_default=True, help="Relative error of the median to stop at.")
@click.option("--budget", type=float, default=10.0, show_default=True, help="Seconds of repeats per program at most.")
@click.option("--id", "lab", metavar="ID", help="Id of the laboratory [random].")
@click.option("--torchrun", "on_cluster", is_flag=True, help="On the ranks that torchrun started.")
@JSON
def command(
    out: Path,
    matrices: tuple[str, ...],
    sample: int | None,
    seed: int,
    least: int,
    most: int,
    error: float,
    budget: float,
    lab: str | None,
    on_cluster: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Time programs on placements, in a laboratory of the problem's system or on a cluster; keep the times as CSV.

    Every program's numbers are compared with those of a plain all-reduce. Repeats go on until the median is known
    well enough. Interrupted, the table has every program that was done, and the same command goes on from there.
    `p2smt calibrate` reads the table. A laboratory needs root and iproute2, as `p2smt lab` does.

    \b
    Example:
      p2smt measure --system lab:2x4 --axes 8 --reduce 0 --bytes 1MB --out 2x4.csv
      p2smt measure problem.toml --matrix 2x2/1x2 --sample 40 --out sample.csv
      torchrun --nproc-per-node 8 --nnodes 2 ... --no-python p2smt measure problem.toml --torchrun --out a.csv

    Exit codes: 0 measured, 1 wrong numbers, 2 bad input or no laboratory.
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE
    from p2smt.cli.output.progress import print_json
    from p2smt.placement.matrix import check_matrix, parse_matrix
    from p2smt.run.lab.laboratory import ended_by_signals
    from p2smt.run.measure.loop import Measuring
    from p2smt.run.measure.pairs import pairs_of
    from p2smt.run.measure.results import Results
    from p2smt.run.measure.stable import Patience

    problem = read_problem(given)
    only = tuple(map(parse_matrix, matrices))
    for matrix in only:
        check_matrix(matrix, problem)
    pairs = tuple(pairs_of(problem, only, sample, seed))
    patience = Patience(least, max(least, most), error, budget)
    with ended_by_signals(), _timer(problem, lab, on_cluster) as timer:
        if timer is None:
            return FOUND
        with Results(out) as results, _progress() as on_progress:
            measuring = Measuring(
                problem=problem, timer=timer, results=results, patience=patience, on_progress=on_progress
            )
            counts = measuring.run(pairs)
    if as_json:
        from dataclasses import asdict

        print_json({**asdict(counts), "out": str(out)})
    else:
        click.echo(f"{counts.measured} of {counts.pairs} programs measured, {counts.known} were in {out} already")
        if counts.wrong:
            click.echo(f"{counts.wrong} elements were WRONG; see the column `wrong`")
    return NEGATIVE if counts.wrong else FOUND


@contextmanager
def _timer(problem: Any, lab: str | None, on_cluster: bool) -> Iterator[Any]:
    """The ranks of a laboratory or of torchrun; None on ranks that only followed."""
    from p2smt.errors import RunError
    from p2smt.run.lab.cluster import LabCluster
    from p2smt.run.lab.laboratory import Laboratory
    from p2smt.run.lab.shape import lab_shape

    if not on_cluster:
        with Laboratory(lab_shape(problem.system), lab) as laboratory, LabCluster(laboratory) as cluster:
            yield cluster
        return
    from p2smt.run.measure.torchrun import TorchrunCluster

    with TorchrunCluster() as ranks:
        if ranks.ranks != problem.system.devices:
            raise RunError(f"torchrun started {ranks.ranks} ranks, but the system has {problem.system.devices} devices")
        if ranks.rank:
            ranks.follow()
        yield None if ranks.rank else ranks


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None] | None]:
    import sys

    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, what: bar.update(task, completed=done, total=total, description=what[:60])
