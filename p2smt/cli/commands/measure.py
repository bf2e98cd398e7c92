"""`p2smt measure`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_check
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.problem import ProblemOptions, problem_options
from p2smt.cli.options.shared import JSON
from p2smt.placement.matrix import parse_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2smt.problem.model import Problem
    from p2smt.run.measure.loop import Counts, Timer
    from p2smt.run.measure.pairs import Pair
    from p2smt.run.measure.stable import Patience


@dataclass(frozen=True, slots=True)
class _Measurement:
    """The programs and placements to measure, the stopping criteria for each, and the output table."""

    problem: "Problem"
    pairs: "Sequence[Pair]"
    patience: "Patience"
    out: Path

    def run(self, timer: "Timer") -> "Counts":
        """Measure the pairs of program and placement that the table lacks, and show progress."""
        from p2smt.cli.output.progress import progress
        from p2smt.run.measure.loop import MeasurementLoop
        from p2smt.run.measure.results import Results

        with Results(self.out) as results, progress("") as on_progress:
            measuring = MeasurementLoop(
                problem=self.problem, timer=timer, results=results, patience=self.patience, on_progress=on_progress
            )
            return measuring.run(self.pairs)


@click.command("measure", cls=HelpPage)
@problem_options
@click.option("--out", type=OutputPath(), required=True, help="CSV file; what is in it stays.")
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
    given: ProblemOptions,
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
) -> ExitCode:
    """Time programs on placements, in a laboratory of the problem's system or on a cluster; keep the times as CSV.

    Every program's numbers are compared with those of the plain collective. Repeats go on until the median is known
    well enough. Interrupted, the table has every program that was done, and the same command goes on from there.
    `p2smt calibrate` reads the table. A laboratory needs root and iproute2, as `p2smt lab` does.

    \b
    Example:
      p2smt measure --system lab:2x4 --axes 8 --reduce 0 --bytes 1MB --out 2x4.csv
      p2smt measure problem.toml --matrix 2x2/1x2 --sample 40 --out sample.csv
      torchrun --nproc-per-node 8 --nnodes 2 ... --no-python p2smt measure problem.toml --torchrun --out a.csv

    Exit codes: 0 measured, 1 wrong numbers, 2 bad input or no laboratory.
    """  # noqa: D301
    from p2smt.placement.matrix_check import check_matrix
    from p2smt.run.lab.cluster import laboratory_ranks
    from p2smt.run.lab.laboratory import ended_by_signals
    from p2smt.run.measure.pairs import pairs_of
    from p2smt.run.measure.ranks import torchrun_ranks
    from p2smt.run.measure.stable import Patience

    problem = given.problem()
    only = tuple(map(parse_matrix, matrices))
    for matrix in only:
        check_matrix(matrix, problem)
    pairs = tuple(pairs_of(problem, only, sample, seed))
    measurement = _Measurement(problem, pairs, Patience(least, max(least, most), error, budget), out)
    with ended_by_signals():
        if on_cluster:
            with torchrun_ranks(problem) as ranks:
                return ExitCode.FOUND if ranks is None else _say(measurement.run(ranks), out, as_json)
        with laboratory_ranks(problem, lab) as cluster:
            return _say(measurement.run(cluster), out, as_json)


def _say(counts: "Counts", out: Path, as_json: bool) -> ExitCode:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import say_written
    from p2smt.cli.output.measure import counts_document, print_counts

    if as_json:
        print_json(counts_document(counts, out))
    else:
        print_counts(counts, out)
    say_written(out, "measured times", f"p2smt calibrate --system SYSTEM {out}")
    return of_check(right=not counts.wrong)
