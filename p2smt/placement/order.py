"""Orders of the axes, outermost first, laid on device numbers: which matrix an order is, or where it is none.

Frameworks place a job by an order of its axes: the device number is the mixed-radix number of the axis coordinates,
the first axis most significant. An axis has a stride (devices between neighbours on it) and a span (stride x size); a
level has a unit (devices in one of its units). The part of an axis on a level is the overlap of two ranges of strides,
    rows[axis][level] = min(span, unit * size) / max(stride, unit),   1 if they do not overlap,
and the order is a matrix if at each boundary between levels the unit is a multiple of the stride of the axis that goes
on across it, and a divisor of its span. Complexity: O(axes^2 x levels).

Inside a level p2smt's own device number has axis 0 most significant, an order may have its digits there in another
sequence. The matrix is the same: the devices are renumbered inside the units of that level, so the groups along an
axis are other sets of numbers, and equivalent wherever the units of a level are alike. What has to be exact takes the
order's numbering (`rank_tensor` lays ranks by any order on the devices of a matrix).

Example: axes of 4 and 2 on levels of 2 and 4 units, order (0, 1). Axis 0 has stride 2 and span 8, so 2 of its shards
are on the outer level (8 / 4) and 2 on the inner one (4 / 2); axis 1 lies on the inner level: matrix 2x2/1x2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, permutations, product
from math import prod

from p2smt.placement.matrix import ParallelismMatrix

Order = tuple[int, ...]
"""Axis numbers, outermost first, each once."""


@dataclass(frozen=True, slots=True)
class SplitAxis:
    """Why an order is no parallelism matrix: a unit of `level` ends in the middle of `axis`, where it does not divide.

    A unit has `unit` devices; devices next to each other on the axis are `stride` numbers apart, and the whole axis
    spans `span`. Holds: `stride < unit < span`, and not both `unit % stride == 0` and `span % unit == 0`.
    """

    level: int
    axis: int
    unit: int
    stride: int
    span: int


def matrix_of_order(order: Order, shards: Sequence[int], sizes: Sequence[int]) -> ParallelismMatrix | SplitAxis:
    """The matrix that an order is, for axes of `shards` and levels of `sizes`, or the outermost level that cuts it.

    An order is a matrix exactly when at every boundary between levels the unit is a multiple of the stride of the
    axis that goes on across it, and a divisor of its span. Otherwise some unit holds a set of coordinates that is
    no product of parts of the axes.

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
    """Every order that gives a matrix, one at a time; axes of size 1, which may stand anywhere, stand outermost.

    Between an axis that comes in from the level outside and one that goes on to the level inside, the axes that lie on
    one level alone may stand in any sequence; nothing else is free. So sorting the axes by their first and last level
    gives an order of the matrix, or there is none.

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
    """The first order that gives a matrix; None: no order does."""
    return next(orders_of(matrix), None)


def _levels(row: Sequence[int]) -> tuple[int, ...]:
    """The first and the last level on which a part of the axis lies; empty: on none."""
    found = [level for level, factor in enumerate(row) if factor > 1]
    return (found[0], found[-1]) if found else ()
