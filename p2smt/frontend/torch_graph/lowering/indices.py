"""Reading and adding at indices that are data."""

from collections.abc import Mapping
from math import prod

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.program import Call, DType, Number

_LETTERS = "abcdefgh"


def taken(emission: Emission, table: View, index: View) -> View:
    """Rows of a table with two dimensions."""
    whole, found = emission.whole(table), emission.whole(index)
    sizes = (*found.sizes, whole.sizes[1])
    groups = tuple((number,) for number in range(len(sizes)))
    return emission.statement(Call("embedding", (whole.expression, found.expression)), table.dtype, sizes, groups)


def put(emission: Emission, rows: View, index: View, classes: int) -> View:
    """Rows added up at their indices."""
    return emission.call("embedding_backward", [rows, index], (classes,))


def _embedding(emission: Emission, call: AtenCall) -> View:
    return taken(emission, call.view(0), call.view(1))


def _embedding_backward(emission: Emission, call: AtenCall) -> View:
    gradient, index = call.view(0), call.view(1)
    padding = call.whole(3)
    if call.argument(4):
        raise call.refused("gradients divided by how often a row is used are not in the language")
    if padding >= 0:
        ignored = with_one(_equal(emission, index, padding), len(index.shape))
        gradient = Formula(emission, call.dtype, gradient.shape).of("where", ignored, 0, gradient)
    return put(emission, gradient, index, call.whole(2))


def _equal(emission: Emission, index: View, value: int) -> View:
    return Formula(emission, DType.BOOL, index.shape).of("eq", index, value)


def picked(emission: Emission, view: View, index: View) -> View:
    """For every row the element at the row's index; 0 for indices outside."""
    plain = view.expanded is None and index.expanded is None
    if plain and (view.sizes[:-1], view.groups) == (index.sizes, (*index.groups, (len(view.sizes) - 1,))):
        made = Call("pick", (view.expression, index.expression))
        return emission.statement(made, view.dtype, index.sizes, index.groups)
    return emission.call("pick", [view, index])


def put_back(emission: Emission, gradient: View, index: View, classes: int) -> View:
    """Rows of zeros but for the gradient at the row's index."""
    if not gradient.sizes:
        hot = one_hot(emission, index, classes, gradient.dtype or DType.F32)
        return Formula(emission, hot.dtype or DType.F32, hot.shape).of("mul", hot, gradient.repeated(hot.shape))
    if gradient.expanded is None and (gradient.sizes, gradient.groups) == (index.sizes, index.groups):
        made = Call("pick_backward", (gradient.expression, index.expression), (classes,))
        sizes = (*gradient.sizes, classes)
        return emission.statement(made, gradient.dtype, sizes, (*gradient.groups, (len(gradient.sizes),)))
    return emission.call("pick_backward", [gradient, index], (classes,))


def one_hot(emission: Emission, index: View, classes: int, dtype: DType) -> View:
    """1 at the index, 0 elsewhere, in one more dimension."""
    found = index if index.expanded in (None, index.packed) else emission.whole(index)
    made = Call("one_hot", (found.expression,), (classes,))
    groups = (*found.groups, (len(found.sizes),))
    return emission.statement(made, dtype, (*found.sizes, classes), groups)


def _last(call: AtenCall, view: View) -> None:
    if call.dim(1, len(view.shape)) != len(view.shape) - 1:
        raise call.refused("indices along another dimension than the last are not lowered")


def _gather(emission: Emission, call: AtenCall) -> View:
    view, index = call.view(0), call.view(2)
    _last(call, view)
    if view.shape[:-1] != index.shape[:-1]:
        raise call.refused("fewer rows of indices than rows are not lowered")
    if index.shape[-1] == 1:
        return with_one(picked(emission, view, emission.reshaped(index, index.shape[:-1])), len(index.shape) - 1)
    hot = one_hot(emission, index, view.shape[-1], call.dtype)
    rows = list(_LETTERS[: len(view.shape) - 1])
    return emission.contracted([hot, view], [[*rows, "y", "z"], [*rows, "z"]], [*rows, "y"])


