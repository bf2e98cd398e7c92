"""Slices with steps, single indices, padding, windows, and their inverses.

`x[start:stop:step]` takes a slice whose length is a multiple of the step (zero-padded if needed), splits off a
dimension of length `step`, and selects its first index. The inverse runs these moves backwards.

Example: of 7 elements 1::3 is the slice 1..7 in rows of 3; its first column holds elements 1 and 4.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula
from p2smt.frontend.torch_graph.lowering.moves import joined_along, padded, selected, sliced
from p2smt.frontend.torch_graph.lowering.sources import filled
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.tensor.dtype import DType
from p2smt.tensor.signature import Shape


def stepped(emission: Emission, view: View, dim: int, start: int, count: int, step: int) -> View:
    """Return the elements start, start + step, ... of a dimension, `count` in all."""
    if step == 1 or count == 1:
        return sliced(emission, view, dim, start, start + count)
    length = view.shape[dim]
    stop = start + (count * step)
    # Padded to whole steps, the slice is column 0 of a (count, step) table.
    part = sliced(emission, view, dim, start, min(stop, length))
    part = padded(emission, part, dim, 0, max(0, stop - length))
    split = emission.reshaped(part, (*part.shape[:dim], count, step, *part.shape[dim + 1 :]))
    return selected(emission, split, dim + 1, 0)


def spread(emission: Emission, view: View, dim: int, start: int, length: int, step: int) -> View:
    """Return a dimension of this length with the view's elements at start, start + step, ..., and zeros elsewhere."""
    count = view.shape[dim]
    if step > 1 and count > 1:
        # The inverse of `stepped`: elements are column 0 of a table whose other columns are zeros.
        split = padded(emission, with_one(view, dim + 1), dim + 1, 0, step - 1)
        view = emission.reshaped(split, (*view.shape[:dim], count * step, *view.shape[dim + 1 :]))
    past = start + view.shape[dim] - length
    if past > 0:
        view = sliced(emission, view, dim, 0, view.shape[dim] - past)
    return padded(emission, view, dim, start, max(0, -past))


def _bound(call: AtenCall, position: int, length: int, default: int, name: str) -> int:
    found = call.argument(position, name)
    if found is None:
        return default
    if not isinstance(found, int):
        raise call.refused("its bounds are not known while the step is captured")
    return max(0, min(length, found + length if found < 0 else found))


