"""Working through the problems of a sweep: claimed in chunks, solved elsewhere, added as they come back."""

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

from p2smt.errors import InterruptedSearchError, StudyError
from p2smt.sweep.environment import environment
from p2smt.sweep.pool import Pool
from p2smt.sweep.rows import RowStatus
from p2smt.sweep.solve import SolvedChunk, failure, solve_chunk
from p2smt.sweep.store import ResultStore
from p2smt.sweep.task import AnyTask

CHUNK_S = 1.0
"""The seconds of work that a chunk should have."""

MOST_IN_CHUNK = 64

PER_WORKER = 2
"""The number of chunks in flight per worker, so that none waits for the next."""

DEATHS = 3
"""The number of workers that may die over a problem solved alone before it counts as an error."""

LOOK_S = 0.2
"""Seconds between two looks at whether to stop."""

BEAT_S = 10.0
"""Seconds between two heartbeats."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Numbers of problems of a sweep that this run solved, that were known otherwise, and that are left.

    `stopped` and `errors` count the problems whose rows are not ok, of all that are in the store.
    """

    solved: int
    known: int
    left: int
    stopped: int
    errors: int

    @property
    def complete(self) -> bool:
        """True if every problem has its full result."""
        return not (self.left or self.stopped or self.errors)


@dataclass(frozen=True, slots=True)
class Flight:
    """Problems that a worker has; `alone`: no other worker has anything."""

    keys: tuple[str, ...]
    alone: bool


@dataclass(kw_only=True)
class Study:
    """One run over tasks by key. `again` solves problems once more whose row is not ok.

    Problems that were in flight when workers died are solved again, one alone at a time, until it is known which
    of them the workers die of. `stopping` is asked now and then; `on_progress` gets the problems done and their number.
    """

    tasks: Mapping[str, AnyTask]
    store: ResultStore
    pool: Pool
    again: bool = False
    stopping: Callable[[], bool] = lambda: False
    on_progress: Callable[[int, int], None] | None = None
    _left: deque[str] = field(default_factory=deque)
    _busy: deque[str] = field(default_factory=deque)
    _suspects: deque[str] = field(default_factory=deque)
    _flying: dict[Future[SolvedChunk], Flight] = field(default_factory=dict)
    _deaths: Counter[str] = field(default_factory=Counter)
    _solved: int = 0
    _chunk: int = 4
    _beaten: float = 0.0

    def run(self) -> Summary:
        """Solve what is not in the store; raises StudyError when the store or all workers are lost."""
        known = self.store.statuses()
        final = {RowStatus.OK} if self.again else set(RowStatus)
        self._left.extend(key for key in self.tasks if known.get(key) not in final)
        total = len(self._left)
        while self._left or self._busy or self._suspects or self._flying:
            if self.stopping():
                break
            self._launch()
            self._land()
            if self.on_progress is not None:
                self.on_progress(
                    total - len(self._left) - len(self._busy) - len(self._suspects) - self._in_flight(), total
                )
        return self._summary()

    def _in_flight(self) -> int:
        return sum(len(flight.keys) for flight in self._flying.values())

    def _launch(self) -> None:
        """Keep the workers busy; a suspect flies alone."""
        if self._suspects:
            if not self._flying:
                self._submit((self._suspects.popleft(),), alone=True)
            return
        if not self._left and not self._flying:
            self._left, self._busy = self._busy, self._left  # another run had them; it may be done or dead by now
        most = PER_WORKER * self.pool.workers
        while self._left and len(self._flying) < most and not self._suspects:
            # Smaller chunks towards the end, so that all workers end at about the same time.
            size = min(self._chunk, 1 + len(self._left) // most)
            claimed = self.store.claim([self._left.popleft() for _ in range(min(size, len(self._left)))], self.again)
            self._busy.extend(claimed.busy)
            if claimed.taken:
                self._submit(claimed.taken)

    def _submit(self, keys: tuple[str, ...], alone: bool = False) -> None:
        try:
            future = self.pool.executor.submit(solve_chunk, tuple(self.tasks[key] for key in keys))
        except Exception as error:
            if not self.pool.lost(error):
                raise
            self._suspects.extend(keys)
            self._mend()
        else:
            self._flying[future] = Flight(keys, alone)

    def _land(self) -> None:
        """Add what has come back; wait a moment where nothing has."""
        if self._flying:
            wait(self._flying, timeout=LOOK_S, return_when=FIRST_COMPLETED)
        elif self._busy and not self._left:
            time.sleep(LOOK_S)
        if self._settle():
            self._mend()
        if time.monotonic() - self._beaten > BEAT_S:
            self._beaten = time.monotonic()
            self.store.beat()

    def _settle(self) -> bool:
        """Take in all that is done; whether any of it was lost."""
        lost = False
        for future in [future for future in self._flying if future.done()]:
            flight = self._flying.pop(future)
            try:
                solved = future.result()
            except Exception as error:
                if not self.pool.lost(error) and not isinstance(error, InterruptedSearchError):
                    raise StudyError(f"a worker failed: {type(error).__name__}: {error}") from error
                lost = True
                self._lose(flight)
            else:
                self._add(solved)
        return lost

    def _add(self, solved: SolvedChunk) -> None:
        theirs, ours = solved.environment.p2smt, environment().p2smt
        if theirs != ours:
            raise StudyError(f"a worker has p2smt {theirs}, this is {ours}; install the same for every worker")
        self.store.add(solved.outcomes, solved.environment)
        self._solved += len(solved.outcomes)
        # At most twice as many as before: one quick chunk says little about the next problems.
        wanted = CHUNK_S * len(solved.outcomes) / max(solved.seconds, 1e-3)
        self._chunk = max(1, min(MOST_IN_CHUNK, 2 * self._chunk, int(wanted)))

    def _lose(self, flight: Flight) -> None:
        """A worker died with these problems; of one that was alone it may have died."""
        if flight.alone:
            (key,) = flight.keys
            self._deaths[key] += 1
            if self._deaths[key] >= DEATHS:
                reason = f"{DEATHS} worker processes died while they solved it; the memory may not be enough"
                self.store.add([failure(self.tasks[key], reason)], environment())
                self._solved += 1
                return
        self._suspects.extend(flight.keys)

    def _mend(self) -> None:
        """Workers again; what a broken pool still had in flight is lost, and known to be when it is repaired."""
        if not self.stopping():
            self.pool.repair()
            self._settle()

    def _summary(self) -> Summary:
        found = self.store.statuses()
        counts = Counter(found[key] for key in self.tasks if key in found)
        return Summary(
            solved=self._solved,
            known=sum(counts.values()) - self._solved,
            left=len(self.tasks) - sum(counts.values()),
            stopped=counts[RowStatus.STOPPED],
            errors=counts[RowStatus.ERROR],
        )
