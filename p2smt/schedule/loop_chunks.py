"""Elements of a loop's chunks: one block of every slice of the dimension, cut like torch.chunk.

If collectives of the loop slice or gather the dimension, a chunk of an unsharded value has one block of every rank's
slice. Slicing that chunk then gives chunks of the slices, and gathering these gives that chunk. With slices s[0], s[1],
... in units of the shortest dimension, b(s, c) the c-th block of s, and unit = length / sum of s,
    chunk c of a value = for every slice i that the rank holds, unit * b(s[i], c) elements
                         from unit * (s[0] + ... + s[i - 1] + b(s[i], 0) + ... + b(s[i], c - 1)).
The slices are the common refinement of those of all values, which has to be one of them (of partitions of an interval,
the finest has all ends of the others).
Complexity: O(slices) for each chunk of a value.
Reference: Stanley, "Enumerative Combinatorics 1", 2012 (compositions and their refinement).

Example: slices of 3 and 2 in 2 chunks: blocks 2, 1 and 1, 1, so chunk 0 is elements 0, 1 and 3, chunk 1 elements 2 and
4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from p2smt.schedule.outcome import StepRefusedError
from p2smt.schedule.why import Why
from p2smt.tensor.frame import Interval
from p2smt.tensor.layout import chunk_sizes

Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoopChunks:
    """The slices that chunks are cut from, scaled to the shortest chunked dimension.

    `dimensions` has the chunked dimension of every statement of the loop. Its length is a multiple of the sum
    of `slices`, and ranks hold whole slices.
    """

    dimensions: Mapping[str, int]
    slices: Sizes

    def ranges(self, length: int, held: Interval, chunk: int, chunks: int) -> tuple[Interval, ...]:
        """Return the intervals of chunk `chunk` of `chunks`, relative to the first element of a rank's part.

        >>> chunked = LoopChunks({"y": 0}, (3, 2))
        >>> chunked.ranges(5, Interval(0, 5), 0, 2)
        (Interval(start=0, stop=2), Interval(start=3, stop=4))
        >>> chunked.ranges(5, Interval(3, 5), 1, 2)
        (Interval(start=1, stop=2),)
        """
        # Slices are in units of the shortest dimension; this value has `unit` elements for each of
        # them.
        unit, found, start = length // sum(self.slices), list[Interval](), 0
        for size in self.slices:
            # A rank has whole slices only, so the start of a slice tells whether it is there.
            if held.start <= start * unit < held.stop:
                blocks = chunk_sizes(size, chunks)
                first = ((start + sum(blocks[:chunk])) * unit) - held.start
                found.append(Interval(first, first + (blocks[chunk] * unit)))
            start += size
        return tuple(found)


def loop_chunks(dimensions: Mapping[str, int], slicings: Sequence[tuple[str, Sizes]]) -> LoopChunks:
    """Return the chunks of values with these slicings, each given with its statement.

    StepRefusedError if the slices of one value are not unions of another's, or cut inside a unit.
    """
    shortest = min(sum(sizes) for _, sizes in slicings)
    rough = [(name, _divided(name, sizes, _unit(name, sum(sizes), shortest))) for name, sizes in slicings]
    # Slices of one have to be unions of the other's; so the one with most ends has all ends of the others, or none
    # has.
    finest_name, finest = max(rough, key=lambda each: len(_cuts(each[1])))
    for name, sizes in rough:
        if not _cuts(sizes) <= _cuts(finest):
            raise StepRefusedError(Why.MISALIGNED, f"slices of {name} are not made up of those of {finest_name}")
    return LoopChunks(dimensions, finest)


def _divided(name: str, sizes: Sizes, unit: int) -> Sizes:
    if any(size % unit for size in sizes):
        raise StepRefusedError(Why.MISALIGNED, f"{name} is sliced inside of an element of another stage")
    return tuple(size // unit for size in sizes)


def _unit(name: str, length: int, shortest: int) -> int:
    if not shortest or length % shortest:
        raise StepRefusedError(Why.MISALIGNED, f"{name}: a length of {length} beside one of {shortest}")
    return length // shortest


def _cuts(sizes: Sizes) -> frozenset[int]:
    """Return the end positions of slices."""
    return frozenset(accumulate(sizes))
