"""An order in which the operations of an MSCCL++ execution plan can run, or the deadlock that stops them.

Every threadblock runs its operations one by one. Signals and releases increment counters and never block, so the
outcome does not depend on the order in which threadblocks advance, provided that uses of one channel end do not
overlap (`races.py` checks this).

Method: simulation of a Petri net. A threadblock runs until it waits; a signal, a release or the last member of a
barrier wakes those that wait for it. Under the condition above, an operation that can run stays able to run until it
does (persistence), so one order decides for all: if this one ends with threadblocks that wait, every order does (Karp
and Miller, "Properties of a model for parallel computations: determinacy, termination, queueing", 1966).

    wait on counter c passes  when  signals(c) > waits(c);    barrier passes  when  all members have reached it.

Complexity: each operation runs once, and each wait is entered once for every signal that wakes it.

Example: block 0 signals B and waits for A, block 1 waits for B and signals A. Block 0 signals and waits; block 1 runs
to its end; block 0 goes on. If both wait first, no block is ready: a deadlock.
"""

from collections import defaultdict, deque
from dataclasses import dataclass

from p2smt.frontend.mscclpp.schedule import ChannelEnd, MscclppKind, MscclppSchedule
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule

MOST_SAID = 8


@dataclass(frozen=True, slots=True)
class CompletedOperation:
    """An operation that has run: its threadblock (index in the schedule) and its place there."""

    block: int
    place: int


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal that has to arrive over a channel before a threadblock continues."""

    channel: ChannelEnd


@dataclass(frozen=True, slots=True)
class Semaphore:
    """A GPU's semaphore with a pending acquire."""

    gpu: int
    number: int


@dataclass(frozen=True, slots=True)
class Barrier:
    """A barrier of a GPU, with its number and the number of threadblocks that meet there."""

    gpu: int
    number: int
    members: int


Cause = Signal | Semaphore | Barrier


def order_of(schedule: MscclppSchedule) -> tuple[CompletedOperation, ...] | PlanMistake:
    """All operations in an order in which they can run; the members of a barrier follow each other."""
    return _Run(schedule).run()


