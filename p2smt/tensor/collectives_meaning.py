"""Effects of conversions on the arrays of a group of ranks, independent of declared layouts.

The denotation of each conversion, on arrays x[0], ..., x[n - 1] of a group, with cut(x)[r] the block of rank r:
    AllReduce       y[r] = x[0] + ... + x[n - 1]              ReduceScatter  y[r] = cut(x[0] + ... + x[n - 1])[r]
    AllGather       y[r] = x[0] | ... | x[n - 1]              AllToAll       y[r] = join over s of cut(x[s])[r]
    Reduce(k)       y[k] = the sum, others hold nothing       Broadcast(k)   y[r] = x[k]
    Slice           y[r] = cut(x[r])[r]                       Keep(k)        y[k] = x[k], others hold zeros
    Rebalance       y[r] = cut(x[0] | ... | x[n - 1])[r]      Send           y[r] = x[r - 1], y[0] is nothing
where `|` joins along a dimension; the sum can be another reduction.
Complexity: a sum or join is computed once for the group, and blocks are views of it.
Reference: MPI Forum, "MPI: a message-passing interface standard", chapter on collective communication.

Example: two ranks with (1, 2) and (3, 4). ReduceScatter gives (4) and (6), AllToAll (1, 3) and (2, 4).
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.frame import Interval
from p2smt.tensor.layout import ReductionOp, chunk_sizes
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part, Parts
from p2smt.tensor.operation import Array

Sizes = tuple[int, ...] | None


def exchanged(conversion: Conversion, group: Parts, meaning: Meaning) -> Parts:
    """Return the arrays of a group's members, in order along the axis, after a conversion.

    If no member holds an array, none does afterwards. DoesNotRunError if the arrays do not fit the
    conversion.
    """
    if all(part is None for part in group):
        return group
    match conversion:
        case Broadcast(root):
            return (group[_member(root, group)],) * len(group)
        case Send():
            return (None, *group[:-1])
        case _:
            parts = [part for part in group if part is not None]
            if len(parts) < len(group):
                raise DoesNotRunError("a member of the group holds no array")
            return _among_all(conversion, parts, meaning)


def _among_all(conversion: Conversion, parts: list[Part], meaning: Meaning) -> Parts:
    ranks = range(len(parts))
    after: list[Part | None]
    match conversion:
        case AllReduce(reduction):
            total = _total(parts, reduction, meaning)
            after = [Part(total, part.intervals) for part in parts]
        case ReduceScatter(dimension, sizes, reduction):
            after = [*_cut(Part(_total(parts, reduction, meaning), parts[0].intervals), dimension, sizes, len(parts))]
        case Reduce(root, reduction):
            member = _member(root, parts)
            summed = Part(_total(parts, reduction, meaning), parts[member].intervals)
            after = [summed if rank == member else None for rank in ranks]
        case AllGather(dimension):
            after = [_joined(parts, dimension)] * len(parts)
        case AllToAll(source, target, sizes):
            sent = [_cut(part, target, sizes, len(parts)) for part in parts]
            after = [_joined(received, source) for received in zip(*sent, strict=True)]
        case Rebalance(dimension, sizes):
            after = [*_cut(_joined(parts, dimension), dimension, sizes, len(parts))]
        case Slice(dimension, sizes):
            cuts = _BlockCutter(dimension, sizes, len(parts))
            after = [cuts.block(part, rank) for rank, part in enumerate(parts)]
        case Keep(root):
            member = _member(root, parts)
            after = [part if rank == member else _zeros(part) for rank, part in enumerate(parts)]
        case Broadcast() | Send():
            raise AssertionError("members may have nothing")
    return tuple(after)


def _member(root: int, group: Sequence[Part | None]) -> int:
    if root >= len(group):
        raise DoesNotRunError(f"rank {root} does not exist in a group of {len(group)}")
    return root


def _total(parts: list[Part], reduction: ReductionOp, meaning: Meaning) -> Array:
    """Return the reduction of the members' arrays, computed once for all of them."""
    if len({part.array.shape for part in parts}) > 1:
        raise DoesNotRunError("arrays of different shapes are reduced")
    return meaning.reduced(reduction, [part.array for part in parts])


def _joined(parts: Sequence[Part], dimension: int) -> Part:
    """Concatenate the parts along a dimension; the interval of the first part sets the start of the result."""
    _has(parts[0], dimension)
    shapes = {part.array.shape[:dimension] + part.array.shape[dimension + 1 :] for part in parts}
    if len(shapes) > 1:
        raise DoesNotRunError("arrays of different shapes are concatenated")
    array = np.concatenate([part.array for part in parts], axis=dimension)
    start = parts[0].intervals[dimension].start
    return _at(Part(array, parts[0].intervals), dimension, Interval(start, start + array.shape[dimension]))


def _at(part: Part, dimension: int, interval: Interval) -> Part:
    return Part(part.array, (*part.intervals[:dimension], interval, *part.intervals[dimension + 1 :]))


def _has(part: Part, dimension: int) -> None:
    if dimension >= part.array.ndim:
        raise DoesNotRunError(f"an array of {part.array.ndim} dimensions has no dimension {dimension}")


def _cut(part: Part, dimension: int, sizes: Sizes, ranks: int) -> list[Part]:
    """Return each rank's block of a part."""
    cuts = _BlockCutter(dimension, sizes, ranks)
    return [cuts.block(part, rank) for rank in range(ranks)]


class _BlockCutter:
    """Cuts parts into blocks along a dimension; caches the offsets for parts of equal length and start."""

    def __init__(self, dimension: int, sizes: Sizes, ranks: int) -> None:
        self._dimension = dimension
        self._sizes = sizes
        self._ranks = ranks
        self._known: dict[tuple[int, int], tuple[int, ...]] = {}

    def block(self, part: Part, rank: int) -> Part:
        """Return the block of this rank."""
        _has(part, self._dimension)
        length, start = part.array.shape[self._dimension], part.intervals[self._dimension].start
        # All members of a group are cut alike as a rule: without this, n ranks would add up n sizes each.
        if (length, start) not in self._known:
            self._known[length, start] = tuple(accumulate(_blocks(length, start, self._sizes, self._ranks), initial=0))
        first, last = self._known[length, start][rank : rank + 2]
        array = part.array[(slice(None),) * self._dimension + (slice(first, last),)]
        return _at(Part(array, part.intervals), self._dimension, Interval(start + first, start + last))


def _blocks(length: int, start: int, sizes: Sizes, ranks: int) -> tuple[int, ...]:
    """Return the block sizes of an interval that begins at `start`.

    Explicit sizes may list the blocks of several intervals, one after the other.
    """
    if sizes is None:
        return chunk_sizes(length, ranks)
    before = 0
    for position in range(0, len(sizes), ranks):
        blocks = sizes[position : position + ranks]
        if sum(blocks) == length and len(blocks) == ranks and (before == start or len(sizes) == ranks):
            return blocks
        before += sum(blocks)
    raise DoesNotRunError(f"no blocks of {'/'.join(map(str, sizes))} fit {length} elements of {ranks} ranks")


def _zeros(part: Part) -> Part:
    return Part(np.zeros_like(part.array), part.intervals)
