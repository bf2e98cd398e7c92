"""Layer norm, RMS norm and group norm with their backward passes: single operations if weights allow.

Otherwise rows are normalised without weight, then multiplied by the weight and added to the bias.
"""

from collections.abc import Mapping, Sequence
from math import prod

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast, formula
from p2smt.frontend.torch_graph.lowering.rows import total
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call
from p2smt.tensor.frame import Attributes


def _trailing(emission: Emission, view: View, count: int) -> View:
    lead = view.shape[: len(view.shape) - count]
    return emission.reshaped(view, (*lead, prod(view.shape[len(lead) :])))


def normalised(emission: Emission, call: AtenCall, view: View, count: int, eps: float, norm: str = "layernorm") -> View:
    """Return the norm without weight over the last `count` dimensions, shared by forward and backward pass."""
    key = (norm, view, count, eps)
    if key not in call.memory.rows:
        flat = _trailing(emission, view, count)
        made = emission.row(norm, [flat], len(flat.shape) - 1, (eps,))
        call.memory.rows[key] = emission.reshaped(made, view.shape)
    return call.memory.rows[key]


def is_whole(views: Sequence[View | None], count: int) -> bool:
    """Return True if the norm is one operation: all operands are present and have one type."""
    types = {view.dtype for view in views if view is not None}
    return count == 1 and None not in views and len(types) == 1


def _typed(emission: Emission, weight: View | None, view: View) -> View | None:
    """Return the weight in the input's type; under autocast on CPUs the two types differ."""
    return weight if weight is None or view.dtype is None else cast(emission, weight, view.dtype)


def _unrepeated(emission: Emission, view: View) -> View:
    return view if view.expanded in (None, view.packed) else emission.whole(view)


def weighted(
    emission: Emission, operation: str, rows: Sequence[View], weights: Sequence[View], attributes: Attributes
) -> View:
    """Return a norm with weights, or a gradient of it; each row runs along the operands' last dimension."""
    last = len(rows[0].shape) - 1
    views = [emission.flattened(_unrepeated(emission, view), last) for view in rows]
    found = emission.aligned(views)
    if found.groups[last] != (len(found.sizes) - 1,) or len({view.sizes for view in views}) > 1:
        found = emission.aligned([emission.whole(view) for view in rows])
    scales = tuple(emission.whole(weight).expression for weight in weights)
    call = Call(operation, (*found.expressions, *scales), attributes)
    shape = emission.builder.whole(call).shape
    groups = found.groups if len(shape) == len(found.sizes) else ((0,),)
    return emission.statement(call, rows[0].dtype, shape, groups)


def _layer_norm(emission: Emission, call: AtenCall) -> list[View | None]:
    made, eps = formula(emission, call), call.real(4, default=1e-5)
    weight, bias = (_typed(emission, call.maybe(at), call.view(0)) for at in (2, 3))
    count = len(call.wholes(1))
    _remember(call, eps)
    weights = [weight] if bias is None else [weight, bias]
    if is_whole([call.view(0), *weights], count):
        given = [each for each in weights if each is not None]
        return [weighted(emission, "weighted_layernorm", [call.view(0)], given, (eps,)), None, None]
    result = normalised(emission, call, call.view(0), count, eps)
    result = result if weight is None else made.of("mul", result, weight)
    return [result if bias is None else made.of("add", result, bias), None, None]


def _remember(call: AtenCall, eps: float) -> None:
    """Keep eps for the backward pass, which receives the mean only."""
    call.memory.eps[call.node.name] = eps


def _eps(call: AtenCall, position: int) -> float:
    reference = call.node.arguments[position]
    name = getattr(reference, "node", "")
    if name not in call.memory.eps:
        raise call.refused("its mean does not come from a supported normalisation")
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
    """Return the gradients of input and weight; the call's first arguments are the result's gradient and the input."""
    gradient, view = call.view(0), call.view(1)
    weight = _typed(emission, weight, view)
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


