"""Reductions, softmax and their backward passes."""

from collections.abc import Mapping
from math import prod

from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast, formula
from p2smt.frontend.torch_graph.lowering.indices import largest
from p2smt.frontend.torch_graph.lowering.sources import counted
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.dtype import DType


def total(emission: Emission, view: View, dims: tuple[int, ...], keep: bool = False) -> View:
    """The sum over dimensions."""
    return emission.reduced("sum", view, dims, keep)


def _sum(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    view = view if view.dtype is call.dtype else cast(emission, view, call.dtype)
    return total(emission, view, call.dims(1, len(view.shape)), bool(call.argument(2, "keepdim")))


def _mean(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    dims = call.dims(1, len(view.shape))
    count = prod(view.shape[dim] for dim in dims)
    made = total(emission, view, dims, bool(call.argument(2, "keepdim")))
    return Formula(emission, call.dtype, made.shape).of("div", made, count)


def _largest(operation: str) -> Handler:
    """Return a handler for the maximum or minimum of all elements or along dimensions, with indices if single."""

    def lowered(emission: Emission, call: AtenCall) -> View | list[View]:
        view = call.view(0)
        if call.overload == "other":
            return formula(emission, call).of(f"{operation}imum", view, call.view(1))
        if call.overload == "dim":
            return _with_indices(emission, call, operation)
        return emission.reduced(operation, view, call.dims(1, len(view.shape)), bool(call.argument(2, "keepdim")))

    return lowered


def _with_indices(emission: Emission, call: AtenCall, operation: str) -> list[View]:
    view = call.view(0)
    dim, keep = call.dim(1, len(view.shape)), bool(call.argument(2, "keepdim"))
    made = largest(emission, view, 1, dim, operation == "min")[1]
    return [emission.reduced(operation, view, (dim,), keep), made if keep else emission.reshaped(made, call.shape)]


def _variance(emission: Emission, call: AtenCall, view: View, dims: tuple[int, ...], keep: bool) -> View:
    count = prod(view.shape[dim] for dim in dims)
    correction = call.argument(2, "correction")
    less = float(correction) if isinstance(correction, int | float) else 1.0
    if call.overload not in ("correction", "default"):
        raise call.refused("this overload of var is not supported; use torch.var(x, dim, correction=...)")
    wide = Formula(emission, call.dtype, view.shape)
    means = Formula(emission, call.dtype, tuple(1 if dim in dims else n for dim, n in enumerate(view.shape)))
    centred = wide.of("sub", view, means.of("div", total(emission, view, dims, True), count))
    squares = total(emission, wide.of("mul", centred, centred), dims, keep)
    return Formula(emission, call.dtype, squares.shape).of("div", squares, max(0.0, count - less))


def _var(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    return _variance(emission, call, view, call.dims(1, len(view.shape)), bool(call.argument(3, "keepdim")))


def _std(emission: Emission, call: AtenCall) -> View:
    made = _var(emission, call)
    return Formula(emission, call.dtype, made.shape).of("sqrt", made)


def _var_mean(emission: Emission, call: AtenCall) -> list[View]:
    view = call.view(0)
    dims, keep = call.dims(1, len(view.shape)), bool(call.argument(3, "keepdim"))
    count = prod(view.shape[dim] for dim in dims)
    made = total(emission, view, dims, keep)
    means = Formula(emission, call.dtype, made.shape).of("div", made, count)
    return [_variance(emission, call, view, dims, keep), means]


def _along(operation: str, dim_at: int = 1) -> Handler:
    def lowered(emission: Emission, call: AtenCall) -> View:
        view = call.view(0)
        if view.dtype not in FLOATS and operation != "cumsum":
            raise call.refused("integer operands are not supported; cast them to a floating-point type first")
        views = [call.view(position) for position in range(dim_at)]
        if not view.shape:
            raise call.refused("it is applied to a tensor without dimensions")
        return emission.row(operation, views, call.dim(dim_at, len(view.shape)))

    return lowered


def _cumsum(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    view = view if view.dtype is call.dtype else cast(emission, view, call.dtype)
    return emission.row("cumsum", [view], call.dim(1, len(view.shape)))


def _safe_softmax(emission: Emission, call: AtenCall) -> View:
    """Return the softmax; rows of only -inf give 0."""
    view = call.view(0)
    dim = call.dim(1, len(view.shape))
    made = emission.row("softmax", [view], dim)
    highest = emission.reduced("max", view, (dim,), True)
    there = Formula(emission, call.dtype, highest.shape).of("gt", highest, float("-inf"))
    return Formula(emission, call.dtype, view.shape).of("where", there, made, 0)


def _logsumexp(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    dims, keep = call.dims(1, len(view.shape)), bool(call.argument(2, "keepdim"))
    highest = emission.reduced("max", view, dims, True)
    wide = Formula(emission, call.dtype, view.shape)
    sums = total(emission, wide.of("exp", wide.of("sub", view, highest)), dims, keep)
    made = Formula(emission, call.dtype, sums.shape)
    return made.of("add", made.of("log", sums), emission.reshaped(highest, sums.shape))


def _norm(emission: Emission, call: AtenCall) -> View:
    view, order = call.view(0), call.real(1, default=2.0)
    dims, keep = call.dims(2, len(view.shape)), bool(call.argument(3, "keepdim"))
    wide = Formula(emission, call.dtype, view.shape)
    if order in (1, float("inf")):
        return emission.reduced("sum" if order == 1 else "max", wide.of("abs", view), dims, keep)
    if order != 2 and order > 0:
        powers = total(emission, wide.of("pow", wide.of("abs", view), order), dims, keep)
        return Formula(emission, call.dtype, powers.shape).of("pow", powers, 1 / order)
    if order != 2:
        raise call.refused(f"norms of order {order:g} are not supported; only orders above 0 are")
    sums = total(emission, wide.of("mul", view, view), dims, keep)
    return Formula(emission, call.dtype, sums.shape).of("sqrt", sums)


def _histogram(emission: Emission, call: AtenCall) -> View:
    """Return the counts of elements in equal bins of a range; the last bin includes its upper end."""
    view, parts, low, high = (
        call.view(0),
        call.whole(1, "bins", 100),
        call.real(2, "min", 0.0),
        call.real(3, "max", 0.0),
    )
    if low >= high:
        raise call.refused("its range depends on values of tensors; give min and max")
    flat = emission.reshaped(view, (1, prod(view.shape)))
    index = with_one(counted(emission, call, parts, DType.I64), 1)
    made = Formula(emission, view.dtype or DType.F32, (1, flat.shape[1]))
    place = made.of("div", made.of("mul", made.of("sub", flat, low), parts), high - low)
    shape = (parts, flat.shape[1])
    truth = Formula(emission, DType.BOOL, shape)
    last = Formula(emission, DType.BOOL, (1, flat.shape[1])).of("eq", flat, high)
    inside = emission.map(
        "mul", [truth.of("ge", place, index), truth.of("lt", place, _next(emission, index))], shape, DType.BOOL
    )
    ending = emission.map(
        "mul", [last, Formula(emission, DType.BOOL, (parts, 1)).of("eq", index, parts - 1)], shape, DType.BOOL
    )
    there = cast(emission, emission.map("maximum", [inside, ending], shape, DType.BOOL), call.dtype)
    return total(emission, there, (1,))


def _next(emission: Emission, index: View) -> View:
    return Formula(emission, DType.I64, index.shape).of("add", index, 1)


def _of_truths(extreme: str) -> Handler:
    """Return a handler for `any` or `all`, as the maximum or minimum of 0 and 1."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        view = call.view(0)
        is_none = Formula(emission, DType.BOOL, view.shape).of("eq", view, 0)
        truth = cast(emission, Formula(emission, DType.BOOL, view.shape).of("eq", is_none, 0), DType.F32)
        dims = call.dims(1, len(view.shape)) if call.overload != "default" else tuple(range(len(view.shape)))
        keep = call.overload != "default" and bool(call.argument(2, "keepdim"))
        made = emission.reduced(extreme, truth, dims, keep) if dims else truth
        return Formula(emission, DType.BOOL, call.shape).of("gt", made, 0)

    return lowered


ROWS: Mapping[str, Handler] = {
    "sum": _sum,
    "mean": _mean,
    "amax": _largest("max"),
    "amin": _largest("min"),
    "max": _largest("max"),
    "min": _largest("min"),
    "var": _var,
    "logsumexp": _logsumexp,
    "linalg_vector_norm": _norm,
    "norm": _norm,
    "histc": _histogram,
    "std": _std,
    "var_mean": _var_mean,
    "_softmax": _along("softmax"),
    "_log_softmax": _along("log_softmax"),
    "_safe_softmax": _safe_softmax,
    "cumsum": _cumsum,
    "any": _of_truths("max"),
    "all": _of_truths("min"),
    "_softmax_backward_data": _along("softmax_backward", 2),
}
