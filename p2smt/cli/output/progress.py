"""What commands print: JSON documents for programs, tables for people, progress on a terminal."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from p2smt.problem.model import Problem
from p2smt.problem.system.network import Link

VERSION = 1
"""Version of the JSON documents on stdout."""


def print_json(document: dict[str, Any]) -> None:
    """Print one document."""
    print(json.dumps(document, indent=2))


def problem_document(problem: Problem) -> dict[str, Any]:
    """The resolved problem, as it stands in every document."""
    return {
        "system": [{"name": level.name, "size": level.size} for level in problem.levels],
        "links": [_link_document(link) for link in problem.system.network.links],
        "axes": [{"name": axis.name, "size": axis.size} for axis in problem.axes],
        "reduce": [problem.axes[axis].name for axis in problem.reduce],
        "bytes": problem.payload.bytes,
        "dtype": problem.payload.dtype,
        "engine": str(problem.search.engine),
        "hierarchy": str(problem.search.hierarchy),
        "collapse": problem.search.collapse,
    }


def _link_document(link: Link) -> dict[str, Any]:
    return {"name": link.name, "level": link.level, "wiring": str(link.wiring), "bandwidth": link.bandwidth,
            "latency": link.latency}  # fmt: skip


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Print a table; `right` lists the columns that are aligned right. Long cells fold, none is cut."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place in right else "left", overflow="fold", no_wrap=place in right)
    for row in rows:
        table.add_row(*row)
    print(title)
    # A pipe has no width; there lines are long.
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 160, highlight=False, markup=False).print(table)


@contextmanager
def fit_progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show on stderr which of several fits is under way, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = ("fits", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda begun, total: bar.update(task, completed=begun, total=total)


@contextmanager
def search_progress() -> Iterator[Callable[[int, int, int], None] | None]:
    """Show placements done and programs found on stderr while a search runs, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = ("placements", BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, programs: bar.update(
            task, completed=done, total=total, description=f"{programs} programs"
        )


@contextmanager
def placement_progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show on stderr how many placements are priced, and the time left, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("placements", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
