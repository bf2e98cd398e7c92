"""Activations that are written with several operations, and their backwards."""

from collections.abc import Mapping
from math import pi, sqrt

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula
from p2smt.frontend.torch_graph.view import View


def _threshold_backward(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    if call.real(2) == 0:
        return made.of("relu_backward", call.view(0), call.view(1))
    return made.of("mul", call.view(0), made.of("gt", call.view(1), call.real(2)))


def _tanh_gelu(emission: Emission, call: AtenCall, x: View) -> tuple[Formula, View]:
    made = formula(emission, call)
    cubed = made.of("mul", made.of("mul", x, x), x)
    inner = made.of("mul", made.of("add", x, made.of("mul", cubed, 0.044715)), sqrt(2 / pi))
    return made, made.of("tanh", inner)


def _gelu(emission: Emission, call: AtenCall) -> View:
    if call.argument(1, "approximate") in (None, "none"):
        return formula(emission, call).of("gelu", call.view(0))
    made, tanh = _tanh_gelu(emission, call, call.view(0))
    return made.of("mul", made.of("mul", call.view(0), 0.5), made.of("add", tanh, 1))


def _gelu_backward(emission: Emission, call: AtenCall) -> View:
    gradient, x = call.view(0), call.view(1)
    if call.argument(2, "approximate") in (None, "none"):
        return formula(emission, call).of("gelu_backward", gradient, x)
    made, tanh = _tanh_gelu(emission, call, x)
    slope = made.of("mul", made.of("add", made.of("mul", made.of("mul", x, x), 3 * 0.044715), 1), sqrt(2 / pi))
    inner = made.of("mul", made.of("sub", 1, made.of("mul", tanh, tanh)), slope)
    factor = made.of("add", made.of("mul", made.of("mul", x, inner), 0.5), made.of("mul", made.of("add", tanh, 1), 0.5))
    return made.of("mul", gradient, factor)


def _sigmoid_backward(emission: Emission, call: AtenCall) -> View:
    made, y = formula(emission, call), call.view(1)
    return made.of("mul", call.view(0), made.of("mul", y, made.of("sub", 1, y)))


def _silu_backward(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(1)
    s = made.of("sigmoid", x)
    slope = made.of("add", 1, made.of("mul", x, made.of("sub", 1, s)))
    return made.of("mul", call.view(0), made.of("mul", s, slope))


def _elu(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    alpha, scale, inner = (call.real(position, default=1.0) for position in (1, 2, 3))
    small = made.of("minimum", made.of("mul", x, inner), 0)
    low = made.of("mul", made.of("sub", made.of("exp", small), 1), alpha * scale)
    return made.of("where", made.of("gt", x, 0), made.of("mul", x, scale), low)


def _elu_backward(emission: Emission, call: AtenCall) -> View:
    """From the input, or from the result where that is what is kept."""
    made, gradient, known = formula(emission, call), call.view(0), call.view(5)
    alpha, scale, inner = (call.real(position) for position in (1, 2, 3))
    if call.argument(4):
        low = made.of("mul", made.of("add", known, alpha * scale), inner)
    else:
        power = made.of("exp", made.of("minimum", made.of("mul", known, inner), 0))
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


ACTIVATIONS: Mapping[str, Handler] = {
    "threshold_backward": _threshold_backward, "gelu": _gelu, "gelu_backward": _gelu_backward,
    "sigmoid_backward": _sigmoid_backward, "silu_backward": _silu_backward, "elu": _elu, "elu_backward": _elu_backward,
    "leaky_relu": _leaky_relu, "leaky_relu_backward": _leaky_relu_backward, "hardtanh": _hardtanh,
    "hardtanh_backward": _hardtanh_backward, "softplus": _softplus, "softplus_backward": _softplus_backward,
    "log_sigmoid_forward": _log_sigmoid, "log_sigmoid_backward": _log_sigmoid_backward,
}  # fmt: skip
