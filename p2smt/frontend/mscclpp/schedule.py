"""Data model of an MSCCL++ execution plan: operations of threadblocks, with channels and buffers resolved."""

from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.verify.operation import GoalCollective
from p2smt.verify.plan import BufferRange

INPUT, OUTPUT, SCRATCH = "i", "o", "s"


class MscclppKind(StrEnum):
    """Names of operations in the files.

    get: target = another GPU's source. put, pws, pwsf: another GPU's target = source; pws and pwsf then signal.
    re, res: target = sum of own sources. rre, rres: the same, but all sources except the first are on other GPUs.
    res and rres also write the sum to other GPUs. rlxsignal and rlxwait order no memory accesses.
    """

    NOP = "nop"
    BARRIER = "barrier"
    SIGNAL = "signal"
    WAIT = "wait"
    RELAXED_SIGNAL = "rlxsignal"
    RELAXED_WAIT = "rlxwait"
    FLUSH = "flush"
    ACQUIRE = "sem_acquire"
    RELEASE = "sem_release"
    COPY = "copy"
    GET = "get"
    PUT = "put"
    PUT_WITH_SIGNAL = "pws"
    PUT_WITH_SIGNAL_AND_FLUSH = "pwsf"
    REDUCE = "re"
    REDUCE_SEND = "res"
    READ_REDUCE = "rre"
    READ_REDUCE_SEND = "rres"

    @property
    def signals(self) -> bool:
        """True if the operation signals the other end of a channel."""
        return self in (
            MscclppKind.SIGNAL,
            MscclppKind.RELAXED_SIGNAL,
            MscclppKind.PUT_WITH_SIGNAL,
            MscclppKind.PUT_WITH_SIGNAL_AND_FLUSH,
        )

    @property
    def waits(self) -> bool:
        """True if the operation waits for a signal over a channel."""
        return self in (MscclppKind.WAIT, MscclppKind.RELAXED_WAIT)


class ChannelType(StrEnum):
    """Types of channels to another GPU: direct loads and stores, or a proxy that copies asynchronously."""

    MEMORY = "memory"
    PORT = "port"


@dataclass(frozen=True, slots=True)
class ChannelEnd:
    """GPU `gpu`'s end of the `number`-th channel of a type between two GPUs."""

    gpu: int
    peer: int
    type: ChannelType
    number: int

    @property
    def other_end(self) -> "ChannelEnd":
        """The peer's end of the channel."""
        return ChannelEnd(self.peer, self.gpu, self.type, self.number)


@dataclass(frozen=True, slots=True)
class Region:
    """A part of i, o or s of a GPU."""

    gpu: int
    part: BufferRange


@dataclass(frozen=True, slots=True)
class SummedTransfer:
    """A transfer that sets all targets to the sum of the sources; with a port, asynchronously by the proxy."""

    sources: tuple[Region, ...]
    targets: tuple[Region, ...]
    port: ChannelEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MscclppOperation:
    """An operation; `barrier` is the barrier's number and the number of threadblocks that meet there."""

    kind: MscclppKind
    transfers: tuple[SummedTransfer, ...] = ()
    channels: tuple[ChannelEnd, ...] = ()
    semaphores: tuple[int, ...] = ()
    barrier: tuple[int, int] = (0, 0)

    @property
    def moves(self) -> int:
        """Number of chunks that are read and written."""
        regions = (one for transfer in self.transfers for one in (*transfer.sources, *transfer.targets))
        return sum(region.part.length for region in regions)


@dataclass(frozen=True, slots=True)
class MscclppBlock:
    """A threadblock of a GPU."""

    gpu: int
    number: int
    operations: tuple[MscclppOperation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MscclppSchedule:
    """A schedule for a collective on `inputs` chunks of i, with results in `outputs` of o; `blocks` by GPU and number.

    `semaphores` are the initial values of the semaphores of every GPU; `notes`: assumptions made when reading.
    """

    gpus: int
    collective: GoalCollective
    root: int
    inputs: int
    outputs: int
    scratch: int
    in_place: bool
    blocks: tuple[MscclppBlock, ...]
    semaphores: tuple[tuple[int, ...], ...]
    notes: tuple[str, ...] = ()

    def said(self, block: int, place: int) -> str:
        """The description of an operation in messages."""
        of = self.blocks[block]
        return f"gpu {of.gpu} threadblock {of.number} op {place}, {of.operations[place].kind}"

    def located(self, region: Region) -> BufferRange:
        """Return the location of a region; in place, i and o are one buffer, the shorter a block of the longer."""
        part = region.part
        if not self.in_place or part.buffer == SCRATCH:
            return part
        length, other = (self.inputs, self.outputs) if part.buffer == INPUT else (self.outputs, self.inputs)
        return replace(part, buffer=INPUT, start=part.start + (region.gpu * length if length < other else 0))
