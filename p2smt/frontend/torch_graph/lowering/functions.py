"""Elementary functions, and their backward passes, composed of functions of the language."""

from collections.abc import Mapping
from math import inf, log, pi

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType


def _expm1(emission: Emission, call: AtenCall) -> View:
    """Return exp(x) - 1; for x < 1 as 2 t / (1 - t) with t = tanh(x / 2), to avoid cancellation for small x."""
    made, x = formula(emission, call), call.view(0)
    t = made.of("tanh", made.of("mul", made.of("minimum", x, 1), 0.5))
    small = made.of("div", made.of("mul", t, 2), made.of("sub", 1, t))
    return made.of("where", made.of("lt", x, 1), small, made.of("sub", made.of("exp", x), 1))


def _exp2(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    return made.of("exp", made.of("mul", call.view(0), log(2)))


def _tan(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    return made.of("div", made.of("sin", x), made.of("cos", x))


def _atan(emission: Emission, call: AtenCall) -> View:
    return formula(emission, call).of("atan", call.view(0))


def _asin(emission: Emission, call: AtenCall) -> View:
    return _arcsine(formula(emission, call), call.view(0))


def _arcsine(made: Formula, x: View) -> View:
    """Return asin(x) = atan(x / sqrt(1 - x^2)); the quotient is infinite at 1 and -1."""
    rest = made.of("mul", made.of("sub", 1, x), made.of("add", 1, x))
    return made.of("atan", made.of("div", x, made.of("sqrt", rest)))


def _acos(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    return made.of("sub", pi / 2, _arcsine(made, call.view(0)))


def _atan2(emission: Emission, call: AtenCall) -> View:
    """The angle of a point, from -pi to pi."""
    made, y, x = formula(emission, call), call.view(0), call.view(1)
    angle = made.of("atan", made.of("div", y, x))
    half = made.of("where", made.of("ge", y, 0), pi, -pi)
    aside = made.of("mul", made.of("sign", y), pi / 2)
    left = made.of("where", made.of("lt", x, 0), made.of("add", angle, half), aside)
    return made.of("where", made.of("gt", x, 0), angle, left)


def _powers(sign: str) -> Handler:
    """Return a handler for half of exp(x) + exp(-x) (cosh) or exp(x) - exp(-x) (sinh)."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        made, x = formula(emission, call), call.view(0)
        return made.of("mul", made.of(sign, made.of("exp", x), made.of("exp", made.of("neg", x))), 0.5)

    return lowered


def _asinh(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    size = made.of("abs", x)
    root = made.of("sqrt", made.of("add", made.of("mul", x, x), 1))
    return made.of("mul", made.of("sign", x), made.of("log", made.of("add", size, root)))


def _acosh(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    root = made.of("sqrt", made.of("mul", made.of("sub", x, 1), made.of("add", x, 1)))
    return made.of("log", made.of("add", x, root))


def _atanh(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    ends = made.of("log", made.of("add", 1, x)), made.of("log", made.of("sub", 1, x))
    return made.of("mul", made.of("sub", *ends), 0.5)


def _erfc(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    return made.of("sub", 1, made.of("erf", call.view(0)))


def _logit(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    if call.argument(1, "eps") is not None:
        eps = call.real(1, "eps")
        x = made.of("minimum", made.of("maximum", x, eps), 1 - eps)
    return made.of("log", made.of("div", x, made.of("sub", 1, x)))


def _logit_backward(emission: Emission, call: AtenCall) -> View:
    """Return the gradient of logit: the incoming gradient over x (1 - x), and 0 outside the eps limits."""
    made, gradient, x = formula(emission, call), call.view(0), call.view(1)
    slope = made.of("div", gradient, made.of("mul", x, made.of("sub", 1, x)))
    if call.argument(2, "eps") is None:
        return slope
    eps = call.real(2, "eps")
    inside = made.of("mul", made.of("ge", x, eps), made.of("ge", 1 - eps, x))
    return made.of("where", inside, slope, 0)


def _isinf(emission: Emission, call: AtenCall) -> View:
    x = call.view(0)
    size = Formula(emission, x.dtype or DType.F32, x.shape).of("abs", x)
    return formula(emission, call).of("eq", size, inf)


def _clamp_max(emission: Emission, call: AtenCall) -> View:
    return formula(emission, call).of("minimum", call.view(0), call.view(1))


def _logical_xor(emission: Emission, call: AtenCall) -> View:
    """Return the exclusive or: exactly one operand is nonzero."""
    left, right = (Formula(emission, DType.BOOL, each.shape).of("eq", each, 0) for each in (call.view(0), call.view(1)))
    equal = Formula(emission, DType.BOOL, call.shape).of("eq", left, right)
    return Formula(emission, DType.BOOL, call.shape).of("sub", 1, equal)


def _bitwise_xor(emission: Emission, call: AtenCall) -> View:
    if any(call.view(position).dtype is not DType.BOOL for position in (0, 1)):
        raise call.refused("bitwise operations on numbers are not supported; only those on booleans are")
    return _logical_xor(emission, call)


FUNCTIONS: Mapping[str, Handler] = {
    "expm1": _expm1,
    "exp2": _exp2,
    "tan": _tan,
    "atan": _atan,
    "asin": _asin,
    "acos": _acos,
    "atan2": _atan2,
    "sinh": _powers("sub"),
    "cosh": _powers("add"),
    "asinh": _asinh,
    "acosh": _acosh,
    "atanh": _atanh,
    "erfc": _erfc,
    "logit": _logit,
    "logit_backward": _logit_backward,
    "isinf": _isinf,
    "clamp_max": _clamp_max,
    "logical_xor": _logical_xor,
    **dict.fromkeys(("bitwise_xor", "__xor__"), _bitwise_xor),
}
