"""Layer norm, RMS norm and group norm, and their backwards: whole where a row is one dimension with a weight.

Else rows are normalised without weight, and weight and bias are a product and a sum behind them.
"""

from collections.abc import Mapping, Sequence
from math import prod

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula
from p2smt.frontend.torch_graph.lowering.rows import total
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.frame import Attributes
from p2smt.tensor.program import Call, DType


def _trailing(emission: Emission, view: View, count: int) -> View:
    lead = view.shape[: len(view.shape) - count]
    return emission.reshaped(view, (*lead, prod(view.shape[len(lead) :])))


def normalised(emission: Emission, call: AtenCall, view: View, count: int, eps: float, norm: str = "layernorm") -> View:
    """A norm over the last dimensions, without weight; forward and backward share it."""
    key = (norm, view, count, eps)
    if key not in call.memory.rows:
        flat = _trailing(emission, view, count)
        made = emission.row(norm, [flat], len(flat.shape) - 1, (eps,))
        call.memory.rows[key] = emission.reshaped(made, view.shape)
    return call.memory.rows[key]


def is_whole(views: Sequence[View | None], count: int) -> bool:
    """True if a norm over so many last dimensions is one operation: all operands there, of one type."""
    types = {view.dtype for view in views if view is not None}
    return count == 1 and None not in views and len(types) == 1


def _unrepeated(emission: Emission, view: View) -> View:
    return view if view.expanded in (None, view.packed) else emission.whole(view)


def weighted(
    emission: Emission, operation: str, rows: Sequence[View], weights: Sequence[View], attributes: Attributes
) -> View:
    """A norm with weights, or a gradient of it: of operands whose last dimension is the one that is looked across."""
    last = len(rows[0].shape) - 1
    views = [emission.flattened(_unrepeated(emission, view), last) for view in rows]
    found = emission.aligned(views, rows[0].shape)
    if found.groups[last] != (len(found.sizes) - 1,) or len({view.sizes for view in views}) > 1:
        found = emission.aligned([emission.whole(view) for view in rows], rows[0].shape)
    scales = tuple(emission.whole(weight).expression for weight in weights)
    call = Call(operation, (*found.expressions, *scales), attributes)
    shape = emission.builder.whole(call).shape
    groups = found.groups if len(shape) == len(found.sizes) else ((0,),)
    return emission.statement(call, rows[0].dtype, shape, groups)


def _layer_norm(emission: Emission, call: AtenCall) -> list[View | None]:
    made, eps = formula(emission, call), call.real(4, default=1e-5)
    weight, bias, count = call.maybe(2), call.maybe(3), len(call.wholes(1))
    _remember(call, eps)
    weights = [weight] if bias is None else [weight, bias]
    if is_whole([call.view(0), *weights], count):
        given = [each for each in weights if each is not None]
        return [weighted(emission, "weighted_layernorm", [call.view(0)], given, (eps,)), None, None]
    result = normalised(emission, call, call.view(0), count, eps)
    result = result if weight is None else made.of("mul", result, weight)
    return [result if bias is None else made.of("add", result, bias), None, None]


def _remember(call: AtenCall, eps: float) -> None:
    """The backward pass is given the mean, not eps."""
    call.memory.eps[call.node.name] = eps


def _eps(call: AtenCall, position: int) -> float:
    reference = call.node.arguments[position]
    name = getattr(reference, "node", "")
    if name not in call.memory.eps:
        raise call.refused("its mean comes from no normalisation that is known")
    return call.memory.eps[name]


def _layer_norm_backward(emission: Emission, call: AtenCall) -> list[View | None]:
    gradient, count = call.view(0), len(call.wholes(2))
    rows = tuple(range(len(gradient.shape) - count))
    found = _gradients(emission, call, "layernorm", call.maybe(5), count, _eps(call, 3))
    of_bias = total(emission, gradient, rows) if rows else gradient
    return [*found, of_bias if call.wanted(2) else None]


