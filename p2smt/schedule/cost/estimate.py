"""Estimated time of a scheduled program, unit by unit; loops by recurrence and by shared resources.

    program = sum of units
    loop    = max(chunk recurrence (`stage.py`), busy time of each resource that its stages share)
    loop with measured rates = simulated turn by turn (`turning.py`)
    loop by symmetric memory = pipelined pair (`pipelined.py`) + the rest,   if that is less
Complexity: O(units), and O(chunks x stages) for each loop.
Reference: Johnson, "Optimal two- and three-stage production schedules with setup times included", 1954 (the flow shop
behind the recurrence).

Example: a kernel of 3 ms and a loop of 2 chunks through stages of 4 and 5 ms a chunk: 3 + (4 + 5 + 5) = 17 ms.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

from p2smt.schedule.chunks import chunked
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.memory import PeakMemory
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.stage import Stage, chunk_ends, shared
from p2smt.schedule.cost.turning import turned_seconds
from p2smt.schedule.scheduled import Loop, ScheduledProgram
from p2smt.schedule.symmetric_memory import PipelinedPair, pipelined_pair


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementTime:
    """A statement, group or loop, with its time in seconds: seconds = fixed + moving - hidden.

    `fixed` are start-ups, and `moving` grows with sizes. `hidden` is saved by overlapping a loop's stages,
    and by bursts of links that were idle. `symmetric` is what a loop does by one operation of symmetric memory, if
    that was priced because it is faster than calls on chunks.
    """

    name: str
    way: str
    fixed: float
    moving: float
    hidden: float = 0.0
    symmetric: PipelinedPair | None = None

    @property
    def seconds(self) -> float:
        """The total time."""
        return self.fixed + self.moving - self.hidden


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The time of a scheduled program, unit by unit. `holding` computes a rank's peak memory."""

    seconds: float
    units: tuple[StatementTime, ...]
    holding: Callable[[], PeakMemory] = field(repr=False, compare=False)

    @cached_property
    def held(self) -> PeakMemory:
        """The peak memory of a rank, computed on first use."""
        return self.holding()

    @property
    def parts(self) -> tuple[float, float, float]:
        """Seconds of start-ups, seconds proportional to sizes, hidden seconds; total = first + second - third."""
        units = self.units
        return sum(unit.fixed for unit in units), sum(unit.moving for unit in units), sum(unit.hidden for unit in units)


def estimate(scheduled: ScheduledProgram, machine: Machine, pricer: "Pricer | None" = None) -> Estimate:
    """Return the time of one run of the program.

    ProgramError if the mesh does not fit the system. `pricer` may be that of a program with the same
    statements and reduction programs in another order.
    """
    pricer = Pricer(scheduled, machine) if pricer is None else pricer
    units = tuple(timed_units(scheduled, pricer))
    return Estimate(seconds=sum(unit.seconds for unit in units), units=units, holding=lambda: pricer.held(scheduled))


def timed_units(scheduled: ScheduledProgram, pricer: Pricer) -> Iterator[StatementTime]:
    """Yield every unit; the first includes the program's time outside of calls."""
    start = 0.0 if pricer.rates is None else pricer.rates.start
    for unit in _timed(scheduled, pricer):
        yield replace(unit, fixed=unit.fixed + start) if start else unit
        start = 0.0


def _timed(scheduled: ScheduledProgram, pricer: Pricer) -> Iterator[StatementTime]:
    """Yield every unit; idle links save up a burst, and are idle before the program."""
    idle = inf
    for name, loop in scheduled.units():
        if loop is not None:
            yield looped(scheduled, loop, pricer, idle)
            idle = 0.0
            continue
        stage = pricer.stage(scheduled.members(name))
        hidden = stage.saved(idle)
        yield StatementTime(name=name, way=stage.way, fixed=stage.fixed, moving=stage.moving, hidden=hidden)
        idle = 0.0 if stage.wires else idle + stage.seconds


def looped(scheduled: ScheduledProgram, loop: Loop, pricer: Pricer, idle: float = 0.0) -> StatementTime:
    """Return the time of a loop, after `idle` seconds of idle links; with measured rates, as emitted."""
    units = [scheduled.members(each) for each in loop.stages]
    if pricer.rates is None:
        stages = [pricer.stage(members) for members in units]
        # A loop takes at least the recurrence and at least the busy time of each shared resource.
        called = _looped(loop, stages, max([chunk_ends(stages, loop.chunks)[-1][-1], *shared(stages).values()]))
        pipelined = _pipelined(scheduled, loop, stages, pricer)
        return called if pipelined is None else min(called, pipelined, key=lambda each: each.seconds)
    inside = {member for each in units for member in each}
    members = [each.name for each in scheduled.program.statements if each.name in inside]
    calls_on = pricer.on_chunks(chunked(scheduled.program, tuple(members), loop.dimension), loop.chunks)
    stages = [pricer.in_loop(name, calls_on, pricer.rates) for each in units for name in each]
    return _looped(loop, stages, turned_seconds(stages, loop.chunks, pricer.rates, idle))


def _pipelined(
    scheduled: ScheduledProgram, loop: Loop, stages: Sequence[Stage], pricer: Pricer
) -> StatementTime | None:
    """Return the time of a loop whose pair is one operation of symmetric memory, with the rest behind it, or None."""
    pair = pipelined_pair(scheduled, loop)
    taken = None if pair is None else pricer.pipelined(pair.contraction, pair.collective)
    if pair is None or taken is None:
        return None
    rest = pricer.stage(pair.rest).seconds if pair.rest else 0.0
    fixed, moving = sum(stage.fixed for stage in stages), sum(stage.moving for stage in stages)
    way = f"symmetric memory: {pair.contraction} with {pair.collective}, started once"
    if pair.rest:
        way = f"{way}; {pricer.stage(pair.rest).way}"
    seconds = taken.seconds + rest
    return StatementTime(
        name=loop.name, way=way, fixed=fixed, moving=moving, hidden=fixed + moving - seconds, symmetric=pair
    )


def _looped(loop: Loop, stages: Sequence[Stage], seconds: float) -> StatementTime:
    """Return the time of a loop that takes `seconds`; the rest of its stages' time is hidden."""
    ways = "; ".join(stage.way for stage in stages)
    fixed, moving = sum(stage.fixed for stage in stages), sum(stage.moving for stage in stages)
    return StatementTime(
        name=loop.name, way=f"{loop.chunks} chunks: {ways}", fixed=fixed, moving=moving, hidden=fixed + moving - seconds
    )
