"""A loop in numpy, chunk by chunk: what lies in other chunks is replaced by other numbers before each turn."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from p2smt.schedule.chunks import Chunker
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.comparison import split, whole_value
from p2smt.tensor.expression import Source, SourceKind
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import Part
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals
from p2smt.tensor.shapes import wholes


def chunked_differently(scheduled: ScheduledProgram, seed: int = 0, running: Program | None = None) -> str:
    """The first value of a loop that needs other chunks of what it reads, or is not made up of chunks; empty if none.

    Each chunk of each value is compared with the same elements of an undisturbed run. `running` is what is run in place
    of the scheduled program.
    """
    program, meaning = running or scheduled.program, Reals(seed)
    given = {each.name: split(each, whole_value(each, meaning), program, meaning) for each in program.sources}
    values = run(program, given, meaning)
    for loop in scheduled.loops:
        inside = {name for stage in loop.stages for name in scheduled.members(stage)}
        names = [each.name for each in scheduled.program.statements if each.name in inside]
        chunking = Chunker(typed(scheduled.program), names, loop.dimension)
        chunking.run()
        wrong = _loop(program, values, chunking, loop.chunks, seed)
        if wrong:
            return f"{loop.name}: {wrong}"
    return ""


def _loop(program, values, chunking, chunks, seed):
    covered = Counter()
    for chunk in range(chunks):
        turn = _Turn(chunking, chunk, chunks)
        made = run(_alone(program, chunking.names), turn.disturbed(values, seed), Reals(seed))
        for name in chunking.names:
            for rank, (old, new) in enumerate(zip(values[name], made[name], strict=True)):
                if old is None:
                    continue
                taken = turn.indices(name, old, chunking.dimensions[name])
                covered[name, rank] += len(taken)
                ours, theirs = (each.array.take(taken, chunking.dimensions[name]) for each in (old, new))
                if not np.allclose(ours, theirs, 1e-9, 1e-9):
                    return f"chunk {chunk} of {name} on rank {rank}"
    for (name, rank), count in covered.items():
        if count != values[name][rank].array.shape[chunking.dimensions[name]]:
            return f"chunks of {name} on rank {rank} have {count} elements"
    return ""


@dataclass(frozen=True)
class _Turn:
    chunking: Chunker
    chunk: int
    chunks: int

    def indices(self, name, part, dimension):
        length, held = self.chunking.typed.shapes[name][dimension], part.intervals[dimension]
        found = self.chunking.chunks().ranges(length, held, self.chunk, self.chunks)
        return [index for interval in found for index in range(interval.start, interval.stop)]

    def disturbed(self, values, seed):
        """What the loop reads, with other numbers in other chunks of what is read in chunks alone."""
        whole = set().union(*self.chunking.whole.values())
        made = {name: parts for name, parts in values.items() if name not in self.chunking.names}
        for name, dimensions in self.chunking.outside.items():
            if len(dimensions) == 1 and name not in whole:
                made[name] = tuple(self._disturbed(name, part, *dimensions, seed) for part in values[name])
        return made

    def _disturbed(self, name, part, dimension, seed):
        if part is None:
            return None
        noise = np.random.default_rng(seed).permutation(part.array.reshape(-1)).reshape(part.array.shape) + 1
        noise, kept = np.moveaxis(noise, dimension, 0), self.indices(name, part, dimension)
        noise[kept] = np.moveaxis(part.array, dimension, 0)[kept]
        return Part(np.moveaxis(noise, 0, dimension).astype(part.array.dtype), part.intervals)


def _alone(program, inside):
    """The statements of a loop, with everything else as a source."""
    known, there = wholes(program), {source.name for source in program.sources}
    outer = [each.name for each in program.statements if each.name not in inside]
    given = {name: Source(kind=SourceKind.STATE, name=name, shape=known[name].shape) for name in outer}
    typed_ones = [replace(each, dtype=known[name].dtype or each.dtype) for name, each in given.items()]
    sources = tuple(each for each in typed_ones if each.name not in there)
    kept = tuple(each for each in program.statements if each.name in inside)
    return replace(program, sources=(*program.sources, *sources), statements=kept, outputs=())