def _gradients(
    emission: Emission, call: AtenCall, norm: str, weight: View | None, count: int, eps: float
) -> list[View | None]:
    """The gradients of what was normalised and of the weight; the call begins with those of the result and x."""
    gradient, view = call.view(0), call.view(1)
    made = Formula(emission, view.dtype or DType.F32, view.shape)
    rows = tuple(range(len(view.shape) - count))
    results: list[View | None] = [None, None]
    whole = is_whole([gradient, view, weight], count)
    if call.wanted(0) and whole and weight is not None:
        results[0] = weighted(emission, f"weighted_{norm}_backward", [gradient, view], [weight], (eps,))
    elif call.wanted(0):
        scaled = gradient if weight is None else made.of("mul", gradient, weight)
        pair = [_trailing(emission, scaled, count), _trailing(emission, view, count)]
        back = emission.row(f"{norm}_backward", pair, len(pair[0].shape) - 1, (eps,))
        results[0] = emission.reshaped(back, view.shape)
    if call.wanted(1) and whole:
        results[1] = weighted(emission, f"{norm}_weight_backward", [gradient, view], [], (eps,))
    elif call.wanted(1) and weight is not None:
        product = made.of("mul", gradient, normalised(emission, call, view, count, eps, norm))
        results[1] = total(emission, product, rows) if rows else product
    return results


def _rms_norm(emission: Emission, call: AtenCall) -> View:
    view, weight, eps = call.view(0), call.maybe(1), call.real(2)
    if weight is not None and is_whole([view, weight], 1):
        return weighted(emission, "weighted_rms_norm", [view], [weight], (eps,))
    result = normalised(emission, call, view, 1, eps, "rms_norm")
    return result if weight is None else formula(emission, call).of("mul", result, weight)


def _rms_norm_backward(emission: Emission, call: AtenCall) -> list[View | None]:
    return _gradients(emission, call, "rms_norm", call.maybe(2), 1, call.real(3))


def _per_channel(emission: Emission, view: View, channels: int, rank: int) -> View:
    """A weight of channels, lined up with dimension 1."""
    return emission.reshaped(view, (channels, *(1,) * (rank - 2)))


def _group_norm(emission: Emission, call: AtenCall) -> list[View | None]:
    view, groups, eps = call.view(0), call.whole(6), call.real(7)
    made, shape = formula(emission, call), view.shape
    rows = emission.reshaped(view, (shape[0], groups, prod(shape[1:]) // groups))
    result = emission.reshaped(normalised(emission, call, rows, 1, eps), shape)
    _remember(call, eps)
    for operation, position in (("mul", 1), ("add", 2)):
        if (weight := call.maybe(position)) is not None:
            result = made.of(operation, result, _per_channel(emission, weight, shape[1], len(shape)))
    return [result, None, None]


def _group_norm_backward(emission: Emission, call: AtenCall) -> list[View | None]:
    gradient, view, groups, eps = call.view(0), call.view(1), call.whole(8), _eps(call, 2)
    shape = view.shape
    made = Formula(emission, view.dtype or DType.F32, shape)
    form = (shape[0], groups, prod(shape[1:]) // groups)
    rows = emission.reshaped(view, form)
    others = (0, *range(2, len(shape)))
    results: list[View | None] = [None, None, None]
    if call.wanted(0):
        weight = call.maybe(4)
        scaled = gradient
        if weight is not None:
            scaled = made.of("mul", gradient, _per_channel(emission, weight, shape[1], len(shape)))
        pair = [emission.reshaped(scaled, form), rows]
        results[0] = emission.reshaped(emission.row("layernorm_backward", pair, 2, (eps,)), shape)
    if call.wanted(1):
        normal = emission.reshaped(normalised(emission, call, rows, 1, eps), shape)
        results[1] = total(emission, made.of("mul", gradient, normal), others)
    if call.wanted(2):
        results[2] = total(emission, gradient, others)
    return results


NORMS: Mapping[str, Handler] = {
    "native_layer_norm": _layer_norm,
    "native_layer_norm_backward": _layer_norm_backward,
    "p2smt.rms_norm": _rms_norm,
    "p2smt.rms_norm_backward": _rms_norm_backward,
    "native_group_norm": _group_norm,
    "native_group_norm_backward": _group_norm_backward,
}
