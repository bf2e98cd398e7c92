"""An order in which the steps of an MSCCL schedule can run, or the deadlock that stops them.

Every threadblock does its steps one by one. A message is the chunks of one sending step; it waits in its connection
until the receiving threadblock takes it, first come, first served. A connection holds a bounded number of messages,
as in the runtime; one step's chunks count as one message, which holds for payloads whose chunks fill at most one of
the runtime's buffers.

Method: execution of a Kahn process network with bounded channels ("The semantics of a simple language for parallel
programming", 1974): a connection has one sender and one receiver, and what was reported stays reported, so the outcome
does not depend on the order in which threadblocks are tried. A threadblock that cannot go on waits under its cause, and
is woken by the step that removes it; if some wait at the end, they are a deadlock.

    can run(step) = its dependency is done, its message has arrived, and its connection has room for what it sends.

Complexity: O(steps), each waits at most once for each of its causes.

Example: two threadblocks that first receive from each other and then send: both wait for a message, nobody is left to
send one, which is the deadlock that is reported.
"""

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from p2smt.frontend.msccl.schedule import BlockStep, Connection, MscclSchedule, Spot, awaited
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule

MOST_SAID = 8


@dataclass(frozen=True, slots=True)
class CompletedStep:
    """A step that has run: its threadblock (index in the schedule), its index there, and the send it consumed.

    `taken` is the position, in the order of completion, of the step that sent the message.
    """

    block: int
    place: int
    taken: int | None


@dataclass(frozen=True, slots=True)
class WaitEnd:
    """The wait for a step (threadblock and index) to report; None if no step will."""

    spot: Spot | None


@dataclass(frozen=True, slots=True)
class AwaitedMessage:
    """The wait for a message to receive, or for a free slot of a connection to send."""

    what: Literal["message", "slot"]
    connection: Connection


Cause = WaitEnd | AwaitedMessage


Capacity = Callable[[Connection], int | None]
"""A function from a connection to the number of messages it holds; None means unbounded."""


def order_of(schedule: MscclSchedule, capacity: Capacity) -> tuple[CompletedStep, ...] | PlanMistake:
    """Return all steps in an order in which they can run, threadblocks round robin; messages count steps from 1."""
    return _Run(schedule, capacity).run()


