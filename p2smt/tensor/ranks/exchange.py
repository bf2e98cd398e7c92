"""Parts of an unsharded tensor on ranks after a collective, and the mesh axes of groups of ranks.

A collective in arbitrary groups is one along mesh axes if the groups are exactly those of ranks that differ only in
some coordinates. With the coordinates of a rank in mixed radix, a group along axes A is { r : coordinates off A fixed
}. All sets of axes are compared, smallest first: at most 2^axes comparisons.

    groups(A) = { { r : coordinates of r off A are c } : c },    AllReduce along A = along a1, then a2, ...

Reference: Knuth, "The Art of Computer Programming 2", section 4.1 (mixed radix).

Example: on a mesh of data=2 and model=2, the groups (0, 2) and (1, 3) are those of data; (0, 3) and (1, 2) of no axes.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

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
from p2smt.tensor.frame import Interval, Intervals
from p2smt.tensor.layout import chunk_sizes
from p2smt.tensor.placing import Mesh, coordinates, world

Groups = tuple[tuple[int, ...], ...]


def axis_groups(mesh: Mesh, axes: Sequence[int]) -> Groups:
    """Return the groups of ranks that differ only in their coordinates on these axes, in rank order.

    >>> from p2smt.tensor.expression import ProgramAxis
    >>> axis_groups((ProgramAxis("data", 2), ProgramAxis("model", 2)), (0,))
    ((0, 2), (1, 3))
    """
    found: dict[tuple[int, ...], list[int]] = {}
    for rank in range(world(mesh)):
        position = coordinates(mesh, rank)
        others = tuple(each for number, each in enumerate(position) if number not in axes)
        found.setdefault(others, []).append(rank)
    return tuple(map(tuple, found.values()))


def axes_of(groups: Groups, mesh: Mesh) -> tuple[int, ...] | None:
    """Return the axes whose groups are these, outermost first; None if no axes have them."""
    for count in range(1, len(mesh) + 1):
        for axes in combinations(range(len(mesh)), count):
            if set(axis_groups(mesh, axes)) == set(groups):
                return axes
    return None


def along(conversion: Conversion, axes: tuple[int, ...]) -> list[tuple[Conversion, int]] | None:
    """Return collectives along single axes that together equal one along several; None if there are none."""
    if len(axes) == 1:
        return [(conversion, axes[0])]
    match conversion:
        case AllReduce() | ReduceScatter(sizes=None):
            return [(conversion, axis) for axis in axes]
        case AllGather():
            return [(conversion, axis) for axis in reversed(axes)]
        case _:
            return None


def parts_after(conversion: Conversion, group: Sequence[Intervals]) -> tuple[Intervals, ...] | None:
    """Return the members' parts after the collective; None if blocks do not fit or a member would hold nothing."""
    dims = len(group[0])
    match conversion:
        case AllReduce() | Keep():
            return tuple(group)
        case AllGather(dimension) if dimension < dims and _follow(group, dimension):
            return _each(group, dimension, [_joined(group, dimension)] * len(group))
        case ReduceScatter(dimension, None) | Slice(dimension) if dimension < dims:
            return _each(group, dimension, _blocks(group[0][dimension], len(group), _sizes(conversion)))
        case AllToAll(source, target, None) if (
            source != target and max(source, target) < dims and _follow(group, source)
        ):
            gathered = _each(group, source, [_joined(group, source)] * len(group))
            return _each(gathered, target, _blocks(group[0][target], len(group), None))
        case AllGather() | ReduceScatter() | AllToAll() | Slice() | Rebalance() | Reduce() | Broadcast() | Send():
            return None


def _sizes(conversion: Conversion) -> tuple[int, ...] | None:
    return conversion.sizes if isinstance(conversion, Slice) else None


def _each(group: Sequence[Intervals], dimension: int, made: Sequence[Interval]) -> tuple[Intervals, ...]:
    pairs = zip(group, made, strict=True)
    return tuple((*old[:dimension], new, *old[dimension + 1 :]) for old, new in pairs)


def _follow(group: Sequence[Intervals], dimension: int) -> bool:
    """True if the members' blocks are consecutive along this dimension and equal along all others."""
    others = {(*each[:dimension], *each[dimension + 1 :]) for each in group}
    return len(others) == 1 and all(
        before[dimension].stop == after[dimension].start for before, after in pairwise(group)
    )


def _joined(group: Sequence[Intervals], dimension: int) -> Interval:
    start = group[0][dimension].start
    return Interval(start, start + sum(each[dimension].length for each in group))


def _blocks(interval: Interval, count: int, sizes: tuple[int, ...] | None) -> list[Interval]:
    start, found = interval.start, []
    for size in sizes if sizes is not None else chunk_sizes(interval.length, count):
        found.append(Interval(start, start + size))
        start += size
    return found


def without_sizes(conversion: Slice, length: int, ranks: int) -> Slice:
    """Return the conversion without sizes if they equal torch.chunk's, else unchanged."""
    return replace(conversion, sizes=None) if conversion.sizes == chunk_sizes(length, ranks) else conversion
