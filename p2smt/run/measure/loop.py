"""Time many programs in sequence on persistent processes.

    reference, some programs, reference, some programs, ..., reference      (an all-reduce over all ranks)
The reference before, between and after the programs shows whether the machine's speed has changed meanwhile. A
program's time is that of its slowest rank in each repeat, and repeats end when `patience` is satisfied. Results are
compared with the collective's own. Pairs that the table has are skipped, so a stopped run continues.
Complexity: repeats of each pair, and one reference for every few pairs.
Reference: Hoefler and Belli, "Scientific benchmarking of parallel computing systems", 2015.

Example: if the second reference takes much longer than the first, the programs between the two are measured again.
"""

import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Protocol

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.problem.model import Problem
from p2smt.problem.system.algorithm import Algorithm, Auto
from p2smt.run.measure.pairs import Pair
from p2smt.run.measure.results import Result, Results, key_of, names_of
from p2smt.run.measure.stable import Patience, settled, spread
from p2smt.run.rank.message import Groups

REFERENCE_EVERY = 25
"""Number of programs between two measurements of the reference."""

WARMUPS = 2
"""Number of warm-up runs, needed until TCP shares a card evenly among its connections."""

MOST_DRIFT = 0.15
"""Relative change of the reference above which the programs since its last measurement are repeated once."""

_COMPARED = 4096


def _algorithm(backend: str) -> str:
    """Return the AllReduce algorithm as written in tables.

    This is the backend's name, or for NCCL the value of NCCL_ALGO, or "auto" if NCCL chooses itself.
    """
    if backend != "nccl":
        return backend
    named = os.environ.get("NCCL_ALGO", "").strip().lower()
    return named if named in set(Algorithm) else Auto.AUTO


class LoopReport(Protocol):
    """A timer's report on one task; see `p2smt.run.rank.report.TaskReport`."""

    @property
    def slowest(self) -> tuple[float, ...]:
        """Seconds of every repeat on its slowest rank."""
        ...

    @property
    def wrong(self) -> int:
        """The number of elements that differ from the reference collective, over all ranks; 0 if none was compared."""
        ...


class Timer(Protocol):
    """Persistent processes, one per rank; see `p2smt.run.local.cluster.LocalCluster`."""

    @property
    def backend(self) -> str:
        """The communication backend of the ranks: gloo or nccl."""
        ...

    @property
    def torch_version(self) -> str:
        """The version of torch in the ranks."""
        ...

    def time(
        self,
        source: str | None,
        goal: Collective,
        groups: Groups,
        elements: int,
        *,
        warmups: int = 1,
        repeats: int = 3,
        check: bool = False,
    ) -> LoopReport:
        """Time an emitted module on all ranks or, if `source` is None, the collective `goal` within `groups`."""
        ...


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of pairs: in total, measured in this run, already in the table, and with wrong results."""

    pairs: int
    measured: int
    known: int
    wrong: int


@dataclass(kw_only=True)
class MeasurementLoop:
    """Measures pairs of one problem and appends them to a table, skipping pairs that it contains already.

    After `deadline`, a time of `time.monotonic`, no further pair is started.
    """

    problem: Problem
    timer: Timer
    results: Results
    patience: Patience = field(default_factory=Patience)
    on_progress: Callable[[int, int, str], None] | None = None
    deadline: float | None = None
    _first_reference: float = 0.0
    _reference: float = 0.0
    _done: int = 0

    def run(self, pairs: Iterable[Pair]) -> Counts:
        """Measure the pairs, and the reference before, between and after them.

        Raises RunError if processes fail; earlier measurements are kept.
        """
        every = list(pairs)
        names = names_of(self.problem)
        left = [pair for pair in every if key_of(names, pair) not in self.results.known]
        wrong: list[int] = []
        if left:
            self._first_reference = self._reference = self._time_reference()
        for first in range(0, len(left), REFERENCE_EVERY):
            batch = left[first : first + REFERENCE_EVERY]
            for attempt in range(2):
                for position, pair in enumerate(batch, start=first):
                    if self.deadline is not None and time.monotonic() >= self.deadline:
                        return Counts(len(every), self._done, len(every) - len(left), sum(wrong))
                    if self.on_progress is not None:
                        self.on_progress(position, len(left), f"{pair.matrix} {pair.text}")
                    if attempt == 0:
                        wrong.append(self._differing(pair))
                    self._measure(pair, wrong[position])
                    self._done += attempt == 0
                before = self._reference
                self._reference = self._time_reference()
                if abs(self._reference / before - 1) <= MOST_DRIFT:
                    break
        return Counts(len(every), self._done, len(every) - len(left), sum(wrong))

    def _differing(self, pair: Pair) -> int:
        """Return the number of elements that differ from the reference collective; 0 for that collective itself."""
        if pair.plan is None:
            return 0
        source, few = emit_torch(pair.plan), min(self._elements, _COMPARED)
        return self.timer.time(source, pair.goal, pair.groups, few, warmups=0, repeats=1, check=True).wrong

    def _measure(self, pair: Pair, wrong: int) -> None:
        """Time a pair and append its row; `wrong` is the number of elements that differ."""
        source = None if pair.plan is None else emit_torch(pair.plan)
        self.results.add(self._result(pair, self._times(source, pair.goal, pair.groups), wrong))

    def _times(self, source: str | None, goal: Collective, groups: Groups) -> list[float]:
        """Return the seconds of repeats, until `patience` is satisfied."""
        times: list[float] = []
        while not self.patience.enough(times):
            begun = bool(times)
            warmups, repeats = (0, 1) if begun else (WARMUPS, self.patience.least)
            report = self.timer.time(source, goal, groups, self._elements, warmups=warmups, repeats=repeats)
            times += report.slowest
        return times

    def _time_reference(self) -> float:
        """Return the time of an all-reduce over all ranks, which shows whether the machine's speed has changed."""
        everyone = (tuple(range(self.problem.system.devices)),)
        return settled(self._times(None, Collective.ALL_REDUCE, everyone))

    def _result(self, pair: Pair, times: Sequence[float], wrong: int) -> Result:
        names = names_of(self.problem)
        return Result(
            sizes=names["sizes"],
            axes=names["axes"],
            reduce=names["reduce"],
            matrix=str(pair.matrix),
            program=pair.text,
            algorithm=_algorithm(self.timer.backend),
            bytes=self.problem.payload.bytes,
            seconds=float(f"{settled(times):.6g}"),
            repeats=len(times),
            spread=round(spread(times), 4),
            wrong=wrong,
            reference=float(f"{self._reference:.6g}"),
            drift=round(self._reference / self._first_reference, 4),
            backend=self.timer.backend,
            rates=names["rates"],
            p2smt=version("p2smt"),
            torch=self.timer.torch_version,
            host=f"{platform.system()} {platform.release()} {platform.machine()}",
            goal=pair.goal.value,
            measured=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        )

    @property
    def _elements(self) -> int:
        return self.problem.payload.elements