def _scatter(emission: Emission, call: AtenCall) -> View:
    """Into zeros, at one index per row, or added up at several."""
    into, index = call.view(0), call.view(2)
    _last(call, into)
    value = call.view(3)
    if "reduce" in call.overload:
        raise call.refused("scattering that multiplies or adds by `reduce` is not lowered; scatter_add is")
    adds = call.node.operation.startswith("aten.scatter_add")
    if into.shape[:-1] != index.shape[:-1]:
        raise call.refused("fewer rows of indices than rows are not lowered")
    if index.shape[-1] > 1 and not (adds or _distinct(emission, index)):
        raise call.refused("several indices per row that may be the same are not lowered; scatter_add would be")
    if not _is_zero(into) and not adds:
        raise call.refused("only into zeros is it lowered")
    classes, rows = into.shape[-1], list(_LETTERS[: len(into.shape) - 1])
    if value.dtype is None:
        value = View(value.expression, value.sizes, value.groups, call.dtype, value.expanded)
    if index.shape[-1] == 1:
        flat = emission.reshaped(index, index.shape[:-1])
        if isinstance(value.expression, Number) and value.expression.value == 1:
            made = one_hot(emission, flat, classes, call.dtype)
        else:
            value = value.repeated(index.shape) if value.shape == () else value
            made = put_back(emission, emission.reshaped(value, index.shape[:-1]), flat, classes)
    else:
        hot = one_hot(emission, index, classes, call.dtype)
        wide = value.repeated(index.shape)
        made = emission.contracted([wide, hot], [[*rows, "y"], [*rows, "y", "z"]], [*rows, "z"])
    return made if _is_zero(into) else formula(emission, call).of("add", into, made)


def _distinct(emission: Emission, index: View) -> bool:
    """Whether indices of a row differ: those of the largest elements do."""
    return emission.comes_from(index.expression, "topk_indices")


def _is_zero(view: View) -> bool:
    return isinstance(view.expression, Number) and view.expression.value == 0


def _topk(emission: Emission, call: AtenCall) -> list[View]:
    view, count = call.view(0), call.whole(1)
    if call.dim(2, len(view.shape), default=-1) != len(view.shape) - 1 or call.argument(3, "largest") is False:
        raise call.refused("it is lowered for the largest along the last dimension")
    values = emission.call("topk_values", [view], (count,))
    return [values, emission.call("topk_indices", [view], (count,), DType.I64)]


def _rows_of(emission: Emission, view: View) -> View:
    return emission.reshaped(view, (view.shape[0], prod(view.shape[1:])))


def _one_index(emission: Emission, call: AtenCall, position: int) -> View:
    """The indices along the first dimension, of which negative ones count from its end."""
    listed = call.node.arguments[position]
    found = call.views(position)
    if not isinstance(listed, list) or len(found) != 1 or listed[0] is None:
        raise call.refused("it is lowered for indices along the first dimension only")
    if found[0].dtype not in (DType.I32, DType.I64):
        raise call.refused("which elements there are depends on values")
    index, length = found[0], call.view(0).shape[0]
    counts = {view.expression for view in call.memory.counted.values()}
    if index.expression in counts or emission.comes_from(index.expression, "topk_indices"):
        return index
    made = Formula(emission, found[0].dtype, index.shape)
    behind = Formula(emission, DType.BOOL, index.shape).of("lt", index, 0)
    return made.of("where", behind, made.of("add", index, length), index)


def _indexed(emission: Emission, view: View, index: View) -> View:
    rows = taken(emission, _rows_of(emission, view), index)
    return emission.reshaped(rows, (*index.shape, *view.shape[1:]))


def _index(emission: Emission, call: AtenCall) -> View:
    column = _column_of_rows(emission, call)
    if column is not None:
        return picked(emission, call.view(0), column)
    return _indexed(emission, call.view(0), _one_index(emission, call, 1))


