"""Conversions equivalent to messages that turn the ranks' parts of a tensor into other parts.

Ranks hold the parts of a tensor by an ordered list of (dimension, axis) cuts, outermost first. From the list of
`before` to that of `after`, the common beginning is kept:
    gather the rest of the old cuts, innermost first;   then slice by the rest of the new cuts.
All lists of distinct axes with any dimension for each are tried in order of length, up to `MOST_WAYS`, to find those
that give the parts.
Complexity: at most sum over k of (axes choose k) k! dimensions^k lists, each compared on all ranks.
Reference: Rink et al., "Memory-efficient array redistribution through portable collective communication", 2021, for the
problem.

Example: from cuts ((0, data), (1, model)) to ((0, data), (0, model)): gather dimension 1 over model, slice dimension 0.
"""

from collections.abc import Iterator
from itertools import combinations, permutations, product

from p2smt.tensor.conversion import AllGather, Slice
from p2smt.tensor.expression import AxisLayout, Convert, Expression
from p2smt.tensor.frame import Intervals, whole
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Sliced
from p2smt.tensor.placing import Mesh, coordinates, part_of, resolved, world
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.exchange import axis_groups, parts_after, without_sizes
from p2smt.tensor.reason import Refusal
from p2smt.tensor.signature import Shape

MOST_WAYS = 20_000
"""The largest number of ways of slicing a tensor along axes that are tried."""

Parts = tuple[Intervals, ...]


def moved_parts(
    tensor: Expression, before: Parts, after: Parts, shape: Shape, mesh: Mesh, *, gathers: bool
) -> Expression | None:
    """Return the tensor gathered along some axes and sliced again, such that ranks hold the parts `after`.

    None if no such conversions exist, or a gather is needed while `gathers` is False. A gather requires that
    the ranks' arrays are parts of a tensor, not partial values.
    """
    old, new = _cuts(before, shape, mesh), _cuts(after, shape, mesh)
    if old is None or new is None:
        return None
    made = tensor
    # Cuts that both layouts share are kept; only the inner ones are gathered and cut again.
    kept = 0
    while kept < min(len(old), len(new)) and old[kept] == new[kept]:
        kept += 1
    if kept < len(old) and not gathers:
        return None
    # Inner cuts are gathered before outer ones.
    for dim, axis in reversed(old[kept:]):
        made = Convert(AllGather(dim), made, mesh[axis].name)
    for dim, axis in new[kept:]:
        made = Convert(Slice(dim), made, mesh[axis].name)
    return made


def cut_along_axis(tensor: Expression, before: Parts, after: Parts, dim: int, mesh: Mesh) -> Expression | None:
    """Return the tensor sliced along one axis into blocks of any sizes; None if the ranks hold no such blocks."""
    for number, axis in enumerate(mesh):
        blocks = {coordinates(mesh, rank)[number]: part[dim].length for rank, part in enumerate(after)}
        conversion = Slice(dim, tuple(blocks[at] for at in range(axis.size)))
        fits = True
        for group in axis_groups(mesh, (number,)):
            made = parts_after(conversion, [before[rank] for rank in group])
            inside = sum(blocks.values()) == before[group[0]][dim].length
            fits = fits and inside and made == tuple(after[rank] for rank in group)
        if fits:
            length = before[0][dim].length
            return Convert(without_sizes(conversion, length, axis.size), tensor, axis.name)
    return None


def _cuts(parts: Parts, shape: Shape, mesh: Mesh) -> tuple[tuple[int, int], ...] | None:
    """Return the (dimension, axis) cuts, in order, that give the ranks these parts; None if there are none."""
    if all(part == whole(shape) for part in parts):
        return ()
    empty = Program(name="", mesh=mesh, sources=(), statements=(), outputs=())
    for tried, cuts in enumerate(_ways(len(shape), len(mesh))):
        if tried >= MOST_WAYS:
            return None
        placed = tuple(AxisLayout(Sliced(dim), mesh[axis].name) for dim, axis in cuts)
        layouts: Layouts | Refusal = resolved(placed, empty, shape)
        if isinstance(layouts, Refusal):
            continue
        if all(part_of(layouts, mesh, shape, rank) == parts[rank] for rank in range(world(mesh))):
            return cuts
    return None


def _ways(dims: int, axes: int) -> Iterator[tuple[tuple[int, int], ...]]:
    for count in range(1, axes + 1):
        for some in combinations(range(axes), count):
            for order in permutations(some):
                yield from (tuple(zip(chosen, order, strict=True)) for chosen in product(range(dims), repeat=count))
