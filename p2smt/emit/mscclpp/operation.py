"""Operations of MSCCL++'s threadblocks, before their channels, buffers and semaphores have numbers."""

from dataclasses import dataclass
from enum import StrEnum

Link = tuple[int, int, int]
"""Collective of the plan, sending GPU, receiving GPU: a channel, on which the receiver signals too."""


class Name(StrEnum):
    """Names of operations in the files.

    put: write the source to another GPU. pws: the same over a port, with a signal behind it. re: target = sum of the
    sources. res: the same, and write it to another GPU. nop: the threads of the threadblock wait for each other.
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
    """Chunks of a buffer (i, o or s) of the GPU itself."""

    buffer: str
    start: int
    count: int

    def overlaps(self, other: "LocalChunks") -> bool:
        """True if a chunk is in both."""
        before_end = self.start < other.start + other.count and other.start < self.start + self.count
        return self.buffer == other.buffer and before_end


@dataclass(frozen=True, slots=True)
class Slot:
    """Chunks of another GPU's scratch."""

    gpu: int
    start: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorOperation:
    """An operation: `link` is its channel, `barrier` the number of the barrier that two threadblocks meet at.

    `semaphore` is that by which a chunk of the plan is handed over from one collective to the next.
    """

    name: Name
    sources: tuple[LocalChunks, ...] = ()
    targets: tuple[LocalChunks | Slot, ...] = ()
    link: Link | None = None
    barrier: int | None = None
    semaphore: int | None = None
