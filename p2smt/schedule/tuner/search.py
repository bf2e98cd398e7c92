"""The breadth-first search over schedules: levels of proved schedules, each once.

With L[d] the schedules of d moves, apply(s, m) the proved result of a move, and least(s) the lower bound of `bound.py`,
    L[d + 1] = { apply(s, m) : s in L[d], m in moves(s), m not asleep in s }  without those that are known already,
    no fusing or overlapping of s   if least(s) exceeds the top-th fastest time, or the rival's, by more than `SLACK`,
    asleep(apply(s, m)) = overlaps tried before m in s, or asleep in s, that share no stage with m   if m is an overlap.
Equal schedules are recognised by their canonical form (`canonical.py`). The fastest schedules of a level come first, so
that they bound the others; the number of levels follows `request.py`, and `tuner/__init__.py` says why the answer is
exact.
Complexity: O(moves^depth) proofs and prices in the worst case, at most `MOST_SCHEDULES` schedules.
Reference: Godefroid, "Partial-order methods for the verification of concurrent systems", 1996 (sleep sets).

Example: overlaps A and B without a common stage, tried in this order. A then B is searched; behind B, A is asleep,
since B then A gives the same schedule.
"""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, groupby

from p2smt.schedule.apply import apply
from p2smt.schedule.cost.estimate import Estimate, estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.memory import PeakMemory
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.naming import WrongNamesError
from p2smt.schedule.outcome import RefusedStep, StepVerdict
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Fuse, Line, Overlap, Reorder, Schedule, Step
from p2smt.schedule.tuner.bound import least_seconds
from p2smt.schedule.tuner.canonical import Canonical, Form
from p2smt.schedule.tuner.moves import moves
from p2smt.schedule.tuner.reductions import Reductions
from p2smt.schedule.tuner.request import EFFORT, TuningRequest
from p2smt.schedule.tuner.result import PricedSchedule, TuningResult
from p2smt.schedule.tuner.tidying import tidied
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.verify.verdict import Proved, Refuted, Unknown

MOST_SCHEDULES = 2000
CHUNKS = (4, 8, 16, 32)
"""Numbers of chunks tried besides 2."""
SLACK = 1e-9
"""Relative tolerance for sums of the same seconds in another order."""


def tune(
    program: Program,
    machine: Machine,
    depth: int | None = None,
    most: int = MOST_SCHEDULES,
    top: int | None = None,
    on_progress: Callable[[int], None] | None = None,
    *,
    memory: int | None = None,
    deadline: float | None = None,
    programs: bool = True,
    effort: int | None = EFFORT,
    rival: float | None = None,
) -> TuningResult:
    """Search the schedules of a program on its mesh, with at most `depth` moves and at most `most` schedules.

    Without `depth`, the search deepens as described in `request.py`, until `effort` statements times ranks
    are checked (None: until `deadline`). At `deadline`, a time of `time.monotonic`, the schedules found so
    far are returned. Without `programs`, no reduction programs are tried, for a machine whose carrier does
    that. With `top`, schedules that cannot be among that many fastest are pruned; the fastest stay exact. With
    `rival`, so are those that cannot take less than so many seconds.
    With `memory` (bytes), only schedules within that peak memory on every rank are returned; larger ones are
    still extended, since later steps may reduce it. Where possible, states are stored in slices and unread
    gathers removed; these steps are in the schedule, but do not count as moves. ProgramError if the mesh does
    not fit the system.
    """
    asked = TuningRequest(depth, most, top, memory, deadline, programs, effort, rival)
    return _Search(asked, machine, on_progress).run(program)


@dataclass(frozen=True, slots=True)
class _State:
    """A schedule, the conversions it has moved (`settled`), and the loops `asleep`, explored in another order.

    Loops without a common stage commute; of the two orders only the one of `moves` is explored (sleep sets;
    Godefroid, 1996).
    """

    priced: PricedSchedule
    settled: frozenset[str] = frozenset()
    asleep: frozenset[Overlap] = frozenset()


