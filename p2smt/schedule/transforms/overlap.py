"""overlap: y = f(x); z = g(y) -> for each chunk c of a dimension: y[c] = f(x[c]); z[c] = g(y[c]), g one chunk later.

Guard: each stage reads the previous one; its chunks are chunks of the next stage, and none is empty. If a
collective slices or gathers the dimension, chunks lie inside each rank's slice (`loop_chunks.py`). Obligations:
every operation and every collective can work chunk by chunk. On each rank, conflicting accesses to a chunk of a
buffer are ordered, and ranks do not deadlock (`events.py`, over all ranks). Rebuild: the loop is recorded, and its
statements become contiguous.

    turn t:  y[t] = f(x[t]);  z[t - 1] = g(y[t - 1]).
Complexity: O(stages x chunks) events for each rank of a small instance.

Reference: Jangda et al., "Breaking the computation and communication abstraction barrier in distributed machine
learning workloads", ASPLOS 2022, section 3 (overlap).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise

from p2smt.schedule.chunk_replay import needs_other_chunks
from p2smt.schedule.chunks import Chunker, chunked
from p2smt.schedule.events import deadlock, race
from p2smt.schedule.graph import arranged, between, reads, statements
from p2smt.schedule.loop_events import Stages, orders, shown
from p2smt.schedule.naming import distinct, new_names, unit
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import Loop, ScheduledProgram
from p2smt.schedule.step import Overlap
from p2smt.schedule.summing import adding
from p2smt.schedule.why import Why
from p2smt.tensor.layout import chunk_sizes
from p2smt.tensor.program import Program


def overlap(scheduled: ScheduledProgram, step: Overlap, results: tuple[str, ...]) -> Rewriting:
    """Overlap stages chunk by chunk. `results` has a name for the loop, or none."""
    distinct(step.stages)
    stages = tuple((name, unit(scheduled, name)) for name in step.stages)
    program = scheduled.program
    chunking = _chunking(program, stages, step.dimension)
    _not_empty(chunking, step.chunks)
    _events(program, stages, step.dimension, shown(step.chunks, stages))
    new_names(scheduled, results, ("the loop",) if results else ())
    name = results[0] if results else f"loop.{step.stages[0]}"
    loop = Loop(name, step.stages, step.chunks, step.dimension)
    made = arranged(replace(scheduled, loops=(*scheduled.loops, loop)))
    if made is None:
        raise StepRefusedError(Why.NOT_CONVEX, f"{name} and another group or loop")
    facts = ("accesses to chunks have an order on every rank", "no rank waits in a circle")
    return Rewriting(
        scheduled=made,
        lemmas=tuple(dict.fromkeys(chunking.lemmas)),
        facts=facts,
        instances=tuple(chunking.instances),
        summing=_summing(program, chunking.names),
    )


@lru_cache(maxsize=256)
def _chunking(program: Program, stages: Stages, dimension: int) -> Chunker:
    """Return the chunks of a chain, for any number of chunks.

    StepRefusedError if it is not a chain, or chunks do not align.
    """
    _chain(program, stages)
    names = {name for _, members in stages for name in members}
    order = tuple(each.name for each in program.statements if each.name in names)
    try:
        chunking = chunked(program, order, dimension)
        chunking.chunks()
        return chunking
    except StepRefusedError as refused:
        if refused.reason is not Why.MISALIGNED:
            raise
        example = partial(needs_other_chunks, program, order, dimension)
        raise StepRefusedError(refused.reason, refused.detail, example=example) from refused


def _chain(program: Program, stages: Stages) -> None:
    """Check that each stage reads the previous one, and that no other statement lies between two stages."""
    if len(stages) < 2:
        raise StepRefusedError(Why.TOO_FEW, stages[0][0])
    expressions = statements(program)
    for (first, before), (second, behind) in pairwise(stages):
        if not any(reads(expressions[name]) & set(before) for name in behind):
            raise StepRefusedError(Why.NOT_A_CHAIN, f"{second} does not read {first}")
    inside = {name for _, members in stages for name in members}
    for name in inside:
        outside = set(between(program, name, inside)) - inside
        if outside:
            raise StepRefusedError(Why.NOT_A_CHAIN, f"{min(outside)} lies between them")
    for number, (stage, members) in enumerate(stages):
        later = {name for _, theirs in stages[number + 1 :] for name in theirs}
        back = next((name for name in members if reads(expressions[name]) & later), None)
        if back is not None:
            raise StepRefusedError(Why.NOT_A_CHAIN, f"{stage} reads a later stage")


def _not_empty(chunking: Chunker, chunks: int) -> None:
    """Check that no chunk of any slice is empty. For example, torch.chunk cuts 4 elements into 2, 2 and 0."""
    for size in chunking.chunks().slices:
        if min(chunk_sizes(size, chunks)) < 1:
            first = chunking.names[0]
            where = f"dimension {chunking.dimensions[first]} of {first}"
            raise StepRefusedError(Why.TOO_MANY_CHUNKS, f"{chunks} chunks of {size} along {where}")


@lru_cache(maxsize=1024)
def _events(program: Program, stages: Stages, dimension: int, chunks: int) -> None:
    """Raise StepRefusedError if ranks deadlock, or conflicting accesses are unordered."""
    issued = orders(program, stages, _chunking(program, stages, dimension), chunks)
    circle = deadlock(issued)
    if circle is not None:
        raise StepRefusedError(Why.DEADLOCK, circle)
    pair = race(issued)
    if pair is not None:
        raise StepRefusedError(Why.RACE, pair)


def _summing(program: Program, names: Sequence[str]) -> str:
    found = adding(program, names)
    return f"{', '.join(found)}: each chunk sums in an order of its own" if found else ""
