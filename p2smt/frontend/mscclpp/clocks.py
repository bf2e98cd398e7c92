"""Vector clocks: the operations that precede each operation of an MSCCL++ execution plan.

A clock is a bit set (Mattern, "Virtual time and global states of distributed systems", 1989) with one bit for
every phase that accesses buffers, every put through a port, and every use of a resource that several threadblocks
share. Let past(t) be what precedes threadblock t's current phase, and seen(t) what will precede its next phase:
    signal, release:  send past(t);   wait, acquire:  seen(t) |= what was sent;
    nop, barrier:     past(t) |= seen(t)   (at a barrier, of all members).
One operation precedes another if its bit is in the other's past.

The threads of a threadblock run independently from one nop or barrier to the next; this interval is a phase. What
a wait or acquire learns takes effect in the next phase, and a signal or release covers only phases before its
own. A put through a port is carried out by a proxy, in order with everything else on its channel: later signals
and a flush cover it, nops do not. Relaxed signals cover nothing.

Complexity: one pass over the operations, each with an operation on sets of as many bits as there are events.

Example: block 0 puts, nop, signals; block 1 waits, nop, copies: the put's bit is in past(0) at the signal, in
seen(1) after the wait, in past(1) after the nop, so the put precedes the copy. Without either nop it does not.
"""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from p2smt.frontend.mscclpp.order import CompletedOperation
from p2smt.frontend.mscclpp.schedule import ChannelEnd, MscclppKind, MscclppOperation, MscclppSchedule, SummedTransfer

Use = tuple[str, Hashable]
"""A use of a shared resource: signals or waits at an end of a channel, acquires or releases of a semaphore."""


@dataclass(frozen=True, slots=True)
class ClockEvent:
    """An event that has to be ordered: a transfer, or the use of a resource that several threadblocks share.

    `bit` is its index in the clocks; `past` is the set of all events before it.
    """

    done: CompletedOperation
    number: int
    what: SummedTransfer | Use
    bit: int
    past: int


@dataclass(slots=True)
class _State:
    """The clocks of a threadblock for this phase and the next one, and the bit of this phase."""

    past: int = 0
    seen: int = 0
    bit: int | None = None
    posted: dict[ChannelEnd, int] = field(default_factory=dict)


def events(schedule: MscclppSchedule, order: tuple[CompletedOperation, ...]) -> Iterator[ClockEvent]:
    """All transfers, and all uses of shared resources, in the order in which they run."""
    return _Walk(schedule).events(order)


class _Walk:
    def __init__(self, schedule: MscclppSchedule) -> None:
        self._schedule = schedule
        self._states = [_State() for _ in schedule.blocks]
        self._bits = 0
        done = (operation for block in schedule.blocks for operation in block.operations)
        acquires = sum(len(operation.semaphores) for operation in done if operation.kind is MscclppKind.ACQUIRE)
        self._sent: dict[ChannelEnd, deque[int]] = defaultdict(deque)
        self._posted: dict[ChannelEnd, int] = defaultdict(int)
        self._released: dict[tuple[int, int], deque[int]] = {
            (gpu, number): deque([0] * min(value, acquires))  # no more than these are ever taken
            for gpu, own in enumerate(schedule.semaphores)
            for number, value in enumerate(own)
        }
        self._met: dict[tuple[int, tuple[int, int]], list[int]] = defaultdict(list)
        self._shared = _shared(schedule)

    def events(self, order: tuple[CompletedOperation, ...]) -> Iterator[ClockEvent]:
        for done in order:
            block = self._schedule.blocks[done.block]
            operation, state = block.operations[done.place], self._states[done.block]
            for number, use in enumerate(_uses(block.gpu, operation)):
                if use in self._shared:
                    bit = self._new_bit()
                    yield ClockEvent(done, number, use, bit, state.past | state.seen)
                    state.seen |= 1 << bit
            for number, transfer in enumerate(operation.transfers):
                yield self._transfer(done, number, transfer, state)
            self._order(done.block, block.gpu, operation, state)

    def _transfer(self, done: CompletedOperation, number: int, transfer: SummedTransfer, state: _State) -> ClockEvent:
        if transfer.port is None:
            if state.bit is None:
                state.bit = self._new_bit()
                state.seen |= 1 << state.bit
            return ClockEvent(done, number, transfer, state.bit, state.past)
        bit, channel = self._new_bit(), transfer.port
        state.posted[channel] = state.posted.get(channel, 0) | state.past | 1 << bit
        return ClockEvent(done, number, transfer, bit, state.past)

    def _order(self, at: int, gpu: int, operation: MscclppOperation, state: _State) -> None:
        """Update the clocks by an operation that synchronizes threadblocks."""
        if operation.kind is MscclppKind.NOP:
            self._next_phase(state)
        elif operation.kind is MscclppKind.BARRIER:
            self._meet(at, gpu, operation)
        for channel in operation.channels:
            if operation.kind.signals:
                self._sent[channel.other_end].append(self._told(operation.kind, channel, state))
            elif operation.kind.waits:
                came = self._sent[channel].popleft()
                state.seen |= came if operation.kind is MscclppKind.WAIT else 0
            if operation.kind in (MscclppKind.FLUSH, MscclppKind.PUT_WITH_SIGNAL_AND_FLUSH):
                state.seen |= self._posted[channel] | state.posted.get(channel, 0)
        for number in operation.semaphores:
            if operation.kind is MscclppKind.RELEASE:
                self._released[gpu, number].append(state.past)
            else:
                state.seen |= self._released[gpu, number].popleft()

    def _told(self, kind: MscclppKind, channel: ChannelEnd, state: _State) -> int:
        """Return the clock that a signal sends; a signal after the threadblock's own put also covers that put."""
        if kind is MscclppKind.RELAXED_SIGNAL:
            return 0
        # What went over the channel before is carried out first, so the signal speaks of it as well.
        return state.past | self._posted[channel] | (0 if kind is MscclppKind.SIGNAL else state.posted[channel])

    def _next_phase(self, state: _State) -> None:
        state.past |= state.seen
        state.bit = None
        for channel, posted in state.posted.items():
            self._posted[channel] |= posted
        state.posted.clear()

    def _meet(self, at: int, gpu: int, operation: MscclppOperation) -> None:
        """Join the clocks of all members of a barrier once the last has arrived, and begin a new phase."""
        met = self._met[gpu, operation.barrier]
        met.append(at)
        if len(met) < operation.barrier[1]:
            return
        known = 0
        for one in met:
            known |= self._states[one].past | self._states[one].seen
        for one in met:
            self._states[one].seen = known
            self._next_phase(self._states[one])
        met.clear()

    def _new_bit(self) -> int:
        self._bits += 1
        return self._bits - 1


def _uses(gpu: int, operation: MscclppOperation) -> Iterator[Use]:
    if operation.kind.signals:
        yield from (("signals over", channel) for channel in operation.channels)
    elif operation.kind.waits:
        yield from (("waits for", channel) for channel in operation.channels)
    elif operation.kind is MscclppKind.RELEASE:
        yield from (("releases", (gpu, number)) for number in operation.semaphores)
    elif operation.kind is MscclppKind.ACQUIRE:
        yield from (("acquires", (gpu, number)) for number in operation.semaphores)


def _shared(schedule: MscclppSchedule) -> frozenset[Use]:
    """Resources that several threadblocks use."""
    users: dict[Use, set[int]] = defaultdict(set)
    for at, block in enumerate(schedule.blocks):
        for operation in block.operations:
            for use in _uses(block.gpu, operation):
                users[use].add(at)
    return frozenset(use for use, blocks in users.items() if len(blocks) > 1)