class _Run:
    def __init__(self, schedule: MscclppSchedule) -> None:
        self._schedule = schedule
        self._next = [0] * len(schedule.blocks)
        self._done: list[CompletedOperation] = []
        self._signals: dict[ChannelEnd, int] = defaultdict(int)
        self._values = {
            (gpu, number): value for gpu, own in enumerate(schedule.semaphores) for number, value in enumerate(own)
        }
        self._waiting: dict[Cause, list[int]] = defaultdict(list)
        self._causes: dict[int, Cause] = {}

    def run(self) -> tuple[CompletedOperation, ...] | PlanMistake:
        ready = deque(range(len(self._next)))
        while ready:
            at = ready.popleft()
            if self._next[at] == len(self._schedule.blocks[at].operations):
                continue
            if cause := self._cause(at):
                self._causes[at] = cause
                self._waiting[cause].append(at)
                if not (isinstance(cause, Barrier) and len(self._waiting[cause]) == cause.members):
                    continue
                ended: list[Cause] = [cause]
            else:
                ended = self._do(at)
                ready.append(at)
            for one in ended:
                for woken in self._waiting.pop(one, ()):
                    del self._causes[woken]
                    if isinstance(one, Barrier):
                        self._pass(woken)
                    ready.append(woken)
        return self._deadlock() if self._causes else self._left_over() or tuple(self._done)

    def _cause(self, at: int) -> Cause | None:
        """Return the wait of a threadblock's next operation; None if the operation can run."""
        block = self._schedule.blocks[at]
        operation = block.operations[self._next[at]]
        if operation.kind is MscclppKind.BARRIER:
            return Barrier(block.gpu, *operation.barrier)
        if operation.kind.waits:
            missing = (channel for channel in operation.channels if not self._signals[channel])
            return next((Signal(channel) for channel in missing), None)
        if operation.kind is MscclppKind.ACQUIRE:
            empty = (number for number in operation.semaphores if self._values[block.gpu, number] < 1)
            return next((Semaphore(block.gpu, number) for number in empty), None)
        return None

    def _do(self, at: int) -> list[Cause]:
        """Run the next operation of a threadblock; returns the waits that may end with it."""
        block = self._schedule.blocks[at]
        operation = block.operations[self._next[at]]
        self._pass(at)
        if operation.kind.signals:
            for channel in operation.channels:
                self._signals[channel.other_end] += 1
            return [Signal(channel.other_end) for channel in operation.channels]
        if operation.kind.waits:
            for channel in operation.channels:
                self._signals[channel] -= 1
        for number in operation.semaphores:
            self._values[block.gpu, number] += 1 if operation.kind is MscclppKind.RELEASE else -1
        released = operation.semaphores if operation.kind is MscclppKind.RELEASE else ()
        return [Semaphore(block.gpu, number) for number in released]

    def _pass(self, at: int) -> None:
        self._done.append(CompletedOperation(at, self._next[at]))
        self._next[at] += 1

    def _left_over(self) -> PlanMistake | None:
        """Signals that nobody waits for, or semaphores with a changed value, which would disturb the next run."""
        for channel, count in sorted(self._signals.items(), key=lambda item: (item[0].gpu, item[0].peer)):
            if count:
                what = (
                    f"gpu {channel.gpu} gets {count} more from gpu {channel.peer} over {channel.type} channel "
                    f"{channel.number} of the two than it waits for; the next run would take them for its own"
                )
                place = Place(len(self._done), (channel.peer, channel.gpu), channel.gpu)
                return PlanMistake(PlanRule.MISMATCH, place, what)
        for (gpu, number), value in self._values.items():
            first = self._schedule.semaphores[gpu][number]
            if value != first:
                what = f"semaphore {number} of gpu {gpu} begins with {first}, ends with {value}"
                return PlanMistake(PlanRule.MISMATCH, Place(len(self._done), None, gpu), what)
        return None

    def _deadlock(self) -> PlanMistake:
        """The first threadblocks that wait, and their causes, as a mistake."""
        waiting = sorted(self._causes)
        at, number = waiting[0], len(self._done) + 1
        lines = [f"waits for {self._said(self._causes[at])}"]
        lines += [
            f"{self._schedule.said(one, self._next[one])}, waits for {self._said(self._causes[one])}"
            for one in waiting[1:MOST_SAID]
        ]
        stand = f"{len(waiting)} of {len(self._next)} threadblocks cannot go on"
        what = f"step {number} ({self._schedule.said(at, self._next[at])}): {'; '.join(lines)}; {stand}"
        cause, gpu = self._causes[at], self._schedule.blocks[at].gpu
        group = (cause.channel.peer, gpu) if isinstance(cause, Signal) else None
        return PlanMistake(PlanRule.ORDER, Place(number, group, gpu), what)

    def _said(self, cause: Cause) -> str:
        match cause:
            case Signal(channel):
                said = f"a signal from gpu {channel.peer} over {channel.type} channel {channel.number} of the two"
                return said + ("" if self._can_end(cause) else ", which nobody gives any more")
            case Semaphore(_, number):
                said = f"a release of semaphore {number}"
                return said + ("" if self._can_end(cause) else ", which nobody does any more")
            case Barrier(_, number, members):
                return f"barrier {number}, at which {len(self._waiting[cause])} of {members} threadblocks are"

    def _can_end(self, cause: Signal | Semaphore) -> bool:
        """Return True if an operation that has not run yet could end the wait."""
        left = (
            (block.gpu, operation)
            for at, block in enumerate(self._schedule.blocks)
            for operation in block.operations[self._next[at] :]
        )
        match cause:
            case Signal(channel):
                return any(one.kind.signals and channel.other_end in one.channels for _, one in left)
            case Semaphore(gpu, number):
                return any(
                    one.kind is MscclppKind.RELEASE and (of, True) == (gpu, number in one.semaphores)
                    for of, one in left
                )
