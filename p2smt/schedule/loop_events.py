"""Events of a chunked loop on every rank: stage k on chunk c is issued together with stage k + 1 on chunk c - 1.

This is software pipelining (Lam, "Software pipelining", 1988) with one stage per step: in turn t, for t = 0, 1, ...,
chunks + stages - 2, stage k works on chunk t - k if there is such a chunk. `events.py` checks the order for deadlocks
and races. A small instance stands for all: two ranks on each axis, because all ranks of an axis issue the same events,
and stages + `MOST_CHUNKS` chunks, because turns with all stages at work are alike.

    turn t:  stage k on chunk t - k,   for all stages k with 0 <= t - k < chunks.

Complexity: stages x chunks events for each rank.

Example: stages A, B on 3 chunks are issued as A0; A1 B0; A2 B1; B2.
"""

from collections.abc import Iterator
from itertools import product

from p2smt.schedule.chunks import Chunker
from p2smt.schedule.events import Access, Key, RankEvent
from p2smt.schedule.graph import reads, statements
from p2smt.schedule.kernel import sends
from p2smt.tensor.expression import Call, Convert, ProgramAxis, Read
from p2smt.tensor.placing import coordinates, world
from p2smt.tensor.program import Program

MOST_RANKS_OF_AN_AXIS = 2
MOST_CHUNKS = 3
"""The largest number of chunks examined, besides one per stage; all but the first and last behave alike."""

Stages = tuple[tuple[str, tuple[str, ...]], ...]
"""Stage names with their statements."""


def orders(program: Program, stages: Stages, chunking: Chunker, chunks: int) -> tuple[tuple[RankEvent, ...], ...]:
    """Return the events of every rank, in order of issue, on a mesh reduced to two ranks per axis."""
    # Two ranks on each axis stand for any number: all ranks of an axis issue the same events.
    mesh = tuple(ProgramAxis(axis.name, min(axis.size, MOST_RANKS_OF_AN_AXIS)) for axis in program.mesh)
    count = shown(chunks, stages)
    return tuple(tuple(_of_rank(program, mesh, rank, stages, chunking, count)) for rank in range(world(mesh)))


def shown(chunks: int, stages: Stages) -> int:
    """Return the number of chunks to examine, which is enough to stand for any larger number."""
    return min(chunks, MOST_CHUNKS + len(stages))


def _of_rank(
    program: Program, mesh: tuple[ProgramAxis, ...], rank: int, stages: Stages, chunking: Chunker, chunks: int
) -> Iterator[RankEvent]:
    # Software pipelining: in turn t, stage k works on chunk t - k.
    for turn in range(chunks + len(stages) - 1):
        for number, (name, members) in enumerate(stages):
            chunk = turn - number
            if 0 <= chunk < chunks:
                axis = _axis(program, members)
                group = () if axis is None else _group(mesh, axis, rank)
                yield RankEvent(
                    stage=name,
                    chunk=chunk,
                    needs=_needs(program, stages, number, chunk),
                    queue="computation" if axis is None else f"group {group}",
                    group=group,
                    accesses=tuple(_accesses(program, members, chunking, chunk)),
                )


def _axis(program: Program, members: tuple[str, ...]) -> int | None:
    """Return the axis along which a stage communicates; None if it does not."""
    expressions = statements(program)
    for name in members:
        expression = expressions[name]
        if isinstance(expression, Convert) and sends(expression.conversion):
            return program.axis(expression.axis)
    return None


def _group(mesh: tuple[ProgramAxis, ...], axis: int, rank: int) -> tuple[int, ...]:
    """Return the ranks that differ from this one only along the axis."""
    mine = coordinates(mesh, rank)
    ranges = [range(each.size) if number == axis else (mine[number],) for number, each in enumerate(mesh)]
    found = []
    for position in product(*ranges):
        number = 0
        for coordinate, each in zip(position, mesh, strict=True):
            number = number * each.size + coordinate
        found.append(number)
    return tuple(found)


def _needs(program: Program, stages: Stages, number: int, chunk: int) -> tuple[Key, ...]:
    """Return the earlier stages that this one reads, at the same chunk."""
    expressions = statements(program)
    mine = {read for name in stages[number][1] for read in reads(expressions[name])}
    return tuple((name, chunk) for name, members in stages[:number] if mine & set(members))


def _accesses(program: Program, members: tuple[str, ...], chunking: Chunker, chunk: int) -> Iterator[Access]:
    """Yield a stage's accesses: chunks of values read in chunks, all of others; a state is written in place.

    A value chunked along several dimensions is read as a whole.
    """
    for name in members:
        yield _access(program, name, chunk, writes=True)
        for read in sorted(chunking.cut[name]):
            # Chunks along different dimensions of one buffer cross each other, so each counts as
            # all of it.
            crossed = len(_dimensions(program, chunking, read)) > 1
            yield _access(program, read, None if crossed else chunk, writes=False)
        for read in sorted(chunking.whole[name]):
            yield _access(program, read, None, writes=False)


def _dimensions(program: Program, chunking: Chunker, name: str) -> frozenset[int]:
    """Return the dimensions along which a value's buffer is read and written in chunks."""
    if name not in chunking.outside:
        return frozenset([chunking.dimensions[name]])
    buffer = _buffer(program, name)[0]
    written = {chunking.dimensions[other] for other in chunking.names if _buffer(program, other)[0] == buffer}
    return frozenset(
        written.union(*(of for other, of in chunking.outside.items() if _buffer(program, other)[0] == buffer))
    )


def _access(program: Program, name: str, chunk: int | None, *, writes: bool) -> Access:
    buffer, version = _buffer(program, name)
    return Access(buffer, chunk, writes, version)


def _buffer(program: Program, name: str) -> tuple[str, int]:
    """Return the buffer of a value, and its version in it.

    Versions of a state share the state's buffer; any other value has a buffer of its own.
    """
    expressions = statements(program)
    version = 0
    while True:
        match expressions.get(name):
            case Call("update", (Read(old), _)):
                name, version = old, version + 1
            case None:
                return name, version
            case _:
                return name, version + 1
