"""Coordinate compression: merge chunks that every step treats alike.

A step moves whole parts: it maps source chunk `a + i` to target chunk `b + i` for `0 <= i < n`, separately for
each block if the collective splits a part into blocks. `joined` finds the coarsest cuts of all buffers such
that

    every end of a mapped range is a cut, and
    a cut at offset i on one side of a map is a cut at offset i on the other side.

Then every map takes whole intervals to intervals of the same length. The chunks at offset `o` of all intervals
longer than `o` never interact with others: they form a plan of their own, which is part of the plan at offset
0. A plan is therefore right exactly if the plan with only the first chunk of every interval is.

Algorithm: a worklist of cuts, each carried through all maps of its buffer. It takes O(cuts x maps) steps, and
gives up above `MOST_WORK`. An AllReduce of 100,000 chunks is reduced to one chunk; a ring among n devices keeps
n.
Reference: Paige and Tarjan, "Three partition refinement algorithms", 1987, for refinement to the coarsest partition.

Example: a ReduceScatter of data[0:4] among two devices to shard[0:2] cuts data at 0, 2, 4 and shard at 0, 2. If
data[0:1] is also copied elsewhere, the cut at 1 carries over to shard 1, and from there to data 3.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from p2smt.collective import Collective, Exchange
from p2smt.verify.operation import LocalOperation, Operation
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.shape import shape_mistake

FEW_CELLS = 2**14
"""Number of chunks on all devices up to which plans stay unchanged, as original chunk numbers are clearer."""
MOST_WORK = 2_000_000


class _Map(NamedTuple):
    """A map from chunk `start + i` of one buffer to chunk `other_start + i` of another, for all i below `length`."""

    buffer: str
    start: int
    other: str
    other_start: int
    length: int

    @property
    def back(self) -> "_Map":
        """The inverse map."""
        return _Map(self.other, self.other_start, self.buffer, self.start, self.length)


Cuts = Mapping[str, Sequence[int]]
"""Per buffer, the ends of all intervals, ascending, from 0 to the buffer's length."""


def joined(plan: VerificationPlan) -> VerificationPlan:
    """Return the plan with every interval of equally treated chunks merged into one chunk, and a note about it.

    Return the plan itself if it is small, if no chunks merge, or if a step violates a rule of shape.
    """
    if plan.devices * sum(length for _, length in plan.buffers) <= FEW_CELLS or shape_mistake(plan):
        return plan
    cuts = _cuts(plan)
    if cuts is None or all(len(cuts[name]) == length + 1 for name, length in plan.buffers):
        return plan
    lengths = tuple((name, len(cuts[name]) - 1) for name, _ in plan.buffers)
    goal = replace(plan.goal, source=_part(plan.goal.source, cuts), target=_part(plan.goal.target, cuts))
    steps = tuple(
        replace(step, source=_part(step.source, cuts), target=_part(step.target, cuts)) for step in plan.steps
    )
    before = dict(plan.buffers)
    fewer = [f"{name} has {length} for {before[name]}" for name, length in lengths if length < before[name]]
    note = f"chunks that all steps treat alike are counted as one: {', '.join(fewer)}"
    return replace(plan, buffers=lengths, goal=goal, steps=steps, notes=(*plan.notes, note))


def _part(part: BufferRange, cuts: Cuts) -> BufferRange:
    own = cuts[part.buffer]
    # A cut's position is the new chunk number of the interval that begins there.
    first = bisect_left(own, part.start)
    return BufferRange(part.buffer, first, bisect_left(own, part.end) - first)


def _cuts(plan: VerificationPlan) -> Cuts | None:
    """Return the coarsest cuts that all maps preserve; None if finding them takes too long."""
    maps = {one for step in plan.steps for one in _step_maps(step)} | set(_goal_maps(plan.goal))
    by_buffer: defaultdict[str, list[_Map]] = defaultdict(list)
    for one in maps:
        by_buffer[one.buffer].append(one)
        by_buffer[one.other].append(one.back)
    known = {name: {0, length} for name, length in plan.buffers}
    for one in maps:
        known[one.buffer] |= {one.start, one.start + one.length}
        known[one.other] |= {one.other_start, one.other_start + one.length}
    # A worklist: a new cut may carry over to other buffers by every map that covers it.
    waiting, work = [(name, cut) for name, own in known.items() for cut in own], 0
    while waiting:
        name, cut = waiting.pop()
        work += len(by_buffer[name])
        if work > MOST_WORK:
            return None
        for one in by_buffer[name]:
            if one.start < cut < one.start + one.length:
                carried = one.other_start + cut - one.start
                if carried not in known[one.other]:
                    known[one.other].add(carried)
                    waiting.append((one.other, carried))
    return {name: sorted(own) for name, own in known.items()}


def _step_maps(step: VerificationStep) -> Iterator[_Map]:
    for size in {len(group) for group in step.groups}:
        yield from _maps(step.operation, step.source, step.target, size, in_place=step.in_place)


def _goal_maps(goal: Goal) -> Iterator[_Map]:
    for size in {len(group) for group in goal.groups}:
        yield from _maps(goal.collective, goal.source, goal.target, size)


def _maps(
    operation: Operation, source: BufferRange, target: BufferRange, size: int, *, in_place: bool = False
) -> Iterator[_Map]:
    """Yield the maps of a step in one group of this size; blocks map to each other, so that they are cut equally."""
    if in_place:
        yield from _blocks(source, BufferRange(target.buffer, target.start, target.length // size), size)
        return
    along = _Map(source.buffer, source.start, target.buffer, target.start, source.length)
    match operation:
        case LocalOperation.COPY | LocalOperation.ADD | LocalOperation.SCALE | LocalOperation.NEGATE:
            yield along
        case Collective.ALL_REDUCE | Collective.REDUCE | Collective.BROADCAST | Exchange.SEND:
            yield along
        case Collective.REDUCE_SCATTER:
            yield from _blocks(source, target, size)
        case Collective.ALL_GATHER:
            yield from _blocks(target, source, size)
        case Exchange.ALL_TO_ALL:
            first = BufferRange(target.buffer, target.start, target.length // size)
            yield from _blocks(source, first, size)
            yield from _blocks(target, first, size)


def _blocks(whole: BufferRange, block: BufferRange, size: int) -> Iterator[_Map]:
    length = whole.length // size
    for place in range(size):
        yield _Map(whole.buffer, whole.start + place * length, block.buffer, block.start, length)
