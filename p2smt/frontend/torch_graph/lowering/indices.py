"""Gathers and scatters at indices that are data, not constants."""

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, is_number
from p2smt.frontend.torch_graph.lowering.moves import padded, sliced
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Number

_LETTERS = "abcdefgh"


def taken(emission: Emission, table: View, index: View) -> View:
    """Return the rows of a two-dimensional table at the indices (embedding)."""
    whole, found = emission.whole(table), emission.whole(index)
    sizes = (*found.sizes, whole.sizes[1])
    groups = tuple((number,) for number in range(len(sizes)))
    return emission.statement(Call("embedding", (whole.expression, found.expression)), table.dtype, sizes, groups)


def put(emission: Emission, rows: View, index: View, classes: int) -> View:
    """Return a table of `classes` rows in which `rows` are summed at their indices (backward pass of an embedding)."""
    return emission.call("embedding_backward", [rows, index], (classes,))


def _embedding(emission: Emission, call: AtenCall) -> View:
    return taken(emission, call.view(0), call.view(1))


def _embedding_backward(emission: Emission, call: AtenCall) -> View:
    gradient, index = call.view(0), call.view(1)
    padding = call.whole(3)
    if call.argument(4):
        raise call.refused("scale_grad_by_freq is not supported; set it to False")
    if padding >= 0:
        ignored = with_one(_equal(emission, index, padding), len(index.shape))
        gradient = Formula(emission, call.dtype, gradient.shape).of("where", ignored, 0, gradient)
    return put(emission, gradient, index, call.whole(2))


def _equal(emission: Emission, index: View, value: int) -> View:
    return Formula(emission, DType.BOOL, index.shape).of("eq", index, value)


def picked(emission: Emission, view: View, index: View) -> View:
    """Return the element of each row at the row's index; 0 if the index is out of range."""
    plain = view.expanded is None and index.expanded is None
    if plain and (view.sizes[:-1], view.groups) == (index.sizes, (*index.groups, (len(view.sizes) - 1,))):
        made = Call("pick", (view.expression, index.expression))
        return emission.statement(made, view.dtype, index.sizes, index.groups)
    return emission.call("pick", [view, index])


def put_back(emission: Emission, gradient: View, index: View, classes: int) -> View:
    """Return rows that are zero except for `gradient` at each row's index."""
    if not gradient.sizes:
        hot = one_hot(emission, index, classes, gradient.dtype or DType.F32)
        return Formula(emission, hot.dtype or DType.F32, hot.shape).of("mul", hot, gradient.repeated(hot.shape))
    if gradient.expanded is None and (gradient.sizes, gradient.groups) == (index.sizes, index.groups):
        made = Call("pick_backward", (gradient.expression, index.expression), (classes,))
        sizes = (*gradient.sizes, classes)
        return emission.statement(made, gradient.dtype, sizes, (*gradient.groups, (len(gradient.sizes),)))
    return emission.call("pick_backward", [gradient, index], (classes,))


def one_hot(emission: Emission, index: View, classes: int, dtype: DType) -> View:
    """One-hot vectors of the indices in a new last dimension."""
    found = index if index.expanded in (None, index.packed) else emission.whole(index)
    made = Call("one_hot", (found.expression,), (classes,))
    groups = (*found.groups, (len(found.sizes),))
    return emission.statement(made, dtype, (*found.sizes, classes), groups)


def last(view: View, dim: int) -> View:
    """The view with this dimension moved to the end."""
    rank = len(view.shape)
    return permuted(view, (*(each for each in range(rank) if each != dim), dim))


def back(view: View, dim: int) -> View:
    """The view with the last dimension moved back to its place."""
    rank = len(view.shape)
    return permuted(view, (*range(dim), rank - 1, *range(dim, rank - 1)))


def _rows(index: View) -> list[str]:
    return list(_LETTERS[: len(index.shape) - 1])


def _gather(emission: Emission, call: AtenCall) -> View:
    dim = call.dim(1, len(call.shape))
    view, index = last(call.view(0), dim), last(call.view(2), dim)
    for at, length in enumerate(index.shape[:-1]):
        view = sliced(emission, view, at, 0, length)
    if index.shape[-1] == 1:
        flat = picked(emission, view, emission.reshaped(index, index.shape[:-1]))
        return back(with_one(flat, len(index.shape) - 1), dim)
    hot = one_hot(emission, index, view.shape[-1], call.dtype)
    rows = _rows(index)
    return back(emission.contracted([hot, view], [[*rows, "y", "z"], [*rows, "z"]], [*rows, "y"]), dim)


def _placed(emission: Emission, value: View, index: View, classes: int, dtype: DType) -> View:
    """Return values summed at their indices along the last dimension, zero elsewhere."""
    value = value if value.shape else value.repeated(index.shape)
    if index.shape[-1] == 1:
        flat = emission.reshaped(index, index.shape[:-1])
        if is_number(value, 1):
            return one_hot(emission, flat, classes, dtype)
        return put_back(emission, emission.reshaped(value, index.shape[:-1]), flat, classes)
    hot = one_hot(emission, index, classes, dtype)
    rows = _rows(index)
    return emission.contracted([value, hot], [[*rows, "y"], [*rows, "y", "z"]], [*rows, "z"])


