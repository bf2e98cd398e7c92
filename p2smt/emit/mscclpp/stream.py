"""Operations of a GPU's threadblocks in one collective of a plan.

Messages go to slots of the receiver's scratch, each to one of its own, so that no write has to wait for room. When a
chunk of the plan is done, receivers signal that they have read what came, and senders wait for that: then all that was
sent has arrived, what it was read from may change, and the slots are free for the next run.

The threads of a threadblock run on their own: between operations that touch the same, after a wait and before a signal
stands a nop. What does not fit into a threadblock goes on in another one, behind a barrier of the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from p2smt.emit.msccl.blocks import BlockMove, Kind, Threadblock
from p2smt.emit.mscclpp.operation import ExecutorOperation, Link, LocalChunks, Name, Slot

MAX_OPERATIONS = 64
"""The most operations of a threadblock that the executor has room for."""

_MOST_OF_A_MOVE = 8


@dataclass(frozen=True, slots=True)
class Peers:
    """The channels of a GPU in a collective, None where it has nobody there; and whether the one to send is a port."""

    into: Link | None
    out: Link | None
    by_port: bool


@dataclass(frozen=True, slots=True)
class MessageSlots:
    """Slots of the messages of a chunk of the plan, incoming and outgoing, in order."""

    own: tuple[int, ...]
    next: tuple[int, ...]


class OperationStream:
    """The threadblocks of a GPU for one collective; `first_barrier` is the first that is free on the GPU."""

    def __init__(self, buffer: str, peers: Peers, first_barrier: int) -> None:
        self.blocks: list[list[ExecutorOperation]] = [[]]
        self.next_barrier = first_barrier
        self._buffer, self._peers = buffer, peers
        self._forget()

    def run(self, block: Threadblock, slots: MessageSlots, before: int | None, after: int | None) -> None:
        """All that is done with a chunk of the plan, from when it is handed over until it is handed on.

        `before` and `after` are the semaphores by which that is said; None: there is no collective before, or after.
        """
        self._make_room(2)
        if before is not None:
            self._append(ExecutorOperation(name=Name.ACQUIRE, semaphore=before))
            self._waited = True
        came, sent = iter(slots.own), iter(slots.next)
        for move in block.moves:
            self._make_room(_MOST_OF_A_MOVE)
            self._move(
                move,
                next(came) if receives(move.kind) else None,
                next(sent) if sends(move.kind) else None,
            )
        # At most a nop and a signal, a wait, a nop and the release.
        self._make_room(5)
        if self._peers.into is not None:
            self._signal(self._peers.into)
        if self._peers.out is not None:
            self._wait(self._peers.out)
        if after is not None:
            self._nop()
            self._append(ExecutorOperation(name=Name.RELEASE, semaphore=after))

    def _move(self, move: BlockMove, came: int | None, sent: int | None) -> None:
        own = LocalChunks(self._buffer, move.start, move.count)
        slot = own if came is None else LocalChunks("s", came, move.count)
        if came is not None:
            assert self._peers.into is not None
            self._wait(self._peers.into)
        match move.kind:
            case "s":
                self._put(own, sent)
            case "r":
                self._do(ExecutorOperation(name=Name.COPY, sources=(slot,), targets=(own,)))
            case "rcs":
                self._do(ExecutorOperation(name=Name.COPY, sources=(slot,), targets=(own,)))
                self._put(slot, sent)
            case "rrs":
                self._reduce((own, slot), slot, sent)
            case "rrc" | "rrcs":
                self._reduce((own, slot), own, sent)
            case _:
                assert_never(move.kind)

    def _put(self, source: LocalChunks, sent: int | None) -> None:
        target, link = self._there(source.count, sent)
        name = Name.PUT_WITH_SIGNAL if self._peers.by_port else Name.PUT
        self._do(ExecutorOperation(name=name, sources=(source,), targets=(target,), link=link))
        if not self._peers.by_port:
            self._signal(link)

    def _reduce(self, sources: Sequence[LocalChunks], target: LocalChunks, sent: int | None) -> None:
        """The sum, which goes on at once where the next GPU's memory is within reach."""
        if sent is None or self._peers.by_port:
            self._do(ExecutorOperation(name=Name.REDUCE, sources=tuple(sources), targets=(target,)))
            if sent is not None:
                self._put(target, sent)
            return
        there, link = self._there(target.count, sent)
        self._do(ExecutorOperation(name=Name.REDUCE_SEND, sources=tuple(sources), targets=(target, there), link=link))
        self._signal(link)

    def _there(self, count: int, sent: int | None) -> tuple[Slot, Link]:
        assert sent is not None
        assert self._peers.out is not None
        return Slot(self._peers.out[2], sent, count), self._peers.out

    def _do(self, operation: ExecutorOperation) -> None:
        """An operation on buffers, once what it depends on is done by all threads."""
        reads = list(operation.sources)
        writes = [target for target in operation.targets if isinstance(target, LocalChunks)]
        # Write after read, write after write (and below read after write) need all threads to have arrived; reads do
        # not.
        clash = any(one.overlaps(other) for one in writes for other in (*self._reads, *self._writes))
        if self._waited or clash or any(one.overlaps(other) for one in reads for other in self._writes):
            self._nop()
        self._append(operation)
        self._reads += reads
        self._writes += writes

    def _signal(self, link: Link) -> None:
        if self._reads:
            self._nop()
        self._append(ExecutorOperation(name=Name.SIGNAL, link=link))

    def _wait(self, link: Link) -> None:
        self._append(ExecutorOperation(name=Name.WAIT, link=link))
        self._waited = True

    def _nop(self) -> None:
        self._append(ExecutorOperation(name=Name.NOP))
        self._forget()

    def _append(self, operation: ExecutorOperation) -> None:
        self.blocks[-1].append(operation)

    def _forget(self) -> None:
        """Forget pending accesses after a barrier of all threads."""
        self._reads: list[LocalChunks] = []
        self._writes: list[LocalChunks] = []
        self._waited = False

    def _make_room(self, count: int) -> None:
        """Continue in another threadblock if this many operations and a barrier do not fit."""
        if len(self.blocks[-1]) + count < MAX_OPERATIONS:
            return
        barrier = ExecutorOperation(name=Name.BARRIER, barrier=self.next_barrier)
        self.next_barrier += 1
        self._append(barrier)
        self.blocks.append([barrier])
        self._forget()


def receives(kind: Kind) -> bool:
    """True if a move takes a message."""
    return kind != "s"


def sends(kind: Kind) -> bool:
    """True if a move sends a message."""
    return kind in ("s", "rcs", "rrs", "rrcs")