class _Search:
    def __init__(self, asked: TuningRequest, machine: Machine, on_progress: Callable[[int], None] | None) -> None:
        self._machine = machine
        self._asked = asked
        self._seconds: list[float] = []
        self._commuting = self._bounded = self._left = 0
        self._on_progress = on_progress
        self._canonical = Canonical()
        self._reductions = Reductions(machine)
        self._known: dict[Form, PricedSchedule] = {}
        self._refused: Counter[str] = Counter()
        self._refusals: dict[str, RefusedStep] = {}
        self._tried = self._equal = self._not_proved = 0
        self._names = count(1)
        self._pricers: dict[object, Pricer] = {}

    def run(self, program: Program) -> TuningResult:
        untouched = self._kept(ScheduledProgram(program), ())
        assert untouched is not None
        level, cut_off, unfollowed, depth = [_State(untouched)], "", 0, 0
        size = len(program.statements) * world(program.mesh)
        while (stopped := self._asked.stop(depth, len(level), self._tried * size)) is None:
            # Fastest first, so that good schedules are found early and bound the others.
            ordered, new = sorted(level, key=_seconds), list[_State]()
            for index, state in enumerate(ordered):
                new += self._behind(state)
                cut_off = self._asked.over(len(self._known))
                if cut_off:
                    unfollowed = len(ordered) - index - 1 + (len(new) if depth + 1 < self._asked.deepest else 0)
                    break
            if cut_off:
                break
            level, depth = new, depth + 1
        if cut_off and self._asked.effort is None:  # as long as was asked for, and no failure
            stopped, cut_off = cut_off, ""
        everything = tuple(self._known.values())
        fitting = (each for each in everything if self._asked.fits(each.estimate))
        found = tuple(_fastest_first(fitting))
        return TuningResult(
            found=found,
            untouched=untouched,
            depth=depth,
            stopped=stopped or "",
            tried=self._tried,
            equal=self._equal,
            refused=tuple(sorted(self._refused.items())),
            not_proved=self._not_proved,
            commuting=self._commuting,
            bounded=self._bounded,
            too_large=len(everything) - len(found),
            smallest=self._smallest(everything),
            memory=self._asked.memory,
            cut_off=cut_off,
            left=self._left,
            unfollowed=unfollowed,
            refusals=tuple(each for _, each in sorted(self._refusals.items())),
        )

    def _behind(self, state: _State) -> Iterator[_State]:
        before, asleep = state.priced, set(state.asleep)
        pricer = self._pricer(before.scheduled)
        least = least_seconds(before.scheduled, pricer)
        reducing = self._reductions.steps(before.scheduled, pricer) if self._asked.programs else ()
        steps = moves(before.scheduled, state.settled, reducing)
        for step in steps:
            if self._asked.over(len(self._known)):
                self._left += 1 + sum(1 for _ in steps)
                return
            if step in state.asleep:
                self._commuting += 1
                continue
            if isinstance(step, Fuse | Overlap) and self._is_beaten(least):
                self._bounded += 1
                continue
            new = self._tried_step(before, step)
            if new is not None:
                yield replace(new, settled=state.settled | new.settled, asleep=_commuting(step, asleep))
            if isinstance(step, Overlap):
                asleep.add(step)

    def _tried_step(self, before: PricedSchedule, step: Step) -> _State | None:
        """Return the state after a step; None if the step is refused or leads to a known schedule."""
        self._tried += 1
        line, verdict = self._applied(before.scheduled, step)
        match verdict:
            case Proved(applied):
                line, scheduled = self._chunked(before.scheduled, line, applied.scheduled)
                new = self._kept(*tidied(scheduled, (*before.schedule, line)))
                made = line.results if isinstance(step, Reorder) else ()
                return None if new is None else _State(new, frozenset(made))
            case Refuted(refused):
                self._refused[refused.reason.name] += 1
                if refused.reason.name not in self._refusals:
                    self._refusals[refused.reason.name] = _shown(before.scheduled, refused)
            case Unknown():
                self._not_proved += 1
        return None

    def _is_beaten(self, least: float) -> bool:
        """True if the rival, or the requested number of schedules, is already faster than this bound."""
        asked, rival = self._asked.top, self._asked.rival
        if rival is not None and least > rival * (1 + SLACK):
            return True
        return asked is not None and len(self._seconds) >= asked and least > self._seconds[asked - 1] * (1 + SLACK)

    def _kept(self, scheduled: ScheduledProgram, schedule: Schedule) -> PricedSchedule | None:
        """Record and return the priced schedule; None if an equal one is known."""
        form = self._canonical.form(scheduled)
        if form in self._known:
            self._equal += 1
            return None
        made = PricedSchedule(schedule=schedule, scheduled=scheduled, estimate=self._estimate(scheduled))
        self._known[form] = made
        if self._asked.fits(made.estimate):
            # Kept sorted, for `_is_beaten` to read the k-th fastest.
            insort(self._seconds, made.estimate.seconds)
        if self._on_progress is not None:
            self._on_progress(len(self._known))
        return made

    def _applied(self, scheduled: ScheduledProgram, step: Step) -> tuple[Line, StepVerdict]:
        """Apply a step, with generated names for its results."""
        line = Line(step)
        while True:
            try:
                # Refusals are counted; numbers that show them are searched for one of each kind alone.
                return line, apply(scheduled, line, with_example=False)
            except WrongNamesError as wrong:
                number = next(self._names)
                line = Line(step, tuple(f"s{number}.{position}" for position in range(wrong.makes)))

    def _chunked(self, before: ScheduledProgram, line: Line, after: ScheduledProgram) -> tuple[Line, ScheduledProgram]:
        """Choose the number of chunks of a loop.

        All are priced; the fastest that fits in memory and is proved is taken.
        """
        if not isinstance(line.step, Overlap):
            return line, after
        loop = after.loops[-1]
        loops = {chunks: (*after.loops[:-1], replace(loop, chunks=chunks)) for chunks in (loop.chunks, *CHUNKS)}
        prices = {chunks: self._estimate(replace(after, loops=made)) for chunks, made in loops.items()}
        for chunks in sorted(prices, key=lambda chunks: self._asked.order(prices[chunks])):
            if chunks == loop.chunks:
                break
            other = replace(line, step=replace(line.step, chunks=chunks))
            verdict = apply(before, other)
            if isinstance(verdict, Proved):
                return other, verdict.evidence.scheduled
        return line, after

    def _smallest(self, found: Iterable[PricedSchedule]) -> PeakMemory | None:
        """Return the smallest peak memory of any schedule; None if memory is not limited."""
        every = () if self._asked.memory is None else (each.estimate.held for each in found)
        return min(every, key=lambda held: held.peak, default=None)

    def _estimate(self, scheduled: ScheduledProgram) -> Estimate:
        return estimate(scheduled, self._machine, self._pricer(scheduled))

    def _pricer(self, scheduled: ScheduledProgram) -> Pricer:
        program = scheduled.program
        key = (program.sources, frozenset(program.statements), scheduled.implementations)
        if key not in self._pricers:
            self._pricers[key] = Pricer(scheduled, self._machine)
        return self._pricers[key]


def _fastest_first(found: Iterable[PricedSchedule]) -> Iterator[PricedSchedule]:
    """Yield schedules by time; equally fast ones by peak memory."""
    by_time = sorted(found, key=lambda each: each.estimate.seconds)
    for _, equal in groupby(by_time, key=lambda each: each.estimate.seconds):
        alike = list(equal)
        yield from alike if len(alike) == 1 else sorted(alike, key=lambda each: each.estimate.held.peak)


def _shown(scheduled: ScheduledProgram, refused: RefusedStep) -> RefusedStep:
    """Return a refused step with numbers that show the failure, if any are found."""
    verdict = apply(scheduled, refused.line)
    return verdict.counter_example if isinstance(verdict, Refuted) else refused


def _seconds(state: _State) -> float:
    return state.priced.estimate.seconds


def _commuting(step: Step, earlier: set[Overlap]) -> frozenset[Overlap]:
    """Return the earlier loops that share no stage with this one."""
    if not isinstance(step, Overlap):
        return frozenset()
    return frozenset(each for each in earlier if not set(each.stages) & set(step.stages))
