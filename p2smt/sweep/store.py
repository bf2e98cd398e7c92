"""A store of results: complete rows are added, each problem once, even with concurrent writers."""

import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self

from p2smt.errors import StudyError
from p2smt.sweep.environment import Environment
from p2smt.sweep.job_rows import JobOutcome
from p2smt.sweep.process import Process, is_alive, this_process
from p2smt.sweep.rows import ProblemOutcome, RowStatus
from p2smt.sweep.solve import AnyOutcome
from p2smt.sweep.store_file import drop_log, open_store, transaction

_STATUSES = "SELECT key, status FROM problems UNION ALL SELECT key, status FROM jobs"


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """Keys of problems by state: taken by this run, already solved, or being solved by another live run."""

    taken: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    busy: tuple[str, ...] = ()


class ResultStore:
    """One run's view of a store; a context manager.

    Invariant: a row with status ok never changes; any other row is replaced by later results. A problem is in
    the store with all its placements or not at all, even if a process is killed.
    """

    def __init__(self, path: Path, executor: str) -> None:
        """Open or create the file, and register this run. Raises StudyError if that fails."""
        self.path = path
        self.run = secrets.token_hex(8)
        self._connection = open_store(path)
        me = this_process()
        row = (self.run, version("p2smt"), me.machine, me.process, executor, _now(), time.time(), None)
        with self._writing():
            self._connection.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release all claims and close; added rows stay."""
        try:
            with self._writing():
                self._connection.execute("DELETE FROM claims WHERE run = ?", (self.run,))
                self._connection.execute("UPDATE runs SET ended = ? WHERE id = ?", (_now(), self.run))
            drop_log(self._connection)
        finally:
            self._connection.close()

    def statuses(self) -> dict[str, RowStatus]:
        """Return the status of every problem and job in the store, by key."""
        with self._explained():
            return {key: RowStatus(found) for key, found in self._connection.execute(_STATUSES)}

    def claim(self, keys: Sequence[str], again: bool = False) -> ClaimResult:
        """Claim the problems that nobody has solved or is solving; with `again`, also those whose status is not ok."""
        found: dict[str, list[str]] = {"taken": [], "known": [], "busy": []}
        with self._writing():
            for run in self._dead():
                self._connection.execute("DELETE FROM claims WHERE run = ?", (run,))
            for key in keys:
                found[self._claim(key, again)].append(key)
            self._beat()
        return ClaimResult(**{name: tuple(listed) for name, listed in found.items()})

    def add(self, outcomes: Iterable[AnyOutcome], environment: Environment) -> None:
        """Add rows in one transaction; problems added by another run in the meantime are unchanged."""
        with self._writing():
            self._connection.execute(
                "INSERT OR IGNORE INTO environments VALUES (?, ?, ?, ?, ?)", (environment.id, *astuple(environment))
            )
            for outcome in outcomes:
                self._add(outcome)
            self._beat()

    def release(self, keys: Iterable[str]) -> None:
        """Release claims."""
        with self._writing():
            self._connection.executemany("DELETE FROM claims WHERE key = ? AND run = ?", [(k, self.run) for k in keys])

    def beat(self) -> None:
        """Record a heartbeat of this run."""
        with self._writing():
            self._beat()

    def _claim(self, key: str, again: bool) -> str:
        row = self._connection.execute(f"SELECT status FROM ({_STATUSES}) WHERE key = ?", (key,)).fetchone()
        if row is not None and (row[0] == RowStatus.OK or not again):
            return "known"
        # The key is unique, so of several runs only one inserts it: the claim is the lock.
        made = self._connection.execute("INSERT OR IGNORE INTO claims VALUES (?, ?)", (key, self.run)).rowcount
        return "taken" if made else "busy"

    def _add(self, outcome: AnyOutcome) -> None:
        key = outcome.task.key
        match outcome:
            case ProblemOutcome():
                own, parts = "problems", "placements"
            case JobOutcome():
                own, parts = "jobs", "job_placements"
        # A row that is ok stays for ever; the insert below then does nothing. Placements of a deleted row go with it
        # (foreign key).
        self._connection.execute(f"DELETE FROM {own} WHERE key = ? AND status <> 'ok'", (key,))
        sql = f"INSERT INTO {own} VALUES ({_marks(outcome.row)}) ON CONFLICT (key) DO NOTHING"
        if self._connection.execute(sql, outcome.row).rowcount:
            for row in map(astuple, outcome.placements):
                self._connection.execute(f"INSERT INTO {parts} VALUES ({_marks(row)})", row)
        self._connection.execute("DELETE FROM claims WHERE key = ? AND run = ?", (key, self.run))

    def _dead(self) -> list[str]:
        """Return the runs that hold claims but are no longer alive."""
        found = self._connection.execute(
            "SELECT id, machine, process, seen FROM runs WHERE id <> ? AND id IN (SELECT DISTINCT run FROM claims)",
            (self.run,),
        )
        now = time.time()
        return [run for run, machine, process, seen in found if not is_alive(Process(machine, process), now - seen)]

    def _beat(self) -> None:
        self._connection.execute("UPDATE runs SET seen = ? WHERE id = ?", (time.time(), self.run))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._explained(), transaction(self._connection):
            yield

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as cause:
            raise StudyError(
                f"cannot write {self.path}: {cause}; results so far are kept, and the same command continues from there"
            ) from cause


def _marks(row: Sequence[object]) -> str:
    return ", ".join("?" * len(row))


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