def _column_of_rows(emission: Emission, call: AtenCall) -> View | None:
    """For x[arange(rows), columns] the columns, of which negative ones count from the end; None for other indices."""
    listed, view = call.node.arguments[1], call.view(0)
    if not isinstance(listed, list) or len(listed) != 2 or None in listed or len(view.shape) != 2:
        return None
    rows, column = call.views(1)
    if rows.shape != column.shape or rows.shape != view.shape[:1] or column.dtype not in (DType.I32, DType.I64):
        return None
    if rows.expression not in {each.expression for each in call.memory.counted.values()}:
        return None
    made = Formula(emission, column.dtype, column.shape)
    behind = Formula(emission, DType.BOOL, column.shape).of("lt", column, 0)
    return made.of("where", behind, made.of("add", column, view.shape[1]), column)


def _index_select(emission: Emission, call: AtenCall) -> View:
    if call.dim(1, len(call.view(0).shape)) != 0:
        raise call.refused("it is lowered for indices along the first dimension only")
    return _indexed(emission, call.view(0), call.view(2))


def _put_rows(emission: Emission, call: AtenCall, index: View, values: View) -> View:
    into = call.view(0)
    wide = values.repeated((*index.shape, *into.shape[1:]))
    flat = emission.reshaped(wide, (*index.shape, prod(into.shape[1:])))
    made = emission.reshaped(put(emission, flat, index, into.shape[0]), into.shape)
    return made if _is_zero(into) else formula(emission, call).of("add", into, made)


def _index_put(emission: Emission, call: AtenCall) -> View:
    column, adds = _column_of_rows(emission, call), call.argument(3, "accumulate") is True
    if column is not None:
        into, value = call.view(0), call.view(2)
        if adds:
            made = put_back(emission, value.repeated(column.shape), column, call.shape[1])
            return made if _is_zero(into) else formula(emission, call).of("add", into, made)
        hot = one_hot(emission, column, call.shape[1], DType.BOOL)
        return formula(emission, call).of("where", hot, with_one(value, 1) if value.shape else value, into)
    if adds:
        return _put_rows(emission, call, _one_index(emission, call, 1), call.view(2))
    made_by_mask = _masked(emission, call)
    if made_by_mask is None:
        raise call.refused("writing at indices that may be the same is not in the language; adding would be")
    return made_by_mask


def _masked(emission: Emission, call: AtenCall) -> View | None:
    """One number written where a mask says; None for other indices."""
    listed, value = call.node.arguments[1], call.view(2)
    if not isinstance(listed, list) or len(listed) != 1 or prod(value.shape) != 1:
        return None
    (mask,) = call.views(1)
    if mask.dtype is not DType.BOOL:
        return None
    for _ in range(len(call.shape) - len(mask.shape)):
        mask = with_one(mask, len(mask.shape))
    return formula(emission, call).of("where", mask, emission.reshaped(value, ()), call.view(0))


def _index_add(emission: Emission, call: AtenCall) -> View:
    if call.dim(1, len(call.shape)) != 0:
        raise call.refused("it is lowered for indices along the first dimension only")
    values, alpha = call.view(3), call.real(4, "alpha", 1.0)
    if alpha != 1:
        values = Formula(emission, call.dtype, values.shape).of("mul", values, alpha)
    return _put_rows(emission, call, call.view(2), values)


def _value_selected(emission: Emission, call: AtenCall) -> View:
    """The backward pass of a maximum with indices."""
    gradient, index, shape = call.view(0), call.view(2), call.wholes(3)
    if call.dim(1, len(shape)) != len(shape) - 1:
        raise call.refused("indices along another dimension than the last are not lowered")
    if index.shape == shape:
        hot = one_hot(emission, index, shape[-1], call.dtype)
        rows = list(_LETTERS[: len(shape) - 1])
        return emission.contracted([gradient, hot], [[*rows, "y"], [*rows, "y", "z"]], [*rows, "z"])
    if call.argument(4):
        gradient, index = (emission.reshaped(view, view.shape[:-1]) for view in (gradient, index))
    return put_back(emission, gradient, index, shape[-1])


INDICES: Mapping[str, Handler] = {
    "embedding": _embedding, "embedding_dense_backward": _embedding_backward, "gather": _gather,
    "scatter": _scatter, "scatter_add": _scatter, "topk": _topk, "index": _index, "index_select": _index_select,
    "index_put": _index_put, "_index_put_impl": _index_put, "_unsafe_index_put": _index_put, "index_add": _index_add,
    "value_selecting_reduction_backward": _value_selected,
}  # fmt: skip
