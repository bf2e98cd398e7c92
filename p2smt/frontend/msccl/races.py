"""Steps of different threadblocks that touch one chunk, one of them writing, with nothing to order them.

Before a step are the earlier steps of its threadblock, what its dependency waits for, the step that sent what it
takes, and all that is before those. Free slots of connections order nothing here: how many there are depends on the
protocol. A step's clock says how many steps of every threadblock are before it or are itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from p2smt.errors import VerifyError
from p2smt.frontend.msccl.order import Done
from p2smt.frontend.msccl.schedule import INPUT, OUTPUT, SCRATCH, BlockStep, Schedule, Spot, awaited
from p2smt.verify.verdict import Invalid, Place, Rule

MAX_CLOCKS = 2**27

Clock = npt.NDArray[np.int32]
Cell = tuple[int, str, int]
"""GPU, buffer, chunk."""


@dataclass(slots=True)
class _Touched:
    """Who wrote a chunk last, and who has read it since."""

    write: Spot | None = None
    reads: dict[int, int] = field(default_factory=dict)


def race_of(schedule: Schedule, order: tuple[Done, ...], in_place: bool) -> Invalid | None:
    """The first pair of steps whose order is left to chance; with `in_place` i and o are one buffer.

    Raises VerifyError where there are too many threadblocks and steps to find out.
    """
    if len(order) * len(schedule.blocks) > MAX_CLOCKS:
        size = f"{len(schedule.blocks)} threadblocks with {len(order)} steps"
        raise VerifyError(f"{size} in all; races are looked for up to a product of {MAX_CLOCKS}")
    touched: dict[Cell, _Touched] = {}
    for number, (done, clock) in enumerate(zip(order, _clocks(schedule, order), strict=True), start=1):
        step, gpu = schedule.blocks[done.block].steps[done.place], schedule.blocks[done.block].gpu
        for buffer, chunk, writes in _accesses(step, in_place):
            cell = touched.setdefault((gpu, buffer, chunk), _Touched())
            if other := _unordered(cell, clock, writes):
                does = "writes" if writes else "reads", "writes" if cell.write == other else "reads"
                return _invalid(schedule, done, number, other, does, (gpu, buffer, chunk))
            if writes:
                cell.write = done.block, done.place
                cell.reads.clear()
            else:
                cell.reads[done.block] = done.place
    return None


def _clocks(schedule: Schedule, order: tuple[Done, ...]) -> Iterator[Clock]:
    """The clock of every step; each is valid until the next is asked for."""
    waits = awaited(schedule)
    wanted = set(waits.values())
    clocks = np.zeros((len(schedule.blocks), len(schedule.blocks)), dtype=np.int32)
    reported: dict[Spot, Clock] = {}
    sent: dict[int, Clock] = {}
    for number, done in enumerate(order):
        spot, clock = (done.block, done.place), clocks[done.block]
        if reporter := waits.get(spot):
            np.maximum(clock, reported[reporter], out=clock)
        if done.taken is not None:
            np.maximum(clock, sent.pop(done.taken), out=clock)
        clock[done.block] = done.place + 1
        yield clock
        if schedule.blocks[done.block].steps[done.place].kind.sends:
            sent[number] = clock.copy()
        if spot in wanted:
            reported[spot] = clock.copy()


def _accesses(step: BlockStep, in_place: bool) -> Iterator[tuple[str, int, bool]]:
    """Buffer, chunk, and whether it is written."""
    parts = []
    if step.kind.reads_source:
        parts.append((step.source, False))
    if step.kind.writes_target:
        parts.append((step.target, True))
    for part, writes in parts:
        buffer = INPUT if in_place and part.buffer == OUTPUT else part.buffer
        for chunk in range(part.start, part.end):
            yield buffer, chunk, writes


def _unordered(cell: _Touched, clock: Clock, writes: bool) -> Spot | None:
    others = [cell.write] if cell.write else []
    if writes:
        others += cell.reads.items()
    return next((other for other in others if clock[other[0]] <= other[1]), None)


def _invalid(schedule: Schedule, done: Done, number: int, other: Spot, does: tuple[str, str], cell: Cell) -> Invalid:
    gpu, buffer, chunk = cell
    what = (
        f"step {number} ({schedule.said(done.block, done.place)}): {does[0]} {buffer}[{chunk}], which "
        f"{schedule.said(*other)}, {does[1]}, and nothing orders the two; "
        "let one wait for the other with depid and deps"
    )
    return Invalid(Rule.RACE, Place(number, None, gpu, None if buffer == SCRATCH else chunk), what)
