"""Layouts on all axes of a mesh: resolving declared layouts, and computing each rank's part of a tensor."""

from math import prod

from p2smt.errors import ProgramError
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.frame import Interval, Intervals
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout, OnRank, Partial, Replicated, Sliced, chunk_sizes, dimension_cut, layout_text
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Reason, Refusal

Mesh = tuple[ProgramAxis, ...]


def cutting(layouts: Layouts, dimension: int) -> tuple[int, ...]:
    """Return the axes that cut a dimension, outermost first."""
    axes = [number for number, layout in enumerate(layouts) if dimension_cut(layout) == dimension]
    return tuple(sorted(axes, key=lambda number: _depth(layouts[number])))


def _depth(layout: Layout) -> int:
    """Return the number of axes that cut the same dimension before this one."""
    # only OnRank, Partial, Sliced: each kind is asked for what it alone has: parts, a reduction, a rank
    return len(layout.under) if isinstance(layout, Sliced) else 0


def cut(
    layouts: Layouts, mesh: Mesh, axis: int, shape: tuple[int, ...], dimension: int, sizes: tuple[int, ...] | None
) -> Sliced | Refusal:
    """Return the layout that cuts a dimension along an axis, inside the blocks made by outer axes.

    `sizes` None means torch.chunk's blocks; explicit sizes must sum to each outer block, one after the other.
    """
    if dimension >= len(shape):
        return Refusal(
            Reason.NO_DIMENSION,
            f"dimension {dimension} of a tensor with {len(shape)} dimensions, which are numbered from 0",
        )
    under = tuple(number for number in cutting(layouts, dimension) if number != axis)
    ranks = mesh[axis].size
    outer = layouts[under[-1]] if under else None
    blocks = outer.sizes if isinstance(outer, Sliced) else (shape[dimension],)
    assert blocks is not None
    if sizes is None:
        made = tuple(size for block in blocks for size in chunk_sizes(block, ranks))
        return Sliced(dimension, made, under)
    groups = [sizes[start : start + ranks] for start in range(0, len(sizes), ranks)]
    if len(sizes) != len(blocks) * ranks or tuple(map(sum, groups)) != blocks:
        named = "/".join(map(str, sizes))
        return Refusal(Reason.WRONG_SIZES, f"blocks {named} for {ranks} ranks and length {'/'.join(map(str, blocks))}")
    return Sliced(dimension, sizes, under)


def resolved(placed: tuple[AxisLayout, ...], program: Program, shape: tuple[int, ...]) -> Layouts | Refusal:
    """Return declared layouts with block sizes and cut order filled in; unnamed axes are Replicated.

    ProgramError for two layouts on one axis; the only axis of a mesh may be named or left out.
    """
    layouts: list[Layout] = [Replicated()] * len(program.mesh)
    named: set[int] = set()
    for each in placed:
        axis = program.axis(each.axis)
        if axis in named:
            said = " and ".join(layout_text(other.layout) for other in placed if program.axis(other.axis) == axis)
            raise ProgramError(f"two layouts on the axis {program.mesh[axis].name!r}: {said}; leave one of them")
        named.add(axis)
        layout, ranks = each.layout, program.mesh[axis].size
        if isinstance(layout, OnRank) and layout.rank >= ranks:
            return Refusal(Reason.NOT_ON_RANK, f"rank {layout.rank} does not exist on an axis of {ranks}")
        if isinstance(layout, Sliced):
            made = cut(tuple(layouts), program.mesh, axis, shape, layout.dimension, layout.sizes)
            if isinstance(made, Refusal):
                return made
            layout = made
        layouts[axis] = layout
    return mixed(tuple(layouts)) or tuple(layouts)


def mixed(layouts: Layouts) -> Refusal | None:
    """Return a refusal for a tensor that is Partial with two different reductions; None for others."""
    kinds = sorted({layout.reduction for layout in layouts if isinstance(layout, Partial)})
    return Refusal(Reason.MIXED_PARTIALS, f"partial over {' and '.join(kinds)}") if len(kinds) > 1 else None


def layouts_text(layouts: Layouts, mesh: Mesh) -> str:
    """Return layouts as text for messages: all but Replicated, with axis names if there are several axes.

    >>> layouts_text((Sliced(0), Replicated()), (ProgramAxis("data", 2), ProgramAxis("model", 4)))
    'sliced(0) on data'
    """
    if len(layouts) == 1:
        return layout_text(layouts[0])
    pairs = zip(layouts, mesh, strict=True)
    return (
        ", ".join(f"{layout_text(each)} on {axis.name}" for each, axis in pairs if each != Replicated()) or "replicated"
    )


def coordinates(mesh: Mesh, rank: int) -> tuple[int, ...]:
    """Return a rank's coordinate on each axis; the last axis varies fastest."""
    found = []
    for axis in reversed(mesh):
        rank, coordinate = divmod(rank, axis.size)
        found.append(coordinate)
    return tuple(reversed(found))


def world(mesh: Mesh) -> int:
    """Return the number of ranks of a mesh."""
    return prod(axis.size for axis in mesh)


def part_of(layouts: Layouts, mesh: Mesh, shape: tuple[int, ...], rank: int) -> Intervals:
    """Return the intervals of the unsharded tensor that a rank's array represents."""
    position = coordinates(mesh, rank)
    intervals = []
    for dimension, length in enumerate(shape):
        axes = cutting(layouts, dimension)
        if not axes:
            intervals.append(Interval(0, length))
            continue
        innermost = layouts[axes[-1]]
        assert isinstance(innermost, Sliced)
        assert innermost.sizes is not None
        block = 0
        for axis in axes:
            block = block * mesh[axis].size + position[axis]
        start = sum(innermost.sizes[:block])
        intervals.append(Interval(start, start + innermost.sizes[block]))
    return tuple(intervals)
