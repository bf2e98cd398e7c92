"""Run a sweep: claim problems in chunks, have workers solve them, and store the results as they arrive.

Method: self-scheduling by chunks whose size follows the measured speed, smaller towards the end (Polychronopoulos and
Kuck, "Guided self-scheduling", 1987). After a chunk of n problems took s seconds,
    chunk = max(1, min(`MOST_IN_CHUNK`, 2 chunk, n `CHUNK_S` / s)),
    size of the next one = min(chunk, 1 + left // (`PER_WORKER` workers)).
If a worker dies, the chunks in flight are suspects, and are solved again one problem at a time. A problem on which
`DEATHS` workers died while nothing else ran is stored as an error, so a sweep ends even if a problem kills its worker.
Complexity: O(problems) besides their solution; at most `PER_WORKER` chunks for each worker are in flight.

Example: 4 problems in 0.1 s. The next chunk has min(64, 8, 40) = 8, then at most 16; with 9 problems left and 2
workers, at most 1 + 9 // 4 = 3.
"""

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
"""Target seconds of work per chunk."""

MOST_IN_CHUNK = 64

PER_WORKER = 2
"""Number of chunks in flight per worker, so that none runs idle."""

DEATHS = 3
"""Number of workers that may die on a problem solved alone before it counts as an error."""

LOOK_S = 0.2
"""Seconds between checks for a stop request."""

BEAT_S = 10.0
"""Seconds between heartbeats."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a sweep's problems: solved by this run, known otherwise, and left.

    `stopped` and `errors` count problems in the store with these statuses.
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
    """Problems being solved by a worker; `alone`: no other worker is busy."""

    keys: tuple[str, ...]
    alone: bool


@dataclass(kw_only=True)
class Study:
    """One run over tasks, given by key; `again` re-solves problems whose stored status is not ok.

    If workers die, the problems in flight are solved again one at a time, to find those that kill workers.
    `stopping` is polled for stop requests; `on_progress` is called with the number of problems done and their
    total.
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
        """Solve the problems that are not in the store. Raises StudyError if the store or all workers are lost."""
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
        """Submit work to keep the workers busy; a suspect problem is solved alone."""
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
        """Store finished results; wait briefly if there are none."""
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
        """Process all finished chunks. True if any was lost."""
        lost = False
        for future in [future for future in self._flying if future.done()]:
            flight = self._flying.pop(future)
            try:
                solved = future.result()
            except Exception as error:
                if not self.pool.lost(error) and not isinstance(error, InterruptedSearchError):
                    raise StudyError(
                        f"a worker failed: {type(error).__name__}: {error}; the results so far are kept, and the "
                        "same command continues"
                    ) from error
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
        """Record that a worker died with these problems; a problem that was solved alone may be the cause.

        After `DEATHS` such deaths the problem is stored as an error.
        """
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
        """Repair the pool; chunks in flight are lost with a broken pool, which shows on repairing it."""
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
