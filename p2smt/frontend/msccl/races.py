"""Races: steps of different threadblocks that access one chunk, at least one of them writing, without an order.

A step comes after the earlier steps of its threadblock, the step that its dependency waits for, the step that
sent the message it receives, and everything before those. Free slots of connections impose no order here, because
their number depends on the protocol. A step's vector clock counts, for every threadblock, the steps before it,
itself included.

Method: vector clocks (Mattern, "Virtual time and global states of distributed systems", 1989), along one order in which
the steps can run. For step n (counted from 0) of threadblock t,
    clock(t) = max(clock(t), clock of the awaited step, clock of the sending step), entry by entry,
    clock(t)[t] = n + 1.
An earlier access by step m of threadblock u precedes it exactly if clock(t)[u] > m. Per chunk, only the last write and
the reads since then can race with the next access.
Complexity: O(steps x threadblocks of a batch) entries; GPUs are done in batches whose clocks fit into `MOST_CLOCKS`.

Example: threadblock 0 writes i[0] in step 0, threadblock 1 reads it in step 0. With depid=0 and deps=0 on the latter,
its clock is (1, 1), and 1 > 0: ordered. Without, it is (0, 1): a race.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from p2smt.errors import VerifyError
from p2smt.frontend.msccl.order import CompletedStep
from p2smt.frontend.msccl.schedule import SCRATCH, MscclSchedule, Spot, awaited
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule

MOST_CLOCKS = 2**26
"""The largest number of clock entries held in memory at a time."""

MOST_LOOKED_AT = 2**22
"""The most steps that are visited, over all batches of threadblocks."""

Waits = dict[Spot, Spot | None]
Clock = npt.NDArray[np.int32]
Cell = tuple[int, str, int]
"""GPU, buffer, chunk."""


@dataclass(slots=True)
class _ChunkAccess:
    """The last write of a chunk, and all reads since that write."""

    write: Spot | None = None
    reads: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Race:
    """Two unordered steps that access one cell, with the position of the later one (from 1) and the access of each."""

    number: int
    other: Spot
    does: tuple[str, str]
    cell: Cell


def check_races(schedule: MscclSchedule) -> None:
    """Raise VerifyError if a schedule has too many threadblocks and steps for the search for races."""
    batches = sum(1 for _ in _batches(schedule, awaited(schedule)))
    if schedule.steps * batches > MOST_LOOKED_AT:
        raise VerifyError(
            f"{schedule.steps} steps of {len(schedule.blocks)} threadblocks take {batches} rounds of the race "
            f"check, which covers at most {MOST_LOOKED_AT} steps, counted over all rounds"
        )


def race_of(schedule: MscclSchedule, order: tuple[CompletedStep, ...], in_place: bool) -> PlanMistake | None:
    """Return the first pair of unordered conflicting steps as a mistake; with `in_place`, i and o are one buffer.

    Only threadblocks of one GPU can race, so clocks are computed for a few GPUs at a time.
    """
    waits = awaited(schedule)
    races = [_race_among(schedule, order, in_place, some, waits) for some in _batches(schedule, waits)]
    first = min((race for race in races if race), key=lambda race: race.number, default=None)
    return None if first is None else _invalid(schedule, order[first.number - 1], first)


def _batches(schedule: MscclSchedule, waits: Waits) -> Iterator[range]:
    """Yield batches of threadblocks, keeping those of a GPU together, whose clocks fit in MOST_CLOCKS entries.

    A clock is kept for every threadblock, every message in flight and every step that another waits for.
    """
    most = MOST_CLOCKS // (4 * len(schedule.blocks) + len(set(waits.values())) + 1)
    first = 0
    for at, block in enumerate(schedule.blocks):
        begins_gpu = at > 0 and block.gpu != schedule.blocks[at - 1].gpu
        if begins_gpu and _end_of(schedule, at) - first > most and at > first:
            yield range(first, at)
            first = at
    yield range(first, len(schedule.blocks))


def _end_of(schedule: MscclSchedule, at: int) -> int:
    """End (exclusive) of the threadblocks of the GPU whose first threadblock is given."""
    gpu = schedule.blocks[at].gpu
    return next((i for i in range(at, len(schedule.blocks)) if schedule.blocks[i].gpu != gpu), len(schedule.blocks))


def _race_among(
    schedule: MscclSchedule, order: tuple[CompletedStep, ...], in_place: bool, some: range, waits: Waits
) -> _Race | None:
    """The first race of these threadblocks."""
    touched: dict[Cell, _ChunkAccess] = {}
    for number, (done, clock) in enumerate(zip(order, _clocks(schedule, order, some, waits), strict=True), start=1):
        if done.block not in some:
            continue
        gpu = schedule.blocks[done.block].gpu
        for buffer, chunk, writes in _accesses(schedule, done, in_place):
            cell = touched.setdefault((gpu, buffer, chunk), _ChunkAccess())
            if other := _unordered(cell, clock, writes, some.start):
                does = "writes" if writes else "reads", "writes" if cell.write == other else "reads"
                return _Race(number, other, does, (gpu, buffer, chunk))
            if writes:
                cell.write = done.block, done.place
                cell.reads.clear()
            else:
                cell.reads[done.block] = done.place
    return None


def _clocks(schedule: MscclSchedule, order: tuple[CompletedStep, ...], some: range, waits: Waits) -> Iterator[Clock]:
    """The clock of every step, restricted to these threadblocks; each array is valid until the next is drawn."""
    # Only clocks of reporters that some step waits for are stored: they take most of the memory.
    wanted = set(waits.values())
    clocks = np.zeros((len(schedule.blocks), len(some)), dtype=np.int32)
    reported: dict[Spot, Clock] = {}
    sent: dict[int, Clock] = {}
    for number, done in enumerate(order):
        spot, clock = (done.block, done.place), clocks[done.block]
        if reporter := waits.get(spot):
            np.maximum(clock, reported[reporter], out=clock)
        if done.taken is not None:
            # pop: a message has one receiver, and its clock is not needed after that.
            np.maximum(clock, sent.pop(done.taken), out=clock)
        if done.block in some:
            clock[done.block - some.start] = done.place + 1
        # The caller sees the live array, no copy: it must be read before the next step changes it.
        yield clock
        if schedule.blocks[done.block].steps[done.place].kind.sends:
            sent[number] = clock.copy()
        if spot in wanted:
            reported[spot] = clock.copy()


def _accesses(schedule: MscclSchedule, done: CompletedStep, in_place: bool) -> Iterator[tuple[str, int, bool]]:
    """Accesses of a step: buffer, chunk, and whether it is written."""
    block = schedule.blocks[done.block]
    step, parts = block.steps[done.place], []
    if step.kind.reads_source:
        parts.append((step.source, False))
    if step.kind.writes_target:
        parts.append((step.target, True))
    for part, writes in parts:
        located = schedule.located(block.gpu, part, in_place)
        for chunk in range(located.start, located.end):
            yield located.buffer, chunk, writes


def _unordered(cell: _ChunkAccess, clock: Clock, writes: bool, first: int) -> Spot | None:
    """An access to the cell that does not precede the clock; the clock begins with threadblock `first`."""
    others = [cell.write] if cell.write else []
    if writes:
        others += cell.reads.items()
    return next((other for other in others if clock[other[0] - first] <= other[1]), None)


def _invalid(schedule: MscclSchedule, done: CompletedStep, race: _Race) -> PlanMistake:
    gpu, buffer, chunk = race.cell
    what = (
        f"step {race.number} ({schedule.said(done.block, done.place)}): {race.does[0]} {buffer}[{chunk}], which "
        f"{schedule.said(*race.other)}, {race.does[1]}, and nothing orders the two; "
        "let one wait for the other with depid and deps"
    )
    return PlanMistake(PlanRule.RACE, Place(race.number, None, gpu, None if buffer == SCRATCH else chunk), what)
