"""Data movement: each result as a list of ranges of operand elements, in row-major order.

Elements are processed in blocks, the largest that an operation keeps together, so that long rows cost no more
than short ones.

    blocks = the operand cut along each dimension d into pieces of step[d]; dimensions behind the last step stay whole
    result = the array of block numbers, moved by numpy; -1 stands for zeros
    ranges = runs of consecutive numbers in it, times the length of a block
The steps are greatest common divisors of all sizes and bounds that the operation has along a dimension.
Complexity: O(blocks), at most the limit that `_check_blocks` holds, whatever their length.
Reference: Golomb, "Run-length encodings", 1966.

Example: [8, 1000] sliced to rows 4:8 has 2 blocks of 4,000 elements, and the result is block 1.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import gcd, prod

import numpy as np
from numpy.typing import NDArray

from p2smt.errors import VerifyError
from p2smt.frontend.xla.ssa import HloShape

Ranges = tuple[tuple[int, int], ...]
"""Consecutive (first element, count) ranges; a first element of -1 denotes zeros."""

Blocks = NDArray[np.int64]

MOST_BLOCKS = 2**18
"""The most blocks that a data movement may consist of."""


def transposed(shape: HloShape, order: Sequence[int]) -> Ranges:
    """A transpose: dimension `i` of the result is dimension `order[i]` of the operand."""
    kept = len(order)
    # Trailing dimensions that stay where they are move together, as one block.
    while kept and order[kept - 1] == kept - 1:
        kept -= 1
    return _moved(_Cut(shape, [1] * kept), lambda blocks: blocks.transpose([*order[:kept], *range(kept, blocks.ndim)]))


def reversed_along(shape: HloShape, axes: Sequence[int]) -> Ranges:
    """A reversal along some dimensions."""
    cut = _Cut(shape, [1] * (max(axes, default=-1) + 1))
    return _moved(cut, lambda blocks: np.flip(blocks, axis=tuple(axes)))


def sliced(shape: HloShape, ranges: Sequence[tuple[int, int, int]]) -> Ranges:
    """A slice from start to limit with strides, along each dimension."""
    for size, (start, limit, stride) in zip(shape.dims, ranges, strict=True):
        if not (0 <= start <= limit <= size and stride >= 1):
            raise VerifyError(f"slice [{start}:{limit}:{stride}] is out of bounds for a dimension of size {size}")
    steps = [
        # The largest blocks of which the dimension, the start and the limit are whole numbers; a stride takes single
        # ones.
        gcd(size, start, limit) if stride == 1 else 1
        for size, (start, limit, stride) in zip(shape.dims, ranges, strict=True)
    ]
    cut = _Cut(shape, steps)
    where = tuple(
        slice(start // step, limit // step, stride)
        for (start, limit, stride), step in zip(ranges, cut.steps, strict=True)
    )
    return _moved(cut, lambda blocks: blocks[where])


def padded(shape: HloShape, ranges: Sequence[tuple[int, int, int]]) -> Ranges:
    """Padding with zeros: low, high and interior per dimension; negative low and high crop."""
    touched = max((axis for axis, one in enumerate(ranges) if any(one)), default=-1)
    steps = [1] * touched
    if touched >= 0:
        low, high, interior = ranges[touched]
        steps.append(1 if interior else gcd(shape.dims[touched], low, high))
    cut = _Cut(shape, steps)

    def put(blocks: Blocks) -> Blocks:
        for axis, ((before, behind, interior), step) in enumerate(zip(ranges, cut.steps, strict=True)):
            low, high = before // step, behind // step
            size = blocks.shape[axis]
            # Interior padding: blocks go to every (interior + 1)-th position, zeros (-1) between.
            wide = np.full([*blocks.shape[:axis], size + (size - 1) * interior, *blocks.shape[axis + 1 :]], -1)
            wide[(slice(None),) * axis + (slice(None, None, interior + 1),)] = blocks
            edges = [(0, 0)] * axis + [(max(low, 0), max(high, 0))] + [(0, 0)] * (blocks.ndim - axis - 1)
            _check_blocks(prod(n + sum(edge) for n, edge in zip(wide.shape, edges, strict=True)))
            blocks = np.pad(wide, edges, constant_values=-1)
            end = blocks.shape[axis] + min(high, 0)
            blocks = blocks[(slice(None),) * axis + (slice(max(-low, 0), end),)]
        return blocks

    return _moved(cut, put)


def joined(shapes: Sequence[HloShape], axis: int) -> Ranges:
    """Return the ranges of a concatenation along a dimension; elements are numbered across all operands."""
    step = gcd(*(shape.dims[axis] for shape in shapes))
    cuts = [_Cut(shape, [1] * axis + [step]) for shape in shapes]
    blocks: list[Blocks] = []
    first = 0
    for cut in cuts:
        blocks.append(cut.blocks() + first)
        first += cut.count
    _check_blocks(first)
    return _in_rows(np.concatenate(blocks, axis=axis), cuts[0].length)


def repeated(shape: HloShape, to: HloShape, dims: Sequence[int]) -> Ranges:
    """Return the ranges of a broadcast: dimension `i` of the operand becomes dimension `dims[i]` of the result.

    `dims` need not be ascending; an operand dimension of size 1 is repeated if the result's is longer.
    """
    if len(set(dims)) != len(shape.dims) or any(
        axis >= len(to.dims) or shape.dims[place] not in (1, to.dims[axis]) for place, axis in enumerate(dims)
    ):
        raise VerifyError(
            f"{shape} is broadcast to {to} along dimensions {list(dims[:8])}; each size must stay the same, or be 1"
        )
    order = sorted(range(len(dims)), key=lambda place: dims[place])
    kept = len(to.dims)
    # Trailing dimensions that are copied whole move as one block: fewer blocks to follow.
    while kept and kept - 1 in dims and shape.dims[list(dims).index(kept - 1)] == to.dims[kept - 1]:
        kept -= 1
    if list(dims) != [dims[place] for place in order]:
        kept = len(to.dims)
    whole = prod(to.dims[kept:])
    apart = [place for place in order if dims[place] < kept]
    sizes = [shape.dims[place] for place in range(len(dims)) if dims[place] < kept]
    _check_blocks(prod(to.dims[:kept]))
    blocks = np.arange(prod(sizes)).reshape(sizes).transpose([sorted(apart).index(place) for place in apart])
    wide = [1] * kept
    for place in apart:
        wide[dims[place]] = shape.dims[place]
    return _in_rows(np.broadcast_to(blocks.reshape(wide), to.dims[:kept]), whole)


def chosen(mask: NDArray[np.bool_], size: int) -> Ranges:
    """Return the ranges of a select: elements of the first operand where the mask is true, else of the second."""
    _check_blocks(size)
    first = np.arange(size)
    return _in_rows(np.where(mask.reshape(-1), first, first + size), 1)


def updated(shape: HloShape, part: HloShape, starts: Sequence[int]) -> Ranges:
    """Return the ranges of an update: the first operand, with the second written at these start indices."""
    steps = [gcd(size, new, start) for size, new, start in zip(shape.dims, part.dims, starts, strict=True)]
    cut = _Cut(shape, steps)
    blocks = cut.blocks()
    new = [size // step for size, step in zip(part.dims, cut.steps, strict=True)]
    corner = zip(starts, cut.steps, new, strict=True)
    where = tuple(slice(start // step, start // step + size) for start, step, size in corner)
    blocks[where] = np.arange(prod(new)).reshape(new) + cut.count
    return _in_rows(blocks, cut.length)


def turned(old: HloShape, new: HloShape) -> Ranges:
    """Return the ranges of a bitcast: the elements in memory order, read with another layout."""
    memory = _composed(_to_memory(old), _from_memory(new))
    return memory if memory is not None else ((0, old.size),)


class _Cut:
    """A tensor as blocks of `steps` elements per dimension that are contiguous in memory."""

    def __init__(self, shape: HloShape, steps: Sequence[int]) -> None:
        steps = [*steps, *shape.dims[len(steps) :]]
        last = max((axis for axis, step in enumerate(steps) if step != shape.dims[axis]), default=-1)
        if last < 0:
            self.steps, self.length = list(shape.dims), shape.size
        else:
            # Only blocks behind the last dimension that is cut lie together in memory; before it every element is by
            # itself.
            self.steps = [1] * last + [steps[last]] + list(shape.dims[last + 1 :])
            self.length = prod(self.steps[last:])
        self.dims = [size // step for size, step in zip(shape.dims, self.steps, strict=True)]
        self.count = prod(self.dims)
        _check_blocks(self.count)

    def blocks(self) -> Blocks:
        """The indices of all blocks, as an array."""
        return np.arange(self.count).reshape(self.dims)


def _moved(cut: _Cut, move: Callable[[Blocks], Blocks]) -> Ranges:
    return _in_rows(move(cut.blocks()), cut.length)


def _check_blocks(count: int) -> None:
    if count > MOST_BLOCKS:
        raise VerifyError(f"it moves {count} non-contiguous pieces; at most {MOST_BLOCKS} are supported")


def _in_rows(blocks: Blocks, length: int) -> Ranges:
    """Block indices in row-major order as ranges of elements; consecutive ones form one range."""
    flat = blocks.reshape(-1)
    if not flat.size:
        raise VerifyError("the result has no elements, which is not supported")
    # -1 stands for zeros, which go on with zeros; numbers go on with their successors.
    goes_on = np.where(flat[:-1] < 0, flat[1:] < 0, flat[1:] == flat[:-1] + 1)
    firsts = np.flatnonzero(np.concatenate([[True], ~goes_on]))
    counts = np.diff([*firsts.tolist(), flat.size])
    return tuple(
        (first * length if first >= 0 else -1, count * length)
        for first, count in zip(flat[firsts].tolist(), counts.tolist(), strict=True)
    )


def _to_memory(shape: HloShape) -> Ranges | None:
    """The permutation from row-major to memory order; None for the identity."""
    return None if shape.row_major else transposed(shape, tuple(reversed(shape.layout)))


def _from_memory(shape: HloShape) -> Ranges | None:
    if shape.row_major:
        return None
    order = tuple(reversed(shape.layout))
    there = HloShape(shape.kind, tuple(shape.dims[axis] for axis in order))
    return transposed(there, [order.index(axis) for axis in range(len(order))])


def _composed(first: Ranges | None, then: Ranges | None) -> Ranges | None:
    if first is None or then is None:
        return then if first is None else first
    return cut_out(first, then)


def cut_out(held: Ranges, ranges: Ranges) -> Ranges:
    """The composition of ranges: `ranges` index into the elements that `held` lists.

    >>> cut_out(((10, 4), (-1, 2), (0, 4)), ((2, 3), (5, 3)))
    ((12, 2), (-1, 2), (0, 2))
    """
    ends = list(accumulate(length for _, length in held))
    found: list[tuple[int, int]] = []
    for first, count in ranges:
        for piece in _cut_range(held, ends, first, count):
            last, before = found[-1] if found else (0, 0)
            if found and (last < 0 if piece[0] < 0 else 0 <= last == piece[0] - before):
                found[-1] = (last, before + piece[1])
            else:
                found.append(piece)
    return tuple(found)


def _cut_range(held: Ranges, ends: Sequence[int], start: int, count: int) -> Iterator[tuple[int, int]]:
    if start < 0:
        yield -1, count
        return
    at, end = start, start + count
    for index in range(bisect_right(ends, start), len(held)):
        first, whole = held[index]
        stop = min(end, ends[index])
        yield (first if first < 0 else first + whole - (ends[index] - at)), stop - at
        if stop == end:
            return
        at = stop
