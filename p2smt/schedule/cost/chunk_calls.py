"""Costs of a loop's chunks in addition to their shares of whole calls, as loops are emitted.

A chunk that is not contiguous is copied out of its tensor; a chunk is copied into a tensor that is needed
whole; and a contraction reads its unchunked operands again for every chunk.
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
    """A loop's chunked statements (`chunking.names`), and the footprints of the program's values."""

    program: Program
    values: Mapping[str, ValueFootprint]
    chunking: Chunker
    chunks: int

    def parts(self, name: str) -> int:
        """Return the number of tensors from which a statement reads chunks, or into which it writes them."""
        return len(self._read(name)) + self._is_put(name)

    def copied(self, name: str) -> float:
        """Return the bytes copied out of or into tensors by all chunks, on the rank that copies most."""
        found = self.chunking.chunks()
        taken = sum(self._scattered(found, read) for read in self._read(name))
        return taken + (max(self.values[name].bytes) if self._is_put(name) else 0)

    def reread(self, made: Sequence[OperationCall], name: str, rates: Rates) -> float:
        """Return the extra seconds of a statement's chunked contractions, beyond their shares of the whole calls."""
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
        """Return the bytes of a tensor if its chunks are not contiguous on some rank, else 0.

        Contiguous chunks are views and need no copy.
        """
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
    """Return the seconds of reading and writing this many bytes, excluding call start-ups."""
    return rates.call(ELEMENTWISE, 2 * moved)[1]
