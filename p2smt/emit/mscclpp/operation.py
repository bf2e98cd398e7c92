"""Operations of MSCCL++'s threadblocks, before channels, buffers and semaphores are numbered."""

from dataclasses import dataclass
from enum import StrEnum

Link = tuple[int, int, int]
"""A channel: (collective of the plan, sending GPU, receiving GPU); the receiver also signals on it."""


class Name(StrEnum):
    """Names of operations in the files.

    put: write the source to another GPU. pws: the same over a port, followed by a signal. re: target = sum of the
    sources. res: the same, and write it to another GPU. nop: synchronise the threads of the threadblock.
    """

    NOP = "nop"
    COPY = "copy"
    PUT = "put"
    PUT_WITH_SIGNAL = "pws"
    SIGNAL = "signal"
    WAIT = "wait"
    REDUCE = "re"
    REDUCE_SEND = "res"
    BARRIER = "barrier"
    ACQUIRE = "sem_acquire"
    RELEASE = "sem_release"


@dataclass(frozen=True, slots=True)
class LocalChunks:
    """Chunks of one of the GPU's own buffers: i (input), o (output) or s (scratch)."""

    buffer: str
    start: int
    count: int

    def overlaps(self, other: "LocalChunks") -> bool:
        """True if this range and another one share a chunk."""
        before_end = self.start < other.start + other.count and other.start < self.start + self.count
        return self.buffer == other.buffer and before_end


@dataclass(frozen=True, slots=True)
class Slot:
    """Chunks of another GPU's scratch buffer."""

    gpu: int
    start: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorOperation:
    """An operation; `link` is its channel, `barrier` the number of the barrier between two threadblocks.

    `semaphore` is the number of the semaphore that passes a chunk of the plan from one collective to the next.
    """

    name: Name
    sources: tuple[LocalChunks, ...] = ()
    targets: tuple[LocalChunks | Slot, ...] = ()
    link: Link | None = None
    barrier: int | None = None
    semaphore: int | None = None
