"""Intervals of every dimension on each rank, computed cut by cut; used by the derivation checker only.

A rank's interval of a dimension is narrowed by each cut, outermost first. With c cuts so far, block b of this rank
among all blocks of those cuts, and coordinate p on the axis of n ranks,
    sizes = blocks b n ... b n + n - 1 of the cut,
    start += sizes[0] + ... + sizes[p - 1],   stop = start + sizes[p],   b = b n + p.
The blocks must add up to the interval that they cut.
Complexity: O(axes) for each rank and dimension.
Reference: Knuth, "The Art of Computer Programming 2", section 4.1 (mixed radix).

Example: 8 elements on a mesh of 2 x 2, cut by both axes. Rank (1, 0) has block 1 of the outer cut, [4, 8), and of that
the first half, [4, 6).
"""

from dataclasses import dataclass
from itertools import product

from p2smt.tensor.layout import Layout, Local, OnRank, Partial, Replicated, Sliced

Intervals = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class RankIntervals:
    """The intervals of each rank (the last mesh axis varies fastest), and the layout along each axis."""

    intervals: tuple[Intervals, ...]
    layouts: tuple[Layout, ...]


def roles_of(layout: Layout) -> tuple[str, object]:
    """Return the role of an axis, independent of block sizes: cut, summand, on rank, own, or same."""
    match layout:
        case Sliced(dimension):
            return "cut", dimension
        case Partial(reduction):
            return "summand", reduction
        case OnRank(rank):
            return "on rank", rank
        case Local():
            return "own", None
        case Replicated():
            return "same", None


def holding(layouts: tuple[Layout, ...], mesh: tuple[int, ...], shape: tuple[int, ...]) -> RankIntervals | None:
    """Return the intervals of all ranks; None if block sizes do not sum to the length that they cut."""
    found = []
    for position in product(*(range(size) for size in mesh)):
        intervals = []
        for dimension, length in enumerate(shape):
            interval = _interval(layouts, mesh, position, dimension, length)
            if interval is None:
                return None
            intervals.append(interval)
        found.append(tuple(intervals))
    # only Sliced: others have no intervals; a match beside it has the role of each
    used = [layout.dimension for layout in layouts if isinstance(layout, Sliced)]
    return None if any(dimension >= len(shape) for dimension in used) else RankIntervals(tuple(found), layouts)


def _interval(
    layouts: tuple[Layout, ...], mesh: tuple[int, ...], position: tuple[int, ...], dimension: int, length: int
) -> tuple[int, int] | None:
    cuts = [
        (axis, layout)
        for axis, layout in enumerate(layouts)
        if isinstance(layout, Sliced) and layout.dimension == dimension
    ]
    start, stop, block = 0, length, 0
    done: tuple[int, ...] = ()
    # Outer cuts first: a cut lists the axes that cut before it (`under`).
    for axis, cut in sorted(cuts, key=lambda pair: len(pair[1].under)):
        if cut.sizes is None or cut.under != done:
            return None
        count = mesh[axis]
        # `sizes` lists the blocks of every outer block in turn; this rank's outer block has the
        # number `block`.
        sizes = cut.sizes[block * count : (block + 1) * count]
        if len(sizes) != count or sum(sizes) != stop - start or min(sizes) < 0:
            return None
        start += sum(sizes[: position[axis]])
        stop = start + sizes[position[axis]]
        block = block * count + position[axis]
        done = (*done, axis)
    return start, stop
