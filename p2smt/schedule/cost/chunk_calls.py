"""Costs of a loop's chunks beside their parts of whole calls, as loops are emitted.

A chunk that lies in several places is copied out of its tensor, and one is copied into a tensor that is wanted whole;
what a contraction reads without cutting it is read again for every chunk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2smt.schedule.chunks import Chunker
from p2smt.schedule.cost.calls import OperationCall
from p2smt.schedule.cost.rates import ELEMENTWISE, Rates
from p2smt.schedule.graph import observed, readers, reads, statements
from p2smt.schedule.loop_chunks import LoopChunks
from p2smt.tensor.footprint import ValueFootprint
from p2smt.tensor.placing import part_of
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class ChunkCalls:
    """A loop's statements `chunking.names`, and the values of the program that they are of."""

    program: Program
    values: Mapping[str, ValueFootprint]
    chunking: Chunker
    chunks: int

    def parts(self, name: str) -> int:
        """The number of tensors from which a statement takes chunks, or into which it puts them."""
        return len(self._read(name)) + self._is_put(name)

    def copied(self, name: str) -> float:
        """Bytes of all chunks together that are copied out of tensors, or into one, on the rank that copies most."""
        found = self.chunking.chunks()
        taken = sum(self._scattered(found, read) for read in self._read(name))
        return taken + (max(self.values[name].bytes) if self._is_put(name) else 0)

    def reread(self, made: Sequence[OperationCall], name: str, rates: Rates) -> float:
        """Additional seconds of a statement's contractions on chunks, beyond their parts of the whole."""
        whole, more = frozenset(self.chunking.whole[name]), 0.0
        for each in (one for one in made if one.tensors):
            _, once = rates.call(each.operation, each.size, each.moved())
            moved = each.moved(self.chunks, whole)
            _, here = rates.call(each.operation, each.size / self.chunks, moved, rates.reread)
            more += max(0.0, here - once / self.chunks)
        return more

    def _read(self, name: str) -> list[str]:
        read = reads(statements(self.program)[name])
        return [each for each in sorted(read) if each not in self.chunking.names and self.values[each].shape]

    def _is_put(self, name: str) -> bool:
        return name in observed(self.program) or any(
            reader not in self.chunking.names for reader in readers(self.program)[name]
        )

    def _scattered(self, found: LoopChunks, name: str) -> int:
        """The bytes of a tensor whose chunks lie in several places; a view takes the others out."""
        value, mesh = self.values[name], self.program.mesh
        dimensions = self.chunking.outside.get(name, set())
        most = 0
        for rank, held in enumerate(value.bytes):
            own = part_of(value.layouts, mesh, value.shape, rank) if held else ()
            for dimension in dimensions if own else ():
                if len(found.ranges(value.shape[dimension], own[dimension], 0, self.chunks)) > 1:
                    most = max(most, held)
        return most


def copying(rates: Rates, moved: float) -> float:
    """Seconds in which so many bytes are read and written, however many calls do it."""
    return rates.call(ELEMENTWISE, 2 * moved)[1]
