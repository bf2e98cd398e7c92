"""`p2smt study`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.commands.study_results import export, query
from p2smt.cli.options.problem import JSON

if TYPE_CHECKING:
    from p2smt.sweep.loop import Summary
    from p2smt.sweep.sweep import Expansion


class _RunByDefault(click.Group):
    """A group whose first word may be a sweep file: `p2smt study sweep.toml` is `p2smt study run sweep.toml`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group("study", cls=_RunByDefault)
def command() -> None:
    """Solve many problems, keep the results in a store, and query them.

    A sweep file describes grids of systems, axes, reductions, payloads, grammars and algorithms. The store is an
    SQLite file with one row per problem; what is in it is not solved again.

    \b
    Example:
      p2smt study sweep.toml
      p2smt study query sweep.sqlite --sort speedup --top 5
      p2smt study export sweep.sqlite --format csv --out sweep.csv
    """  # noqa: D301


command.add_command(query)
command.add_command(export)


@command.command("run")
@click.argument("sweep_file", type=click.Path(path_type=Path), metavar="SWEEP.toml")
@click.option("--store", type=click.Path(path_type=Path), help="SQLite file; what is in it stays [SWEEP.sqlite].")
@click.option(
    "--executor",
    default="local",
    show_default=True,
    metavar="WHERE",
    help="local (a process per CPU), local:4, or dask:tcp://HOST:PORT.",
)
@click.option("--retry", is_flag=True, help="Solve problems again that stopped early or ended with an error.")
@JSON
def run(sweep_file: Path, store: Path | None, executor: str, retry: bool, as_json: bool) -> int:
    """Solve every problem of a sweep that is not in the store yet.

    Interrupted or killed at any moment, the store holds whole results, and the same command goes on from there.
    Several runs on one store share the work. With dask, p2smt has to be installed for every worker; workers do best
    with one thread each, and whoever can reach the scheduler can run code there.

    \b
    Example:
      p2smt study sweep.toml --executor local:8
      dask scheduler & dask worker tcp://10.0.0.1:8786 --nthreads 1 --nworkers 8 &
      p2smt study sweep.toml --executor dask:tcp://10.0.0.1:8786

    Exit codes: 0 every problem has its result, 2 bad input, 3 stopped early, or some problems are without a full
    result.
    """  # noqa: D301
    from p2smt.cli.main import FOUND, PARTIAL
    from p2smt.sweep.loop import Study
    from p2smt.sweep.pool import open_pool
    from p2smt.sweep.stopping import stopped_by_signals
    from p2smt.sweep.store import Store
    from p2smt.sweep.sweep import expand
    from p2smt.sweep.sweep_file import read_sweep

    path = sweep_file.with_suffix(".sqlite") if store is None else store
    expansion = expand(read_sweep(sweep_file))
    with (
        stopped_by_signals() as stopping,
        open_pool(executor) as pool,
        Store(path, executor) as opened,
        _progress() as told,
    ):
        summary = Study(expansion.tasks, opened, pool, retry, stopping, told).run()
    _report(expansion, summary, path, as_json)
    return FOUND if summary.complete else PARTIAL


def _report(expansion: "Expansion", summary: "Summary", path: Path, as_json: bool) -> None:
    from p2smt.cli.output.progress import VERSION, print_json

    counts = {"problems": len(expansion.tasks), "left_out": expansion.left_out, "repeated": expansion.repeated}
    if as_json:
        print_json({"version": VERSION, "store": str(path), **counts, **asdict(summary), "complete": summary.complete})
    else:
        click.echo(
            f"{counts['problems']} problems: {summary.solved} solved now, {summary.known} in {path} before or from "
            f"another run, {summary.left} left\n{counts['left_out']} combinations do not agree and are left out, "
            f"{counts['repeated']} are the same problem as another"
        )
        for status, count in (("stopped", summary.stopped), ("error", summary.errors)):
            if count:
                click.echo(f"{count} with status {status}: p2smt study query {path} --status {status}")
    if summary.left:
        click.echo(f"p2smt: stopped early; {path} is whole, the same command goes on from there", err=True)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show problems done and the time left on stderr, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = ("problems", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), "left", TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
