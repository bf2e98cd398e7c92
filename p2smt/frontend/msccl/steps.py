"""Reading of single steps of MSCCL's XML files, and the fusion that the runtimes apply to them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from p2smt.errors import VerifyError
from p2smt.frontend.msccl.attributes import Attributes, flag_of, number_of, word_of
from p2smt.frontend.msccl.schedule import INPUT, OUTPUT, BlockStep, MscclKind
from p2smt.verify.plan import BufferRange

MOST_FUSED = 16
"""The most reductions that the runtimes fuse in one threadblock; further ones are not fused."""


def read_step(attributes: Attributes, short: bool, place: str, sizes: Mapping[str, int]) -> BlockStep:
    """Return a step written in the long or the short spelling; `sizes` are the GPU's buffer lengths in chunks."""
    kind = MscclKind(word_of(attributes, "type", place, list(MscclKind)))
    if short and kind in (MscclKind.COPY, MscclKind.REDUCE):
        raise VerifyError(f"{place}: <op> names one chunk, {kind} has two; write <step> with srcbuf and dstbuf")
    block = number_of(attributes, "depid", place, -1, default=-1 if short else None)
    after = None if block < 0 else (block, number_of(attributes, "deps", place, 0))
    reports = flag_of(attributes, "hasdep", place, 0 if short else None) == 1
    if kind is MscclKind.NOP:
        return BlockStep(kind, BufferRange(INPUT, 0, 0), BufferRange(OUTPUT, 0, 0), after, reports)
    count = number_of(attributes, "cnt", place, 1, default=1 if short else None)
    source = target = BufferRange(INPUT, 0, 0)
    if kind.reads_source:
        source = _part(attributes, "" if short else "src", count, place, sizes)
    if kind.writes_target:
        target = _part(attributes, "" if short else "dst", count, place, sizes)
    return BlockStep(kind, source, target, after, reports)


def _part(attributes: Attributes, side: str, count: int, place: str, sizes: Mapping[str, int]) -> BufferRange:
    buffer = word_of(attributes, f"{side}buf", place, sizes)
    part = BufferRange(buffer, number_of(attributes, f"{side}off", place, 0), count)
    _check_inside(part, sizes, place)
    return part


def _check_inside(part: BufferRange, sizes: Mapping[str, int], place: str) -> None:
    buffer = part.buffer
    if part.end > sizes[buffer]:
        raise VerifyError(
            f"{place}: chunks {part.start} to {part.end - 1} of {buffer}, which has {sizes[buffer]} ({buffer}_chunks)"
        )


def fused(steps: Sequence[BlockStep], place: str, sizes: Mapping[str, int]) -> tuple[BlockStep, ...]:
    """Return the steps of a threadblock after the fusion that the runtimes apply.

    A `re` is fused with the `re` before it if it waits for nothing, the one before reports nothing, and both add
    chunks of one buffer to the same chunk. The target is then read and written once, with the count of the last
    `re`, so every `re` of a fused run gets that count.
    """
    done, first, reductions = list(steps), 0, 0
    for at, step in enumerate(steps):
        if step.kind is not MscclKind.REDUCE:
            continue
        if at == 0 or reductions == MOST_FUSED or not _continues(steps[at - 1], step):
            first = at
        reductions += 1
        for earlier in range(first, at):
            done[earlier] = _counted(steps[earlier], step.count)
            _check_inside(done[earlier].source, sizes, f"{place} step {earlier}, joined with the re after it")
    return tuple(done)


def _continues(before: BlockStep, step: BlockStep) -> bool:
    same = before.target.buffer == step.target.buffer and before.target.start == step.target.start
    joined = before.kind is MscclKind.REDUCE and not before.reports and step.after is None
    return joined and same and before.source.buffer == step.source.buffer


def _counted(step: BlockStep, count: int) -> BlockStep:
    return replace(step, source=replace(step.source, length=count), target=replace(step.target, length=count))
