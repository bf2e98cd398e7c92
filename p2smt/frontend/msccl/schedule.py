"""Data model of an MSCCL schedule: threadblocks of GPUs, each with a list of steps on chunks of three buffers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.verify.operation import GoalCollective
from p2smt.verify.plan import BufferRange

INPUT, OUTPUT, SCRATCH = "i", "o", "s"


class MscclKind(StrEnum):
    """Types of steps; R is the received message.

    s: send source. r: target = R. rcs: target = R, and send R. rrs: send source + R. rrc: target = source + R.
    rrcs: as rrc, and send the sum. cpy: target = source. re: target += source. nop: only waits.
    """

    NOP = "nop"
    SEND = "s"
    RECEIVE = "r"
    RECEIVE_COPY_SEND = "rcs"
    RECEIVE_REDUCE_SEND = "rrs"
    RECEIVE_REDUCE_COPY = "rrc"
    RECEIVE_REDUCE_COPY_SEND = "rrcs"
    COPY = "cpy"
    REDUCE = "re"

    @property
    def sends(self) -> bool:
        """True if the step sends a message."""
        return self.value.endswith("s")

    @property
    def receives(self) -> bool:
        """True if the step receives a message."""
        return self.value.startswith("r") and self is not MscclKind.REDUCE

    @property
    def reads_source(self) -> bool:
        """True if the step reads its source."""
        return self not in (MscclKind.NOP, MscclKind.RECEIVE, MscclKind.RECEIVE_COPY_SEND)

    @property
    def reads_target(self) -> bool:
        """True if the step reads its target."""
        return self is MscclKind.REDUCE

    @property
    def writes_target(self) -> bool:
        """True if the step changes its target."""
        return self not in (MscclKind.NOP, MscclKind.SEND, MscclKind.RECEIVE_REDUCE_SEND)


class Protocol(StrEnum):
    """Message protocols of NCCL, which determine the number of messages that a connection holds."""

    SIMPLE = "Simple"
    LL = "LL"
    LL128 = "LL128"


@dataclass(frozen=True, slots=True)
class BlockStep:
    """A step of a threadblock; `source` and `target` are parts of i, o or s on its GPU, empty if the step has none.

    `after` is the threadblock and step of the same GPU that it waits for. Only a step that `reports` ends waits:
    waits for itself and for all earlier steps of its threadblock.
    """

    kind: MscclKind
    source: BufferRange
    target: BufferRange
    after: tuple[int, int] | None
    reports: bool

    @property
    def count(self) -> int:
        """Number of chunks that the step moves."""
        return max(self.source.length, self.target.length)


@dataclass(frozen=True, slots=True, kw_only=True)
class MscclBlock:
    """A threadblock: it sends to one GPU and receives from one, on one channel; step `s` is `steps[s]`."""

    gpu: int
    number: int
    send: int
    receive: int
    channel: int
    steps: tuple[BlockStep, ...]

    @property
    def out(self) -> "Connection":
        """The connection of its outgoing messages."""
        return self.gpu, self.send, self.channel

    @property
    def into(self) -> "Connection":
        """The connection of its incoming messages."""
        return self.receive, self.gpu, self.channel


Connection = tuple[int, int, int]
"""A connection: sending GPU, receiving GPU, channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MscclSchedule:
    """A schedule of a collective from `inputs` chunks of i to `outputs` chunks of o; `blocks` by GPU and threadblock.

    `in_place`: i and o may be one buffer; `out_of_place`: they may be two. `notes`: assumptions made when
    reading.
    """

    gpus: int
    collective: GoalCollective
    root: int
    inputs: int
    outputs: int
    scratch: int
    protocol: Protocol
    in_place: bool
    out_of_place: bool
    blocks: tuple[MscclBlock, ...]
    notes: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """The number of steps of all threadblocks."""
        return sum(len(block.steps) for block in self.blocks)

    def said(self, block: int, place: int) -> str:
        """The description of a step in messages."""
        of = self.blocks[block]
        return f"gpu {of.gpu} threadblock {of.number} step {place}, {of.steps[place].kind}"

    def located(self, gpu: int, part: BufferRange, in_place: bool) -> BufferRange:
        """Return the location of a part; in place, i and o are one buffer, the shorter being a block of the longer."""
        if not in_place or part.buffer == SCRATCH:
            return part
        length, other = (self.inputs, self.outputs) if part.buffer == INPUT else (self.outputs, self.inputs)
        return replace(part, buffer=INPUT, start=part.start + (gpu * length if length < other else 0))


Spot = tuple[int, int]
"""A step, as the index of its threadblock in the schedule and its index there."""


def awaited(schedule: MscclSchedule) -> dict[Spot, Spot | None]:
    """Map every step that waits for another to the step whose report ends the wait, or to None if no step does.

    The runtime keeps one flag per threadblock, the last step that reported; a nop never sets it.
    """
    index = {(block.gpu, block.number): at for at, block in enumerate(schedule.blocks)}
    reporters = [list(_reporters(block)) for block in schedule.blocks]
    found: dict[Spot, Spot | None] = {}
    for at, block in enumerate(schedule.blocks):
        for place, step in enumerate(block.steps):
            if step.after is not None:
                other = index[block.gpu, step.after[0]]
                reporter = reporters[other][step.after[1]]
                found[at, place] = None if reporter is None else (other, reporter)
    return found


def _reporters(block: MscclBlock) -> Iterator[int | None]:
    """Yield for every step the first step at or after it that reports."""
    found: list[int | None] = []
    last: int | None = None
    for place in range(len(block.steps) - 1, -1, -1):
        step = block.steps[place]
        last = place if step.reports and step.kind is not MscclKind.NOP else last
        found.append(last)
    return reversed(found)