def _bounds(call: AtenCall, shape: Shape, first: int) -> tuple[int, int, int, int]:
    """Return dimension, first index, number of elements and step of a slice."""
    dim = call.dim(first, len(shape), default=0)
    length, step = shape[dim], call.whole(first + 3, "step", 1)
    start = _bound(call, first + 1, length, 0, "start")
    stop = _bound(call, first + 2, length, length, "end")
    return dim, start, max(0, -(-(stop - start) // step)), step


def _slice(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    dim, *elements = _bounds(call, view.shape, 1)
    return stepped(emission, view, dim, *elements)


def _slice_backward(emission: Emission, call: AtenCall) -> View:
    view, shape = call.view(0), call.wholes(1)
    dim, start, count, step = _bounds(call, shape, 2)
    return spread(emission, view, dim, start, shape[dim], step) if count else filled(0, shape, call.dtype)


def _slice_scatter(emission: Emission, call: AtenCall) -> View:
    dim, start, count, step = _bounds(call, call.shape, 2)
    if not count:
        return call.view(0)
    if step == 1:
        return _replaced(emission, call, call.view(1), dim, start, start + count)
    placed = spread(emission, call.view(1), dim, start, call.shape[dim], step)
    ones = filled(1, (count, *(1,) * (len(call.shape) - dim - 1)), call.dtype)
    there = Formula(emission, DType.BOOL, (call.shape[dim], *ones.shape[1:]))
    hits = there.of("gt", spread(emission, ones, 0, start, call.shape[dim], step), 0)
    return formula(emission, call).of("where", hits, placed, call.view(0))


def _replaced(emission: Emission, call: AtenCall, source: View, dim: int, start: int, stop: int) -> View:
    view = call.view(0)
    length = view.shape[dim]
    if source.dtype is None:
        source = filled_like(source, call.dtype)
    parts = [sliced(emission, view, dim, 0, start)] if start else []
    parts.append(source)
    parts += [sliced(emission, view, dim, stop, length)] if stop < length else []
    return joined_along(emission, parts, dim)


def filled_like(number: View, dtype: DType) -> View:
    """A number converted to an element type."""
    return View(number.expression, number.sizes, number.groups, dtype, number.expanded)


def _at(call: AtenCall, position: int, length: int) -> int:
    index = call.whole(position)
    return index + length if index < 0 else index


def _select(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    dim = call.dim(1, len(view.shape))
    return selected(emission, view, dim, _at(call, 2, view.shape[dim]))


def _select_backward(emission: Emission, call: AtenCall) -> View:
    view, shape = call.view(0), call.wholes(1)
    dim = call.dim(2, len(shape))
    index = _at(call, 3, shape[dim])
    return padded(emission, with_one(view, dim), dim, index, shape[dim] - index - 1)


def _select_scatter(emission: Emission, call: AtenCall) -> View:
    dim = call.dim(2, len(call.shape))
    index = _at(call, 3, call.shape[dim])
    return _replaced(emission, call, with_one(call.view(1), dim), dim, index, index + 1)


def surrounded(emission: Emission, view: View, dim: int, before: int, after: int, value: float) -> View:
    """Return the view, padded along a dimension with `before` and `after` elements of this value."""
    if value == 0:
        return padded(emission, view, dim, before, after)
    dtype = view.dtype or DType.F32
    walls = [filled(value, (*view.shape[:dim], width, *view.shape[dim + 1 :]), dtype) for width in (before, after)]
    return joined_along(emission, [each for each in (walls[0], view, walls[1]) if each.shape[dim]], dim)


def _pad(emission: Emission, call: AtenCall) -> View:
    view, widths = call.view(0), call.wholes(1)
    value = call.real(2, "value", 0.0)
    value = int(value) if call.dtype in (DType.I32, DType.I64, DType.BOOL) else value
    for position in range(len(widths) // 2):
        dim = len(view.shape) - 1 - position
        before, after = widths[2 * position], widths[(2 * position) + 1]
        kept = sliced(emission, view, dim, max(0, -before), view.shape[dim] - max(0, -after))
        view = surrounded(emission, kept, dim, max(0, before), max(0, after), value)
    return view


def _windows(call: AtenCall, first: int, space: Sequence[int]) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """For each offset of a window, per direction: start, number of positions, and stride."""
    kernel, dilation, padding, stride = (call.wholes(first + at) for at in range(4))
    counts = [
        (n + (2 * p) - (d * (k - 1)) - 1) // s + 1
        for n, k, d, p, s in zip(space, kernel, dilation, padding, stride, strict=True)
    ]
    for at in product(*map(range, kernel)):
        yield tuple((i * d, count, s) for i, d, count, s in zip(at, dilation, counts, stride, strict=True))


def _im2col(emission: Emission, call: AtenCall) -> View:
    """Unfold images to columns (im2col): one column per window."""
    view = call.view(0)
    for dim, width in enumerate(call.wholes(3), start=2):
        view = padded(emission, view, dim, width, width)
    parts = []
    for window in _windows(call, 1, call.view(0).shape[2:]):
        part = view
        for dim, (start, count, stride) in enumerate(window, start=2):
            part = stepped(emission, part, dim, start, count, stride)
        parts.append(with_one(part, 2))
    return emission.reshaped(joined_along(emission, parts, 2), call.shape)


def _col2im(emission: Emission, call: AtenCall) -> View:
    """Fold columns back, summing elements at the same position (col2im)."""
    space, view = call.wholes(1), call.view(0)
    windows = list(_windows(call, 2, space))
    counts = [count for _, count, _ in windows[0]]
    columns = emission.reshaped(view, (view.shape[0], call.shape[1], len(windows), *counts))
    around = call.wholes(4)
    wide = tuple(n + (2 * width) for n, width in zip(space, around, strict=True))
    total: View | None = None
    for number, window in enumerate(windows):
        part = selected(emission, columns, 2, number)
        for dim, (start, _, stride) in enumerate(window, start=2):
            part = spread(emission, part, dim, start, wide[dim - 2], stride)
        total = part if total is None else Formula(emission, call.dtype, part.shape).of("add", total, part)
    assert total is not None
    for dim, width in enumerate(around, start=2):
        total = sliced(emission, total, dim, width, total.shape[dim] - width)
    return total


def _corner(call: AtenCall, shape: Shape, first: int) -> tuple[tuple[int, ...], int, int, int, int]:
    """The permutation that puts two dimensions last, their lengths, and the diagonal's start and length."""
    offset, rank = call.whole(first, "offset", 0), len(shape)
    one, two = call.dim(first + 1, rank, "dim1", 0), call.dim(first + 2, rank, "dim2", 1)
    rows, columns = shape[one], shape[two]
    order = (*(dim for dim in range(rank) if dim not in (one, two)), one, two)
    start = offset if offset >= 0 else -offset * columns
    count = min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns)
    return order, rows, columns, start, count


def _diagonal(emission: Emission, call: AtenCall) -> View:
    """Return a diagonal; in row-major order its elements are `columns + 1` apart."""
    view = call.view(0)
    order, rows, columns, start, count = _corner(call, view.shape, 1)
    moved = permuted(view, order)
    flat = emission.reshaped(moved, (*moved.shape[:-2], rows * columns))
    return stepped(emission, flat, len(flat.shape) - 1, start, count, columns + 1)


def _diagonal_backward(emission: Emission, call: AtenCall) -> View:
    view, shape = call.view(0), call.wholes(1)
    order, rows, columns, start, _ = _corner(call, shape, 2)
    flat = spread(emission, view, len(view.shape) - 1, start, rows * columns, columns + 1)
    wide = emission.reshaped(flat, (*view.shape[:-1], rows, columns))
    return permuted(wide, tuple(order.index(dim) for dim in range(len(shape))))


def _diag_embed(emission: Emission, call: AtenCall) -> View:
    view, shape = call.view(0), call.shape
    rank = len(shape)
    offset, one, two = call.whole(1, "offset", 0), call.dim(2, rank, "dim1", -2), call.dim(3, rank, "dim2", -1)
    length, order = shape[one], (*(dim for dim in range(rank) if dim not in (one, two)), one, two)
    start = offset if offset >= 0 else -offset * length
    flat = spread(emission, view, len(view.shape) - 1, start, length * length, length + 1)
    wide = emission.reshaped(flat, (*view.shape[:-1], length, length))
    return permuted(wide, tuple(order.index(dim) for dim in range(rank)))


def _unfold(emission: Emission, call: AtenCall) -> View:
    """Return windows along a dimension as a new last dimension; non-overlapping adjacent windows are a reshape."""
    view, rank = call.view(0), len(call.view(0).shape)
    dim, size, step = call.dim(1, rank), call.whole(2), call.whole(3)
    count = (view.shape[dim] - size) // step + 1
    if size == step:
        kept = sliced(emission, view, dim, 0, count * size)
        split = emission.reshaped(kept, (*kept.shape[:dim], count, size, *kept.shape[dim + 1 :]))
        return permuted(split, (*(each for each in range(rank + 1) if each != dim + 1), dim + 1))
    parts = [with_one(stepped(emission, view, dim, at, count, step), rank) for at in range(size)]
    return joined_along(emission, parts, rank)


def _unfold_backward(emission: Emission, call: AtenCall) -> View:
    """Windows summed back at the positions of their elements."""
    view, shape = call.view(0), call.wholes(1)
    dim, size, step = call.dim(2, len(shape)), call.whole(3), call.whole(4)
    total: View | None = None
    for at in range(size):
        part = spread(emission, selected(emission, view, len(shape), at), dim, at, shape[dim], step)
        total = part if total is None else Formula(emission, call.dtype, part.shape).of("add", total, part)
    assert total is not None
    return total


SLICES: Mapping[str, Handler] = {
    "select": _select,
    "slice": _slice,
    "slice_backward": _slice_backward,
    "select_backward": _select_backward,
    "slice_scatter": _slice_scatter,
    "select_scatter": _select_scatter,
    "constant_pad_nd": _pad,
    "im2col": _im2col,
    "col2im": _col2im,
    "diagonal": _diagonal,
    "diagonal_backward": _diagonal_backward,
    "diag_embed": _diag_embed,
    "unfold": _unfold,
    "unfold_backward": _unfold_backward,
}
