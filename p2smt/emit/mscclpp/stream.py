"""Operations of a GPU's threadblocks in one collective of a plan.

Each message has its own slot in the receiver's scratch buffer, so no write waits for space. After a chunk of the plan,
receivers signal that they have read their messages, and senders wait for that. Then all messages have arrived, their
sources may change, and the slots are free for the next run.

The threads of a threadblock run independently: a nop separates operations on the same data, follows a wait, and
precedes a signal. Operations that do not fit into a threadblock continue in another one, after a barrier between the
two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from p2smt.emit.msccl.blocks import BlockMove, Kind, Threadblock
from p2smt.emit.mscclpp.operation import ExecutorOperation, Link, LocalChunks, Name, Slot

MAX_OPERATIONS = 64
"""The executor's limit on operations per threadblock."""

_MOST_OF_A_MOVE = 8


@dataclass(frozen=True, slots=True)
class Peers:
    """The channels of a GPU in a collective (None without a peer); `by_port` tells if the outgoing one is a port."""

    into: Link | None
    out: Link | None
    by_port: bool


@dataclass(frozen=True, slots=True)
class MessageSlots:
    """The slots of the messages of a chunk of the plan, incoming (`own`) and outgoing (`next`), in order."""

    own: tuple[int, ...]
    next: tuple[int, ...]


class OperationStream:
    """The threadblocks of a GPU for one collective; `first_barrier` is the first free barrier on the GPU."""

    def __init__(self, buffer: str, peers: Peers, first_barrier: int) -> None:
        self.blocks: list[list[ExecutorOperation]] = [[]]
        self.next_barrier = first_barrier
        self._buffer, self._peers = buffer, peers
        self._forget()

    def run(self, block: Threadblock, slots: MessageSlots, before: int | None, after: int | None) -> None:
        """Append all operations on a chunk of the plan.

        `before` and `after` are the semaphores that pass the chunk from the previous and to the next collective; None
        if there is no such collective.
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
        """Append a sum, combined with its send if the next GPU's memory is directly accessible."""
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
        """Append an operation on buffers, after synchronising all threads if it depends on earlier operations."""
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
    """True if a move receives a message."""
    return kind != "s"


def sends(kind: Kind) -> bool:
    """True if a move sends a message."""
    return kind in ("s", "rcs", "rrs", "rrcs")