class _Groups:
    """A group norm on views: one operation with weight, else rows without weight followed by scale and bias."""

    def __init__(self, emission: Emission, call: AtenCall, view: View, groups: int, eps: float) -> None:
        self._emission, self._call, self._view, self._eps = emission, call, view, eps
        self._made = Formula(emission, view.dtype or DType.F32, view.shape)
        shape = view.shape
        self._split = (groups, shape[1] // groups)
        self._whole = (shape[0], *self._split, *shape[2:])
        self._rows = (shape[0], groups, prod(shape[1:]) // groups)

    def _is_whole(self, *views: View) -> bool:
        return len({view.dtype for view in (self._view, *views)}) == 1

    def _taken(self, views: Sequence[View], weights: Sequence[View]) -> list[View]:
        """Return operands with groups as a dimension: views of the input's shape, then per-channel weights."""
        given = [self._divided(view) for view in views]
        return [*given, *(self._emission.reshaped(each, self._split) for each in weights)]

    def _divided(self, view: View) -> View:
        """The view with groups as a dimension, in one statement that both passes share."""
        key = ("groups", view, self._split[0], 0.0)
        if key not in self._call.memory.rows:
            self._call.memory.rows[key] = self._emission.reshaped(view, self._whole)
        return self._call.memory.rows[key]

    def _normal(self) -> View:
        rows = self._emission.reshaped(self._view, self._rows)
        return self._emission.reshaped(normalised(self._emission, self._call, rows, 1, self._eps), self._view.shape)

    def _channels(self, weight: View) -> View:
        """Per-channel values, aligned with dimension 1."""
        return self._emission.reshaped(weight, (weight.shape[0], *(1,) * (len(self._view.shape) - 2)))

    def forward(self, weight: View | None, bias: View | None) -> View:
        """The normalised input."""
        weights = [each for each in (weight, bias) if each is not None]
        if weight is not None and self._is_whole(*weights):
            made = self._emission.call("group_norm", self._taken([self._view], weights), (self._eps,))
            return self._emission.reshaped(made, self._view.shape)
        result = self._normal()
        result = result if weight is None else self._made.of("mul", result, self._channels(weight))
        return result if bias is None else self._made.of("add", result, self._channels(bias))

    def of_input(self, gradient: View, weight: View | None) -> View:
        """The gradient of the input."""
        if weight is not None and self._is_whole(gradient, weight):
            operands = self._taken([gradient, self._view], [weight])
            made = self._emission.call("group_norm_backward", operands, (self._eps,))
        else:
            scaled = gradient if weight is None else self._made.of("mul", gradient, self._channels(weight))
            pair = [self._emission.reshaped(each, self._rows) for each in (scaled, self._view)]
            made = self._emission.row("layernorm_backward", pair, 2, (self._eps,))
        return self._emission.reshaped(made, self._view.shape)

    def of_weight(self, gradient: View) -> View:
        """The gradient of the weight."""
        if self._is_whole(gradient):
            operands = self._taken([gradient, self._view], [])
            made = self._emission.call("group_norm_weight_backward", operands, (self._eps,))
            return self._emission.reshaped(made, (prod(self._split),))
        return self.of_bias(self._made.of("mul", gradient, self._normal()))

    def of_bias(self, gradient: View) -> View:
        """The gradient of the bias."""
        return total(self._emission, gradient, (0, *range(2, len(gradient.shape))))


def _group_norm(emission: Emission, call: AtenCall) -> list[View | None]:
    eps = call.real(7)
    _remember(call, eps)
    return [_Groups(emission, call, call.view(0), call.whole(6), eps).forward(call.maybe(1), call.maybe(2)), None, None]


def _group_norm_backward(emission: Emission, call: AtenCall) -> list[View | None]:
    gradient, norm = call.view(0), _Groups(emission, call, call.view(1), call.whole(8), _eps(call, 2))
    return [
        norm.of_input(gradient, call.maybe(4)) if call.wanted(0) else None,
        norm.of_weight(gradient) if call.wanted(1) else None,
        norm.of_bias(gradient) if call.wanted(2) else None,
    ]


NORMS: Mapping[str, Handler] = {
    "native_layer_norm": _layer_norm,
    "native_layer_norm_backward": _layer_norm_backward,
    "p2smt.rms_norm": _rms_norm,
    "p2smt.rms_norm_backward": _rms_norm_backward,
    "native_group_norm": _group_norm,
    "native_group_norm_backward": _group_norm_backward,
}
