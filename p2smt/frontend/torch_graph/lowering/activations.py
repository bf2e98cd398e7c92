"""Activations that are composed of several operations, and their backward passes."""

from collections.abc import Mapping

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula
from p2smt.frontend.torch_graph.lowering.moves import joined_along, sliced
from p2smt.frontend.torch_graph.view import View


def _threshold_backward(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    if call.real(2) == 0:
        return made.of("relu_backward", call.view(0), call.view(1))
    return made.of("mul", call.view(0), made.of("gt", call.view(1), call.real(2)))


def _gelu(emission: Emission, call: AtenCall) -> View:
    plain = call.argument(1, "approximate") in (None, "none")
    return formula(emission, call).of("gelu" if plain else "gelu_tanh", call.view(0))


def _gelu_backward(emission: Emission, call: AtenCall) -> View:
    plain = call.argument(2, "approximate") in (None, "none")
    name = "gelu_backward" if plain else "gelu_tanh_backward"
    return formula(emission, call).of(name, call.view(0), call.view(1))


def _backward(operation: str) -> Handler:
    def lowered(emission: Emission, call: AtenCall) -> View:
        return formula(emission, call).of(operation, call.view(0), call.view(1))

    return lowered


def _elu(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    alpha, scale, inner = (call.real(position, default=1.0) for position in (1, 2, 3))
    small = made.of("mul", made.of("minimum", x, 0), inner)
    low = made.of("mul", made.of("sub", made.of("exp", small), 1), alpha * scale)
    return made.of("where", made.of("gt", x, 0), made.of("mul", x, scale), low)


def _elu_backward(emission: Emission, call: AtenCall) -> View:
    """The gradient of ELU in terms of the input, or of the result if that was saved."""
    made, gradient, known = formula(emission, call), call.view(0), call.view(5)
    alpha, scale, inner = (call.real(position) for position in (1, 2, 3))
    if call.argument(4):
        low = made.of("mul", made.of("add", known, alpha * scale), inner)
    else:
        power = made.of("exp", made.of("mul", made.of("minimum", known, 0), inner))
        low = made.of("mul", power, alpha * scale * inner)
    return made.of("mul", gradient, made.of("where", made.of("gt", known, 0), scale, low))


def _leaky_relu(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    return made.of("where", made.of("gt", x, 0), x, made.of("mul", x, call.real(1, "negative_slope", 0.01)))


def _leaky_relu_backward(emission: Emission, call: AtenCall) -> View:
    made, gradient = formula(emission, call), call.view(0)
    return made.of("where", made.of("gt", call.view(1), 0), gradient, made.of("mul", gradient, call.real(2)))


def _hardtanh(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    low = made.of("maximum", call.view(0), call.real(1, "min_val", -1.0))
    return made.of("minimum", low, call.real(2, "max_val", 1.0))


def _hardtanh_backward(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(1)
    inside = made.of("mul", made.of("gt", x, call.real(2)), made.of("lt", x, call.real(3)))
    return made.of("mul", call.view(0), inside)


def _softplus(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    beta, threshold = call.real(1, "beta", 1.0), call.real(2, "threshold", 20.0)
    scaled = made.of("mul", x, beta)
    soft = made.of(
        "div", made.of("log", made.of("add", 1, made.of("exp", made.of("minimum", scaled, threshold)))), beta
    )
    return made.of("where", made.of("gt", scaled, threshold), x, soft)


def _softplus_backward(emission: Emission, call: AtenCall) -> View:
    made, gradient = formula(emission, call), call.view(0)
    scaled = made.of("mul", call.view(1), call.real(2))
    inside = made.of("mul", gradient, made.of("sigmoid", scaled))
    return made.of("where", made.of("gt", scaled, call.real(3)), gradient, inside)


def _log_sigmoid(emission: Emission, call: AtenCall) -> tuple[View, None]:
    made, x = formula(emission, call), call.view(0)
    small = made.of("exp", made.of("neg", made.of("abs", x)))
    return made.of("sub", made.of("minimum", x, 0), made.of("log", made.of("add", 1, small))), None


def _log_sigmoid_backward(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    return made.of("mul", call.view(0), made.of("sub", 1, made.of("sigmoid", call.view(1))))


def _glu(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    first, second = _halves(emission, view, call.dim(1, len(view.shape), default=-1))
    made = formula(emission, call)
    return made.of("mul", first, made.of("sigmoid", second))


def _halves(emission: Emission, view: View, dim: int) -> tuple[View, View]:
    length = view.shape[dim]
    return sliced(emission, view, dim, 0, length // 2), sliced(emission, view, dim, length // 2, length)


def _glu_backward(emission: Emission, call: AtenCall) -> View:
    gradient, view = call.view(0), call.view(1)
    dim = call.dim(2, len(view.shape))
    first, second = _halves(emission, view, dim)
    made = Formula(emission, call.dtype, gradient.shape)
    share = made.of("sigmoid", second)
    slope = made.of("mul", made.of("mul", share, made.of("sub", 1, share)), first)
    parts = [made.of("mul", gradient, share), made.of("mul", gradient, slope)]
    return joined_along(emission, parts, dim)


def _hardsigmoid(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    return made.of("div", made.of("minimum", made.of("maximum", made.of("add", x, 3), 0), 6), 6)


def _hardsigmoid_backward(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(1)
    inside = made.of("mul", made.of("gt", x, -3), made.of("lt", x, 3))
    return made.of("mul", made.of("div", call.view(0), 6), inside)


def _hardswish(emission: Emission, call: AtenCall) -> View:
    return formula(emission, call).of("mul", call.view(0), _hardsigmoid(emission, call))


def _hardswish_backward(emission: Emission, call: AtenCall) -> View:
    made, gradient, x = formula(emission, call), call.view(0), call.view(1)
    inside = made.of("mul", gradient, made.of("add", made.of("div", x, 3), 0.5))
    above = made.of("where", made.of("lt", x, 3), inside, gradient)
    return made.of("where", made.of("ge", -3, x), 0, above)


def _threshold(emission: Emission, call: AtenCall) -> View:
    x = call.view(0)
    return formula(emission, call).of("where", _above(emission, call, x), x, call.view(2))


def _above(emission: Emission, call: AtenCall, x: View) -> View:
    return formula(emission, call).of("gt", x, call.view(1))


def _soft(made: Formula, x: View) -> View:
    """log(1 + exp(x)), computed without overflow."""
    small = made.of("exp", made.of("neg", made.of("abs", x)))
    return made.of("add", made.of("maximum", x, 0), made.of("log", made.of("add", 1, small)))


def _mish(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    return made.of("mul", x, made.of("tanh", _soft(made, x)))


def _mish_backward(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(1)
    tanh = made.of("tanh", _soft(made, x))
    rest = made.of("mul", made.of("mul", x, made.of("sigmoid", x)), made.of("sub", 1, made.of("mul", tanh, tanh)))
    return made.of("mul", call.view(0), made.of("add", tanh, rest))


def _prelu(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    return made.of("where", made.of("gt", x, 0), x, made.of("mul", x, call.view(1)))


def _prelu_backward(emission: Emission, call: AtenCall) -> list[View]:
    made, gradient, x, weight = formula(emission, call), call.view(0), call.view(1), call.view(2)
    above = made.of("gt", x, 0)
    slope = made.of("where", above, gradient, made.of("mul", gradient, weight))
    return [slope, made.of("where", above, 0, made.of("mul", gradient, x))]


def _celu(emission: Emission, call: AtenCall) -> View:
    made, x, alpha = formula(emission, call), call.view(0), call.real(1, "alpha", 1.0)
    small = made.of("div", made.of("minimum", x, 0), alpha)
    low = made.of("mul", made.of("sub", made.of("exp", small), 1), alpha)
    return made.of("where", made.of("gt", x, 0), x, low)


ACTIVATIONS: Mapping[str, Handler] = {
    "threshold_backward": _threshold_backward,
    "gelu": _gelu,
    "gelu_backward": _gelu_backward,
    "sigmoid_backward": _backward("sigmoid_backward"),
    "silu_backward": _backward("silu_backward"),
    "elu": _elu,
    "elu_backward": _elu_backward,
    "leaky_relu": _leaky_relu,
    "leaky_relu_backward": _leaky_relu_backward,
    "hardtanh": _hardtanh,
    "hardtanh_backward": _hardtanh_backward,
    "softplus": _softplus,
    "softplus_backward": _softplus_backward,
    "glu": _glu,
    "glu_backward": _glu_backward,
    "hardsigmoid": _hardsigmoid,
    "hardswish": _hardswish,
    "hardsigmoid_backward": _hardsigmoid_backward,
    "hardswish_backward": _hardswish_backward,
    "threshold": _threshold,
    "mish": _mish,
    "mish_backward": _mish_backward,
    "_prelu_kernel": _prelu,
    "celu": _celu,
    "_prelu_kernel_backward": _prelu_backward,
    "log_sigmoid_forward": _log_sigmoid,
    "log_sigmoid_backward": _log_sigmoid_backward,
}
