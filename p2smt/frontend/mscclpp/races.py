"""Data races: unordered operations on one chunk, one of which writes, or on one end of a channel.

Method: happens-before by vector clocks (`clocks.py`), with the records of Flanagan and Freund, "FastTrack: efficient
and precise dynamic race detection", 2009. Along one order in which the operations can run, accesses e and f of one
chunk, f later, race if
    one of them writes, and  bit(e) is not in past(f).
For each chunk the last write and the reads since then are kept. That is enough: the write was itself compared with
everything before it, and `past` is transitive. Sources and targets of one transfer must be the same or disjoint,
because its threads run in any order; channels and semaphores must be used by one threadblock at a time.
Complexity: a test of one bit for each access, and for a write one for each read since the last write.

Example: block 0 writes scratch[0] and block 1 reads it. With a signal and a wait (and a nop each) the bit of the write
is in the past of the read. Without them it is not, and the read is reported.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from p2smt.frontend.mscclpp.clocks import ClockEvent, Use, events
from p2smt.frontend.mscclpp.order import CompletedOperation
from p2smt.frontend.mscclpp.schedule import SCRATCH, ChannelEnd, MscclppSchedule, Region, SummedTransfer
from p2smt.verify.plan import BufferRange
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule

Cell = tuple[int, str, int]
"""GPU, buffer, chunk."""

ADVICE = (
    "put a nop between operations of a threadblock, a signal and a wait, a semaphore or a barrier between threadblocks"
)


@dataclass(slots=True)
class _AccessRecord:
    """The last write of a chunk, and all reads since that write."""

    write: ClockEvent | None = None
    reads: list[ClockEvent] = field(default_factory=list)


def race_of(schedule: MscclppSchedule, order: tuple[CompletedOperation, ...]) -> PlanMistake | None:
    """The first pair of unordered operations that conflict."""
    touched: dict[Cell, _AccessRecord] = {}
    used: dict[Use, ClockEvent] = {}
    number = {(done.block, done.place): at for at, done in enumerate(order, start=1)}
    for event in events(schedule, order):
        step = number[event.done.block, event.done.place]
        if isinstance(event.what, SummedTransfer):
            mistake = _overlap(schedule, step, event, event.what) or _clash(schedule, step, event, event.what, touched)
        else:
            mistake = _used_at_once(schedule, step, event, event.what, used)
        if mistake is not None:
            return mistake
    return None


def _overlap(schedule: MscclppSchedule, step: int, event: ClockEvent, transfer: SummedTransfer) -> PlanMistake | None:
    """A mistake if sources and targets of a transfer overlap in part: its threads access them in any order."""
    targets = [(one.gpu, schedule.located(one)) for one in transfer.targets]
    sources = [(one.gpu, schedule.located(one)) for one in transfer.sources]
    for at, (gpu, part) in enumerate(targets):
        others = [*targets[:at], *((of, other) for of, other in sources if other != part)]
        if any(of == gpu and _meet(other, part) for of, other in others):
            what = (
                f"step {step} ({_said(schedule, event)}): reads and writes chunks of {part} of gpu {gpu} in any order"
            )
            return PlanMistake(PlanRule.OVERLAP, Place(step, None, gpu), what)
    return None


def _meet(one: BufferRange, other: BufferRange) -> bool:
    return one.buffer == other.buffer and one.start < other.end and other.start < one.end


def _clash(
    schedule: MscclppSchedule,
    step: int,
    event: ClockEvent,
    transfer: SummedTransfer,
    touched: dict[Cell, _AccessRecord],
) -> PlanMistake | None:
    for regions, writes in ((transfer.sources, False), (transfer.targets, True)):
        for cell in _cells(schedule, regions):
            at = touched.setdefault(cell, _AccessRecord())
            others = [at.write] if at.write else []
            others += at.reads if writes else []
            for other in others:
                if not event.past >> other.bit & 1 and not _same(event, other):
                    return _race(
                        schedule, step, event, cell, ("writes" if writes else "reads", _does(at, other)), other
                    )
            if writes:
                at.write = event
                at.reads.clear()
            else:
                at.reads.append(event)
    return None


def _cells(schedule: MscclppSchedule, regions: tuple[Region, ...]) -> Iterator[Cell]:
    for region in regions:
        part = schedule.located(region)
        for chunk in range(part.start, part.end):
            yield region.gpu, part.buffer, chunk


def _same(one: ClockEvent, other: ClockEvent) -> bool:
    return (one.done, one.number) == (other.done, other.number)


def _does(touched: _AccessRecord, other: ClockEvent) -> str:
    return "writes" if other is touched.write else "reads"


def _race(
    schedule: MscclppSchedule, step: int, event: ClockEvent, cell: Cell, does: tuple[str, str], other: ClockEvent
) -> PlanMistake:
    gpu, buffer, chunk = cell
    what = (
        f"step {step} ({_said(schedule, event)}): {does[0]} {buffer}[{chunk}] of gpu {gpu}, which "
        f"{_said(schedule, other)}, {does[1]}, and nothing orders the two; {ADVICE}"
    )
    return PlanMistake(PlanRule.RACE, Place(step, None, gpu, None if buffer == SCRATCH else chunk), what)


def _used_at_once(
    schedule: MscclppSchedule, step: int, event: ClockEvent, use: Use, used: dict[Use, ClockEvent]
) -> PlanMistake | None:
    """A mistake if two threadblocks use one channel end or semaphore without order between them."""
    other, used[use] = used.get(use), event
    if other is None or other.done.block == event.done.block or event.past >> other.bit & 1:
        return None
    does, thing = use
    if isinstance(thing, ChannelEnd):
        named = f"{thing.type} channel {thing.number} between gpu {thing.gpu} and gpu {thing.peer}"
    else:
        assert isinstance(thing, tuple)
        named = f"semaphore {thing[1]}"
    what = (
        f"step {step} ({_said(schedule, event)}): {does} {named}, as {_said(schedule, other)} does, and nothing "
        f"orders the two; {ADVICE}"
    )
    return PlanMistake(PlanRule.RACE, Place(step, None, schedule.blocks[event.done.block].gpu), what)


def _said(schedule: MscclppSchedule, event: ClockEvent) -> str:
    return schedule.said(event.done.block, event.done.place)
