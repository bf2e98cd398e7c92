"""Progress on a terminal: how much is done, with a note and the time left or elapsed."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from p2smt.cli.output.aside import is_quiet


class OnProgress(Protocol):
    """A progress callback: `done` of `total`, and a note such as a number of programs or a name."""

    def __call__(self, done: int, total: int, note: int | str = "", /) -> None:
        """Update the display."""
        ...


@contextmanager
def progress(what: str, *, note: str = "{}", remaining: bool = True) -> Iterator[OnProgress | None]:
    """Show the progress of `what` on stderr; yields None, and shows nothing, if stderr is not a terminal.

    `note` is a format for the note, such as "{} programs". With `remaining=False`, for parts of unequal duration,
    the elapsed time is shown instead of the estimated time left.
    """
    if is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    clock = TimeRemainingColumn() if remaining else TimeElapsedColumn()
    columns = (what, BarColumn(), TextColumn("{task.fields[count]}"), TextColumn("{task.description}"), clock)
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task("", total=None, count="")  # no count before the total is known

        def show(done: int, total: int, known: int | str = "", /) -> None:
            text = "" if known == "" else note.format(known)[:60]
            bar.update(task, completed=done, total=total, description=text, count=f"{done}/{total}")

        yield show


@contextmanager
def working(what: str, after_s: float = 2.0) -> Iterator[None]:
    """Show on stderr, if it is a terminal, that work is in progress and since when, once `after_s` has passed."""
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
