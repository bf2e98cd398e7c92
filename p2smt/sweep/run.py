"""Run a sweep file and store the results."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from p2smt.errors import StudyError
from p2smt.problem.typed import STDIN, names_file
from p2smt.sweep.loop import Study, Summary
from p2smt.sweep.pool import open_pool
from p2smt.sweep.rows import RowStatus
from p2smt.sweep.store import ResultStore
from p2smt.sweep.sweep import Expansion, expand
from p2smt.sweep.sweep_file import read_sweep


@dataclass(frozen=True, slots=True)
class SweepRun:
    """The tasks of a sweep, a summary of this run, and the store of the results."""

    expansion: Expansion
    summary: Summary
    store: Path


def planned_sweep(sweep_file: Path | str, store: Path | str | None = None, *, again: bool = False) -> SweepRun:
    """Return the tasks that `run_sweep` would solve, counted in `summary.left`, without solving any.

    No store is created. Raises StudyError or ProblemError as `run_sweep`.
    """
    file = Path(sweep_file)
    path = _store_of(file, store)
    expansion = expand(read_sweep(file))
    known: dict[str, RowStatus] = {}
    if names_file(path):
        with ResultStore(path, "local") as opened:
            known = opened.statuses()
    rows = Counter(known[key] for key in expansion.tasks if key in known)
    unfinished = rows[RowStatus.STOPPED] + rows[RowStatus.ERROR]
    left = len(expansion.tasks) - sum(rows.values()) + (unfinished if again else 0)
    summary = Summary(
        solved=0,
        known=len(expansion.tasks) - left,
        left=left,
        stopped=rows[RowStatus.STOPPED],
        errors=rows[RowStatus.ERROR],
    )
    return SweepRun(expansion, summary, path)


def _store_of(file: Path, store: Path | str | None) -> Path:
    """Return the given store, or the one beside the sweep file.

    Raises StudyError for standard input without a store.
    """
    if store is None and str(file) == STDIN:
        raise StudyError("a sweep from standard input has no file name; give --store FILE.sqlite")
    return file.with_suffix(".sqlite") if store is None else Path(store)


def run_sweep(
    sweep_file: Path | str,
    store: Path | str | None = None,
    executor: str = "local",
    *,
    again: bool = False,
    stopping: Callable[[], bool] = lambda: False,
    on_progress: Callable[[int, int], None] | None = None,
) -> SweepRun:
    """Solve every problem of a sweep that is not in the store; `Study` explains `again` and `stopping`.

    The store is an SQLite file, by default beside the sweep file and with the same name. `executor` is `local`
    (one process per CPU), `local:4` or `dask:tcp://HOST:PORT`. Scripts that use processes must guard their work
    by `if __name__ == "__main__"`. Raises StudyError or ProblemError with the location of the error.
    """
    file = Path(sweep_file)
    path = _store_of(file, store)
    expansion = expand(read_sweep(file))
    with open_pool(executor) as pool, ResultStore(path, executor) as opened:
        summary = Study(
            tasks=expansion.tasks, store=opened, pool=pool, again=again, stopping=stopping, on_progress=on_progress
        ).run()
    return SweepRun(expansion, summary, path)