def _scatter(emission: Emission, call: AtenCall) -> View:
    """Scatter with one index per row, distinct indices, or accumulation; scattering one value allows any indices."""
    if "reduce" in call.overload or call.argument(4, "reduce") is not None:
        raise call.refused("scatter with `reduce` is not supported; use scatter_add to add")
    dim = call.dim(1, len(call.shape))
    adds = call.node.operation.startswith("aten.scatter_add")
    into, index, value = last(call.view(0), dim), last(call.view(2), dim), call.view(3)
    several = index.shape[-1] > 1 and not _distinct(emission, index)
    if several and not adds and value.sizes:
        raise call.refused("several indices per row, which may repeat, are not supported; use scatter_add")
    if value.dtype is None:
        value = replace(value, dtype=call.dtype)
    if value.shape:
        value = last(value, dim)
        for at, length in enumerate(index.shape):
            value = sliced(emission, value, at, 0, length)
    wide = Formula(emission, call.dtype, into.shape)
    if adds or (_is_zero(into) and not several):
        made = _around(emission, _placed(emission, value, index, into.shape[-1], call.dtype), into)
        return back(wide.of("add", into, made) if adds and not _is_zero(into) else made, dim)
    hits = _around(emission, _hits(emission, index, into.shape[-1]), into)
    there = Formula(emission, DType.BOOL, into.shape).of("gt", hits, 0)
    if value.sizes:
        value = _around(emission, _placed(emission, value, index, into.shape[-1], call.dtype), into)
    else:
        value = value.repeated(())
    return back(wide.of("where", there, value, into), dim)


def _around(emission: Emission, view: View, into: View) -> View:
    """Return the rows padded with zeros to the shape of the target."""
    for at, length in enumerate(into.shape):
        view = padded(emission, view, at, 0, length - view.shape[at])
    return view


def _hits(emission: Emission, index: View, classes: int) -> View:
    """Return for each row how often each class occurs among its indices."""
    hot = one_hot(emission, index, classes, DType.F32)
    return emission.reduced("sum", hot, (len(index.shape) - 1,), False)


def _distinct(emission: Emission, index: View) -> bool:
    """True if the indices of each row are known to be distinct, as those of topk are."""
    return emission.comes_from(index.expression, "topk_indices") and index.is_plain


def _is_zero(view: View) -> bool:
    return isinstance(view.expression, Number) and view.expression.value == 0


def largest(emission: Emission, view: View, count: int, dim: int, least: bool = False) -> tuple[View, View]:
    """The largest (or least) elements along a dimension in order, with indices; ties go to the lower index."""
    dtype = view.dtype or DType.F32
    rows = last(view, dim)
    signed = Formula(emission, dtype, rows.shape).of("neg", rows) if least else rows
    values = emission.call("topk_values", [signed], (count,))
    values = Formula(emission, dtype, values.shape).of("neg", values) if least else values
    return back(values, dim), back(emission.call("topk_indices", [signed], (count,), DType.I64), dim)


def _topk(emission: Emission, call: AtenCall) -> list[View]:
    view = call.view(0)
    dim = call.dim(2, len(view.shape), default=-1)
    return list(largest(emission, view, call.whole(1), dim, call.argument(3, "largest") is False))


def _sort(emission: Emission, call: AtenCall) -> list[View]:
    view = call.view(0)
    stable = 1 if call.overload == "stable" else 0
    dim = call.dim(1 + stable, len(view.shape), default=-1)
    return list(largest(emission, view, view.shape[dim], dim, not call.argument(2 + stable, "descending")))


def _argument(least: bool) -> Handler:
    """A handler for argmax or argmin; ties go to the lower index."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        view = call.view(0)
        if call.argument(1, "dim") is None:
            flat = emission.reshaped(view, (prod(view.shape),))
            return emission.reshaped(largest(emission, flat, 1, 0, least)[1], call.shape)
        dim = call.dim(1, len(view.shape))
        return emission.reshaped(largest(emission, view, 1, dim, least)[1], call.shape)

    return lowered


def _value_selected(emission: Emission, call: AtenCall) -> View:
    """Return the gradient of a maximum with indices: the incoming gradient placed at those indices."""
    gradient, index, shape = call.view(0), call.view(2), call.wholes(3)
    dim = call.dim(1, len(shape))
    if len(index.shape) < len(shape):
        gradient, index = with_one(gradient, dim), with_one(index, dim)
    return back(_placed(emission, last(gradient, dim), last(index, dim), shape[dim], call.dtype), dim)


INDICES: Mapping[str, Handler] = {
    "embedding": _embedding,
    "embedding_dense_backward": _embedding_backward,
    "gather": _gather,
    "scatter": _scatter,
    "scatter_add": _scatter,
    "topk": _topk,
    "sort": _sort,
    "argmax": _argument(False),
    "argmin": _argument(True),
    "value_selecting_reduction_backward": _value_selected,
}
