"""Axis orders, outermost first, as placements: the matrix of an order, or the level that it does not fit.

Frameworks place a job by an order of its axes: the device number is the mixed-radix number of the axis coordinates,
with the first axis most significant (Knuth, "The Art of Computer Programming 2", section 4.1). An axis has a stride
(distance of neighbours on it) and a span (stride x size), and a level has a unit (the number of devices in one of its
units). The part of an axis on a level is the overlap of two ranges of strides,

    rows[axis][level] = min(span, unit * size) / max(stride, unit),   1 if they do not overlap,

and the order is a matrix if, at each boundary between levels, the unit is a multiple of the stride, and a divisor of
the span, of the axis that crosses the boundary. Complexity: O(axes^2 x levels).

Within a level, p2smt's own device numbers have axis 0 most significant, whereas an order may arrange the digits
differently. The matrix is the same: devices are only renumbered within the units of that level, which is equivalent
wherever a level's units are alike, although the groups along an axis contain other numbers. Code that needs exact
numbers uses the order's numbering (`rank_tensor` lays out ranks by any order on the devices of a matrix).

Example: axes of 4 and 2 on levels of 2 and 4 units, order (0, 1). Axis 0 has stride 2 and span 8, so 2 of its shards
are on the outer level (8 / 4) and 2 on the inner one (4 / 2). Axis 1 is on the inner level: matrix 2x2/1x2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, permutations, product
from math import prod

from p2smt.placement.matrix import ParallelismMatrix

Order = tuple[int, ...]
"""Axis indices, outermost first, each once."""


@dataclass(frozen=True, slots=True)
class SplitAxis:
    """The reason why an order is not a matrix: a unit of `level` ends inside `axis`, which does not divide evenly.

    A unit has `unit` devices; neighbours on the axis are `stride` numbers apart, and the whole axis spans
    `span` numbers.

    Invariant: `stride < unit < span`, and not both `unit % stride == 0` and `span % unit == 0`.
    """

    level: int
    axis: int
    unit: int
    stride: int
    span: int


def matrix_of_order(order: Order, shards: Sequence[int], sizes: Sequence[int]) -> ParallelismMatrix | SplitAxis:
    """Return the matrix of an order, for axis sizes `shards` and level sizes `sizes`, or the level that does not fit.

    An order is a matrix exactly if, at every boundary between levels, the unit is a multiple of the stride, and
    a divisor of the span, of the axis that crosses the boundary. Otherwise some unit holds a set of coordinates
    that is not a grid.

    >>> str(matrix_of_order((1, 0), (4, 16), (4, 16)))
    '1x4/4x4'
    >>> matrix_of_order((0, 1), (3, 2), (2, 3))
    SplitAxis(level=0, axis=0, unit=3, stride=2, span=6)
    """
    rows = [[1] * len(sizes) for _ in shards]
    for level, size in enumerate(sizes):
        unit = prod(sizes[level + 1 :])
        for place, axis in enumerate(order):
            stride = prod(shards[inner] for inner in order[place + 1 :])
            span = stride * shards[axis]
            if stride < unit < span and (unit % stride or span % unit):
                return SplitAxis(level, axis, unit, stride, span)
            # The strides of the level are [unit, unit * size), those of the axis [stride, span): their overlap, as a
            # ratio.
            rows[axis][level] = max(1, min(span, unit * size) // max(stride, unit))
    return ParallelismMatrix(tuple(map(tuple, rows)))


def orders_of(matrix: ParallelismMatrix) -> Iterator[Order]:
    """Yield every order that yields a matrix; axes of size 1 are placed outermost, as their position is irrelevant.

    Each level may have an axis that continues from the level outside and one that continues to the level
    inside. Axes that are on a single level can be permuted between these two; nothing else is free. Sorting the
    axes by their first and last level therefore yields an order of the matrix, or there is none.

    >>> list(orders_of(ParallelismMatrix(((1, 4), (4, 4)))))
    [(1, 0)]
    >>> list(orders_of(ParallelismMatrix(((2, 2), (2, 8)))))
    []
    """
    reach = {axis: _levels(row) for axis, row in enumerate(matrix.rows)}
    # By first and last level: an axis that comes in from outside stands before those on one level, one that goes on
    # behind.
    real = sorted((axis for axis, levels in reach.items() if levels), key=lambda axis: (reach[axis], axis))
    alone = tuple(axis for axis, levels in reach.items() if not levels)
    shards, sizes = [prod(row) for row in matrix.rows], [prod(column) for column in zip(*matrix.rows, strict=True)]
    if matrix_of_order((*alone, *real), shards, sizes) != matrix:
        return
    free = [tuple(group) for _, group in groupby(real, key=reach.__getitem__)]
    for sequences in product(*map(permutations, free)):
        yield (*alone, *chain.from_iterable(sequences))


def order_of(matrix: ParallelismMatrix) -> Order | None:
    """Return the first order that yields a matrix; None if there is none."""
    return next(orders_of(matrix), None)


def _levels(row: Sequence[int]) -> tuple[int, ...]:
    """Return the first and the last level that contain a part of the axis; empty if there is none."""
    found = [level for level, factor in enumerate(row) if factor > 1]
    return (found[0], found[-1]) if found else ()
