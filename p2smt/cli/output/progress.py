"""Progress on a terminal: how much is done, and what is known so far or how long it will take."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from p2smt.cli.options.aside import is_quiet


class OnProgress(Protocol):
    """A callback for progress: `done` of `total`, and a note such as a number of programs or a name."""

    def __call__(self, done: int, total: int, note: int | str = "", /) -> None:
        """Show it."""
        ...


@contextmanager
def progress(what: str, *, note: str = "{}", remaining: bool = True) -> Iterator[OnProgress | None]:
    """Show on stderr how many of `what` are done, if that is a terminal; None, for nothing to show, if not.

    `note` is the form of the note, such as "{} programs". Without `remaining`, where parts take very different times,
    the time that has gone is shown instead of the time that is left.
    """
    if is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    clock = TimeRemainingColumn() if remaining else TimeElapsedColumn()
    columns = (what, BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), clock)
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task("", total=None)

        def show(done: int, total: int, known: int | str = "", /) -> None:
            text = "" if known == "" else note.format(known)[:60]
            bar.update(task, completed=done, total=total, description=text)

        yield show


@contextmanager
def working(what: str, after_s: float = 2.0) -> Iterator[None]:
    """Show on stderr, if that is a terminal, that something is under way, and since when, once it takes so long."""
    if is_quiet() or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(what, total=None)
    timer = threading.Timer(after_s, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
