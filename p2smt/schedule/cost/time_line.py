"""Time lines of scheduled programs: when units, stages and chunks run, and the resources they occupy.

Units run one after the other. In a loop, stage k begins chunk c once it has ended chunk c - 1 and stage k - 1 chunk c:
    end(k, c) = max(end(k, c - 1), end(k - 1, c)) + time of stage k on a chunk,
the recurrence of a permutation flow shop (Johnson, "Optimal two- and three-stage production schedules", 1954). If
stages share a resource, the loop takes at least as long as that is busy; its spans are then stretched by one factor.
Complexity: one step for each stage and chunk.

Example: stages of 2 and 3 s on 2 chunks end at 2 and 5 s on the first chunk, at 4 and 8 s on the second.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.schedule.cost.estimate import StatementTime, timed_units
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.stage import Stage, chunk_ends, shared
from p2smt.schedule.scheduled import Loop, ScheduledProgram


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSpan:
    """The run of a unit, or of a loop's stage on one chunk, from `start` to `end` in seconds.

    `busy` has the busy seconds by resource.
    """

    unit: str
    stage: str
    chunk: int | None
    start: float
    end: float
    busy: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenCommunication:
    """Communication hidden by a loop, and the bound on hiding more.

    `stages` has the names of stages with their seconds outside the loop, `seconds` is the time of the loop, `way` says
    what was priced, and `start_ups` are the extra start-ups of chunks. `bound` is the resource that is busy all the
    time, used by the stages `users`; None if the longest stage is the bound.
    """

    loop: Loop
    way: str
    stages: tuple[tuple[str, float], ...]
    seconds: float
    start_ups: float
    bound: str | None
    users: tuple[str, ...]

    @property
    def in_turn(self) -> float:
        """The seconds of the stages in sequence, without the loop."""
        return sum(seconds for _, seconds in self.stages)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLine:
    """Spans in order of time; `busy` has the seconds of every resource, busiest first."""

    seconds: float
    spans: tuple[StageSpan, ...]
    hiding: tuple[HiddenCommunication, ...]
    busy: tuple[tuple[str, float], ...]


def time_line(scheduled: ScheduledProgram, pricer: Pricer) -> TimeLine:
    """Return the time line of a program: units in sequence, loop stages chunk by chunk.

    With shared resources, a loop's spans are stretched uniformly.
    """
    spans, hiding, now = list[StageSpan](), list[HiddenCommunication](), 0.0
    for (name, loop), timed in zip(scheduled.units(), timed_units(scheduled, pricer), strict=True):
        if loop is None:
            if timed.seconds:
                stage = pricer.stage(scheduled.members(name))
                spans.append(_span(name, name, None, now, now + timed.seconds, stage, 1))
            now += timed.seconds
            continue
        stages = [pricer.stage(scheduled.members(each)) for each in loop.stages]
        spans += _of_loop(loop, stages, timed, now)
        hiding.append(_hiding(loop, stages, timed))
        now += timed.seconds
    busy: dict[str, float] = {}
    for span in spans:
        for resource, seconds in span.busy:
            busy[resource] = busy.get(resource, 0.0) + seconds
    ordered = tuple(sorted(busy.items(), key=lambda each: (-each[1], each[0])))
    return TimeLine(seconds=now, spans=tuple(spans), hiding=tuple(hiding), busy=ordered)


def _span(unit: str, name: str, chunk: int | None, start: float, end: float, stage: Stage, chunks: int) -> StageSpan:
    busy = tuple((resource, seconds / chunks) for resource, seconds in stage.busy.items() if seconds)
    return StageSpan(unit=unit, stage=name, chunk=chunk, start=start, end=end, busy=busy)


def _of_loop(loop: Loop, stages: list[Stage], timed: StatementTime, start: float) -> Iterator[StageSpan]:
    rows = chunk_ends(stages, loop.chunks)
    # Where a resource is shared the loop takes longer than the recurrence says; all spans are stretched alike.
    stretched = timed.seconds / rows[-1][-1] if rows[-1][-1] else 1.0
    for number, (name, stage) in enumerate(zip(loop.stages, stages, strict=True)):
        for chunk, row in enumerate(rows):
            begun = max(rows[chunk - 1][number] if chunk else 0.0, row[number - 1] if number else 0.0)
            yield _span(
                loop.name,
                name,
                chunk,
                start + (begun * stretched),
                start + (row[number] * stretched),
                stage,
                loop.chunks,
            )


def _hiding(loop: Loop, stages: list[Stage], timed: StatementTime) -> HiddenCommunication:
    common = shared(stages)
    resource = max(common, key=lambda each: common[each], default=None)
    # Equal but for rounding: the loop takes as long as this resource is busy.
    bound = resource if resource is not None and common[resource] >= timed.seconds * (1 - 1e-12) else None
    users = tuple(name for name, stage in zip(loop.stages, stages, strict=True) if bound and stage.busy.get(bound))
    each = tuple((name, stage.seconds) for name, stage in zip(loop.stages, stages, strict=True))
    # Symmetric memory starts its copies once.
    again = 0.0 if timed.symmetric is not None else (loop.chunks - 1) * sum(stage.fixed for stage in stages)
    # Chunks are what a loop of calls has; symmetric memory has a block for each rank.
    way = f"{loop.chunks} chunks" if timed.symmetric is None else timed.way
    return HiddenCommunication(
        loop=loop, way=way, stages=each, seconds=timed.seconds, start_ups=again, bound=bound, users=users
    )