class _Run:
    def __init__(self, schedule: MscclSchedule, capacity: Capacity) -> None:
        self._schedule = schedule
        self._awaited = awaited(schedule)
        self._next = [0] * len(schedule.blocks)
        self._done: list[CompletedStep] = []
        self._held: dict[Connection, deque[int]] = defaultdict(deque)
        self._waiting: dict[Cause, list[int]] = defaultdict(list)
        self._causes: dict[int, Cause] = {}
        self._senders = {b.out: at for at, b in enumerate(schedule.blocks) if any(s.kind.sends for s in b.steps)}
        self._holds = {connection: capacity(connection) for connection in self._senders}
        self._takers = {b.into: at for at, b in enumerate(schedule.blocks) if any(s.kind.receives for s in b.steps)}

    def run(self) -> tuple[CompletedStep, ...] | PlanMistake:
        ready = deque(range(len(self._next)))
        while ready:
            at = ready.popleft()
            if self._next[at] == len(self._schedule.blocks[at].steps):
                continue
            if cause := self._cause(at):
                self._causes[at] = cause
                self._waiting[cause].append(at)
                continue
            ended = self._do(at)
            if isinstance(ended, PlanMistake):
                return ended
            ready.append(at)
            for cause in ended:
                for woken in self._waiting.pop(cause, ()):
                    del self._causes[woken]
                    ready.append(woken)
        return self._deadlock() if self._causes else self._left_over() or tuple(self._done)

    def _cause(self, at: int) -> Cause | None:
        """Return the wait of a threadblock's next step; None if the step can run."""
        block, place = self._schedule.blocks[at], self._next[at]
        kind = block.steps[place].kind
        if (at, place) in self._awaited:
            spot = self._awaited[at, place]
            if spot is None or self._next[spot[0]] <= spot[1]:
                return WaitEnd(spot)
        if kind.receives and not self._held[block.into]:
            return AwaitedMessage("message", block.into)
        if kind.sends and len(self._held[block.out]) == self._holds[block.out]:
            return AwaitedMessage("slot", block.out)
        return None

    def _do(self, at: int) -> list[Cause] | PlanMistake:
        """Run the next step of a threadblock; return the waits that it ends, or the mistake that it makes."""
        block, place = self._schedule.blocks[at], self._next[at]
        step = block.steps[place]
        taken: int | None = None
        ended: list[Cause] = [WaitEnd((at, place))]
        if step.kind.receives:
            taken = self._held[block.into].popleft()
            sender = self._done[taken]
            sent = self._schedule.blocks[sender.block].steps[sender.place].count
            if sent != step.count:
                return self._mismatch(at, sender, sent)
            ended.append(AwaitedMessage("slot", block.into))
        if step.kind.sends:
            self._held[block.out].append(len(self._done))
            ended.append(AwaitedMessage("message", block.out))
        self._done.append(CompletedStep(at, place, taken))
        self._next[at] += 1
        return ended

    def _invalid(self, rule: PlanRule, number: int, group: tuple[int, ...] | None, gpu: int, what: str) -> PlanMistake:
        return PlanMistake(rule, Place(number, group, gpu), f"step {number} ({what}")

    def _mismatch(self, at: int, sender: CompletedStep, sent: int) -> PlanMistake:
        block, place = self._schedule.blocks[at], self._next[at]
        what = (
            f"{self._schedule.said(at, place)}): takes a message of cnt {block.steps[place].count}, where "
            f"{self._schedule.said(sender.block, sender.place)}, sends one of cnt {sent}; they must be the same"
        )
        number = len(self._done) + 1
        return self._invalid(PlanRule.MISMATCH, number, (block.receive, block.gpu), block.gpu, what)

    def _left_over(self) -> PlanMistake | None:
        left = min((held[0] for held in self._held.values() if held), default=None)
        if left is None:
            return None
        done = self._done[left]
        block = self._schedule.blocks[done.block]
        what = (
            f"{self._schedule.said(done.block, done.place)}): nobody takes the message to gpu {block.send} "
            f"on channel {block.channel}; the next one who receives there gets it"
        )
        return self._invalid(PlanRule.MISMATCH, left + 1, (block.gpu, block.send), block.gpu, what)

    def _deadlock(self) -> PlanMistake:
        """The cycle of waiting threadblocks, or the chain to one whose wait nothing can end, as a mistake."""
        chain = [min(self._causes)]
        while (follower := self._responsible(self._causes[chain[-1]])) in self._causes and follower not in chain:
            assert follower is not None
            chain.append(follower)
        chain = chain[chain.index(follower) :] if follower in chain else chain[-1:]
        at, lines = chain[0], [self._waits(chain[0])]
        lines += [f"{self._schedule.said(at, self._next[at])}, {self._waits(at)}" for at in chain[1:MOST_SAID]]
        if len(chain) > MOST_SAID:
            lines.append(f"{len(chain) - MOST_SAID} more wait in turn")
        block, number = self._schedule.blocks[at], len(self._done) + 1
        kind = block.steps[self._next[at]].kind
        group = (block.receive, block.gpu) if kind.receives else (block.gpu, block.send) if kind.sends else None
        what = f"{self._schedule.said(at, self._next[at])}): " + "; ".join(lines)
        stand = f"{len(self._causes)} of {len(self._next)} threadblocks cannot go on"
        return self._invalid(PlanRule.ORDER, number, group, block.gpu, f"{what}; {stand}")

    def _responsible(self, cause: Cause) -> int | None:
        """The threadblock that could end a wait, if there is one."""
        match cause:
            case WaitEnd(spot):
                return spot[0] if spot else None
            case AwaitedMessage("message", connection):
                at = self._senders.get(connection)
                return at if at is not None and any(step.kind.sends for step in self._left(at)) else None
            case AwaitedMessage(_, connection):
                at = self._takers.get(connection)
                return at if at is not None and any(step.kind.receives for step in self._left(at)) else None

    def _left(self, at: int) -> tuple[BlockStep, ...]:
        """The remaining steps of a threadblock."""
        return self._schedule.blocks[at].steps[self._next[at] :]

    def _waits(self, at: int) -> str:
        place, cause = self._next[at], self._causes[at]
        nobody = self._responsible(cause) is None
        match cause:
            case WaitEnd(None):
                after = self._schedule.blocks[at].steps[place].after
                assert after is not None
                what = f'threadblock {after[0]} step {after[1]}, but no step from there on has hasdep="1"'
            case WaitEnd(spot):
                assert spot is not None
                what = self._schedule.said(*spot)
            case AwaitedMessage("message", (sender, _, channel)):
                what = f"a message from gpu {sender} on channel {channel}" + (", which nobody sends" if nobody else "")
            case AwaitedMessage(_, (_, receiver, channel) as connection):
                what = f"gpu {receiver} to take one of {self._holds[connection]} messages on channel {channel}"
                what += ", which nobody does" if nobody else ""
        return f"waits for {what}"
