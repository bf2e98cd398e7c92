"""The XML of a plan, which MSCCL's runtimes read: for a communicator of one reduction group, in place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from p2smt.collective import Collective
from p2smt.emit.msccl.blocks import Move, Threadblock, threadblocks
from p2smt.emit.msccl.chunks import chunk_count, group_steps
from p2smt.errors import PlanError
from p2smt.reduction.plan.chunking import check_whole
from p2smt.reduction.plan.model import Plan

MAX_STEPS = 2**18


@dataclass(frozen=True, slots=True)
class _Placed:
    """A threadblock of a GPU on a channel; its first step waits for the last step of the GPU's threadblock before."""

    channel: int
    block: Threadblock


def emit_msccl(plan: Plan) -> str:
    """The text of the XML file; GPU i is the i-th rank of a reduction group, and every group runs the same file.

    Raises PlanError for a plan that does not do its goal, for groups of one device, for several chunks, and for very
    large schedules.
    """
    check_whole(plan, "target msccl")
    gpus, chunks = plan.groups(plan.reduction).size, chunk_count(plan)
    if gpus == 1:
        raise PlanError("every device is alone in its reduction group: a schedule would have no step")
    steps = group_steps(plan, chunks)
    placed: list[list[_Placed]] = [[] for _ in range(gpus)]
    for channel, groups in enumerate(steps):
        for group in groups:
            for member, block in threadblocks(group).items():
                placed[member].append(_Placed(channel, block))
    count = sum(len(one.block.moves) for of_gpu in placed for one in of_gpu)
    if count > MAX_STEPS:
        raise PlanError(f"a schedule of this plan has {count} steps; at most {MAX_STEPS} are written")
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
    """The name of a collective in these files."""
    match goal:
        case Collective.ALL_REDUCE | Collective.ALL_GATHER:
            return goal.underscored.replace("_", "")
        case Collective.REDUCE_SCATTER | Collective.REDUCE | Collective.BROADCAST:
            return goal.underscored
        case _:
            assert_never(goal)


def _gpu(gpu: int, goal: Collective, gpus: int, chunks: int, blocks: Sequence[_Placed]) -> Element:
    shard = chunks // gpus
    sizes = {"i_chunks": shard if goal.gathers else chunks, "o_chunks": shard if goal.scatters else chunks}
    found = Element("gpu", {"id": str(gpu), **{name: str(size) for name, size in sizes.items()}, "s_chunks": "0"})
    buffer = "o" if goal.gathers else "i"
    for number, placed in enumerate(blocks):
        block = placed.block
        peers = {"send": _peer(block.send), "recv": _peer(block.receive), "chan": str(placed.channel)}
        element = SubElement(found, "tb", {"id": str(number), **peers})
        before = len(blocks[number - 1].block.moves) - 1 if number else None
        waited_for = number + 1 < len(blocks)
        for attributes in _steps(block.moves, buffer, number - 1, before, waited_for=waited_for):
            SubElement(element, "step", attributes)
    return found


def _peer(gpu: int | None) -> str:
    return "-1" if gpu is None else str(gpu)


def _steps(
    moves: Sequence[Move], buffer: str, block_before: int, step_before: int | None, *, waited_for: bool
) -> Iterator[dict[str, str]]:
    """The attributes of every step: the first one waits for the threadblock before, the last one is waited for."""
    for number, move in enumerate(moves):
        waits = number == 0 and step_before is not None
        yield {
            "s": str(number),
            "type": move.kind,
            "srcbuf": buffer,
            "srcoff": str(move.start),
            "dstbuf": buffer,
            "dstoff": str(move.start),
            "cnt": str(move.count),
            "depid": str(block_before) if waits else "-1",
            "deps": str(step_before) if waits else "-1",
            "hasdep": str(int(waited_for and number + 1 == len(moves))),
        }
