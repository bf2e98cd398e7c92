"""The XML of a plan for MSCCL's runtimes: for a communicator of one reduction group, in place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import assert_never
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from p2smt.collective import Collective
from p2smt.emit.msccl.blocks import Threadblock, runs_of
from p2smt.emit.msccl.chunks import chunk_count, chunked_steps, communicator
from p2smt.errors import PlanError
from p2smt.reduction.plan.model import Plan

MAX_STEPS = 2**18


@dataclass(frozen=True, slots=True)
class _ChannelBlock:
    """A threadblock of a GPU on a channel; `runs[c]` is its work on chunk `c` of the plan.

    The first step on a chunk waits for the last step on that chunk in the GPU's previous threadblock.
    """

    channel: int
    runs: tuple[Threadblock, ...]

    def end(self, chunk: int) -> int:
        """Return the number of the last step on a chunk of the plan."""
        return sum(len(run.moves) for run in self.runs[: chunk + 1]) - 1


def emit_msccl(plan: Plan) -> str:
    """Return the text of the XML file; GPU i is the i-th rank of a reduction group, and all groups run the same file.

    Raises PlanError for a plan that cannot run or ends with other chunks than its goal requires, for groups of one
    device, and for very large schedules.
    """
    gpus, chunks = len(communicator(plan)), chunk_count(plan)
    steps = chunked_steps(plan, chunks)
    placed: list[list[_ChannelBlock]] = [[] for _ in range(gpus)]
    for channel, step in enumerate(steps):
        for member, runs in runs_of(step).items():
            placed[member].append(_ChannelBlock(channel, runs))
    written = sum(one.end(plan.chunks) + 1 for of_gpu in placed for one in of_gpu)
    if written > MAX_STEPS:
        raise PlanError(
            f"a schedule of this plan has {written} steps; at most {MAX_STEPS} are supported, so emit it for torch"
        )
    root = _algorithm(plan.goal, gpus, chunks, len(steps))
    for gpu, blocks in enumerate(placed):
        root.append(_gpu(gpu, plan.goal, gpus, chunks, blocks))
    indent(root)
    return f"{tostring(root, encoding='unicode')}\n"


def _algorithm(goal: Collective, gpus: int, chunks: int, channels: int) -> Element:
    attributes = {
        "name": f"p2smt_{goal.underscored}_{gpus}",
        "proto": "Simple",
        "nchannels": str(max(channels, 1)),
        "nchunksperloop": str(chunks),
        "ngpus": str(gpus),
        "coll": _collective(goal),
        "inplace": "1",
        "outofplace": "0",
        "minBytes": "0",
        "maxBytes": "0",
    }
    return Element("algo", attributes)


def _collective(goal: Collective) -> str:
    """Return the name of a collective in these files."""
    match goal:
        case Collective.ALL_REDUCE | Collective.ALL_GATHER:
            return goal.underscored.replace("_", "")
        case Collective.REDUCE_SCATTER | Collective.REDUCE | Collective.BROADCAST:
            return goal.underscored
        case _:
            assert_never(goal)


def _gpu(gpu: int, goal: Collective, gpus: int, chunks: int, blocks: Sequence[_ChannelBlock]) -> Element:
    shard = chunks // gpus
    sizes = {"i_chunks": shard if goal.gathers else chunks, "o_chunks": shard if goal.scatters else chunks}
    found = Element("gpu", {"id": str(gpu), **{name: str(size) for name, size in sizes.items()}, "s_chunks": "0"})
    # In place: the larger of input and output buffer holds the payload.
    buffer = "o" if goal.gathers else "i"
    for number, placed in enumerate(blocks):
        peers = {"send": _peer(placed.runs[0].send), "recv": _peer(placed.runs[0].receive), "chan": str(placed.channel)}
        element = SubElement(found, "tb", {"id": str(number), **peers})
        before = blocks[number - 1] if number else None
        waited_for = number + 1 < len(blocks)
        for attributes in _steps(placed, buffer, number - 1, before, waited_for=waited_for):
            SubElement(element, "step", attributes)
    return found


def _peer(gpu: int | None) -> str:
    return "-1" if gpu is None else str(gpu)


def _steps(
    placed: _ChannelBlock, buffer: str, block_before: int, before: _ChannelBlock | None, *, waited_for: bool
) -> Iterator[dict[str, str]]:
    """Yield the XML attributes of every step, including the dependences between threadblocks.

    The first step on a chunk depends on the threadblock before; its last step is marked if another threadblock depends
    on it.
    """
    numbers = count()
    for chunk, run in enumerate(placed.runs):
        for place, move in enumerate(run.moves):
            # Only the first move on a chunk waits; later moves of the block follow in order.
            awaited = None if before is None or place else before.end(chunk)
            yield {
                "s": str(next(numbers)),
                "type": move.kind,
                "srcbuf": buffer,
                "srcoff": str(move.start),
                "dstbuf": buffer,
                "dstoff": str(move.start),
                "cnt": str(move.count),
                "depid": "-1" if awaited is None else str(block_before),
                "deps": "-1" if awaited is None else str(awaited),
                "hasdep": str(int(waited_for and place + 1 == len(run.moves))),
            }
