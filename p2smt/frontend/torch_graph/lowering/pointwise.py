"""Pointwise operations, and operations composed of them."""

from collections.abc import Mapping
from math import frexp, log

from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.lowering.formula import TRUTH, Formula, cast, formula, is_number
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Number
from p2smt.tensor.signature import Shape


def _plain(operation: str, operands: int) -> Handler:
    def lowered(emission: Emission, call: AtenCall) -> View:
        return formula(emission, call).of(operation, *(call.view(position) for position in range(operands)))

    return lowered


def _scaled(operation: str) -> Handler:
    """Return a handler for an operation whose second operand is multiplied by `alpha`."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        if call.dtype is DType.BOOL:
            raise call.refused("boolean operands are not supported; cast them to a number first")
        made = formula(emission, call)
        left, right = call.view(0), call.view(1)
        alpha = call.real(2, "alpha", 1.0)
        if alpha != 1:
            right = Formula(emission, call.dtype, right.shape).of("mul", right, alpha)
        if operation == "rsub":
            return made.of("sub", right, left)
        return made.of(operation, left, right)

    return lowered


def _ne(emission: Emission, call: AtenCall) -> View:
    return _not(emission, call.shape, formula(emission, call).of("eq", call.view(0), call.view(1)))


def _not(emission: Emission, shape: Shape, truth: View) -> View:
    return Formula(emission, DType.BOOL, shape).of("sub", 1, truth)


def _logical_not(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    if view.dtype is DType.BOOL:
        return _not(emission, call.shape, view)
    return formula(emission, call).of("eq", view, 0)


def _le(emission: Emission, call: AtenCall) -> View:
    return formula(emission, call).of("ge", call.view(1), call.view(0))


def _of_truths(operation: str, *, logical: bool = False) -> Handler:
    """Return a handler for boolean operands; a `logical` operation treats nonzero numbers as true."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        left, right = call.view(0), call.view(1)
        if logical:
            left, right = _truth(emission, left), _truth(emission, right)
        if left.dtype is not DType.BOOL or right.dtype is not DType.BOOL:
            raise call.refused("bitwise operations on numbers are not supported; only those on booleans are")
        return emission.map(operation, (left, right), call.shape, DType.BOOL)

    return lowered


def _truth(emission: Emission, view: View) -> View:
    if view.dtype is DType.BOOL:
        return view
    return _not(emission, view.shape, Formula(emission, DType.BOOL, view.shape).of("eq", view, 0))


def _div(emission: Emission, call: AtenCall) -> View:
    if (mode := call.argument(2, "rounding_mode")) is not None:
        return _divided(emission, call, mode == "floor")
    return formula(emission, call).of("div", call.view(0), call.view(1))


def _divided(emission: Emission, call: AtenCall, down: bool) -> View:
    """Return an integer quotient, rounded towards 0 or down; for 64-bit integers it is exact up to 2^53.

    Floating-point operands are supported only with a power of two as divisor: other quotients are rounded first,
    possibly to the next integer.
    """
    left, right = call.view(0), call.view(1)
    if any(view.dtype in FLOATS for view in (left, right)) or call.dtype in FLOATS:
        if not _is_power_of_two(right):
            raise call.refused(
                "rounding division of floating-point numbers is not supported, unless it is by a power of two; "
                "divide, and use torch.floor or torch.trunc"
            )
        quotient = formula(emission, call).of("div", left, right)
        return _down(emission, formula(emission, call), quotient) if down else _cut(emission, quotient)
    exact = Formula(emission, DType.F64, call.shape).of("div", left, right)
    quotient = cast(emission, exact, call.dtype)
    if not down:
        return quotient
    over = Formula(emission, DType.BOOL, call.shape).of("gt", cast(emission, quotient, DType.F64), exact)
    made = formula(emission, call)
    return made.of("where", over, made.of("sub", quotient, 1), quotient)


def _is_power_of_two(view: View) -> bool:
    value = view.expression.value if isinstance(view.expression, Number) else 0
    return abs(frexp(value)[0]) == 0.5


def _floor_divide(emission: Emission, call: AtenCall) -> View:
    return _divided(emission, call, down=True)


def _remainder(emission: Emission, call: AtenCall) -> View:
    """The remainder, with the sign of the divisor."""
    made = formula(emission, call)
    return made.of("sub", call.view(0), made.of("mul", _divided(emission, call, down=True), call.view(1)))


def _pow(emission: Emission, call: AtenCall) -> View:
    made, base, exponent = formula(emission, call), call.view(0), call.view(1)
    if is_number(exponent, 0):
        return number(1).repeated(call.shape)
    if is_number(exponent, 1):
        return base
    if is_number(exponent, 2):
        return made.of("mul", base, base)
    if is_number(exponent, 0.5):
        return made.of("sqrt", base)
    return made.of("pow", base, exponent)


def _clamp(emission: Emission, call: AtenCall) -> View:
    made, view = formula(emission, call), call.view(0)
    low, high = call.maybe(1, "min"), call.maybe(2, "max")
    if low is not None:
        view = made.of("maximum", view, low)
    return view if high is None else made.of("minimum", view, high)


def _reciprocal(emission: Emission, call: AtenCall) -> View:
    return formula(emission, call).of("div", 1, call.view(0))


def _log1p(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    return made.of("log", made.of("add", 1, call.view(0)))


def _where(emission: Emission, call: AtenCall) -> View:
    return formula(emission, call).of("where", *(call.view(position) for position in range(3)))


def _masked_fill(emission: Emission, call: AtenCall) -> View:
    return formula(emission, call).of("where", call.view(1), call.view(2), call.view(0))


def _added(operation: str) -> Handler:
    """Return a handler for the first operand plus a multiple of the product or quotient of the others."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        made = formula(emission, call)
        other = made.of(operation, call.view(1), call.view(2))
        return made.of("add", call.view(0), made.of("mul", other, call.real(3, "value", 1.0)))

    return lowered


def _lerp(emission: Emission, call: AtenCall) -> View:
    made, start = formula(emission, call), call.view(0)
    return made.of("add", start, made.of("mul", made.of("sub", call.view(1), start), call.view(2)))


def _cast(emission: Emission, call: AtenCall) -> View:
    view, dtype = call.view(0), call.dtype
    if view.dtype is dtype:
        return view
    if dtype is DType.BOOL:
        return _not(emission, call.shape, formula(emission, call).of("eq", view, 0))
    return cast(emission, view, dtype)


def _logarithm(base: float) -> Handler:
    def lowered(emission: Emission, call: AtenCall) -> View:
        made = formula(emission, call)
        return made.of("div", made.of("log", call.view(0)), log(base))

    return lowered


def _xlogy(emission: Emission, call: AtenCall) -> View:
    made, x = formula(emission, call), call.view(0)
    return made.of("where", made.of("eq", x, 0), 0, made.of("mul", x, made.of("log", call.view(1))))


def _isnan(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    return _not(emission, call.shape, formula(emission, call).of("eq", view, view))


def _copy(emission: Emission, call: AtenCall) -> View:
    return cast(emission, call.view(1), call.dtype).repeated(call.shape)


def _down(emission: Emission, made: Formula, view: View) -> View:
    """Return the floor: the truncated value, less one where truncation increased it."""
    whole = cast(emission, cast(emission, view, DType.I64), view.dtype or DType.F32)
    return made.of("where", made.of("gt", whole, view), made.of("sub", whole, 1), whole)


def _floor(emission: Emission, call: AtenCall) -> View:
    return _down(emission, formula(emission, call), call.view(0))


def _ceil(emission: Emission, call: AtenCall) -> View:
    made = formula(emission, call)
    return made.of("neg", _down(emission, made, made.of("neg", call.view(0))))


def _trunc(emission: Emission, call: AtenCall) -> View:
    return _cut(emission, call.view(0))


def _cut(emission: Emission, view: View) -> View:
    """Return the value truncated towards 0."""
    return cast(emission, cast(emission, view, DType.I64), view.dtype or DType.F32)


def _round(emission: Emission, call: AtenCall) -> View:
    """Return the nearest integer; halves go to even."""
    made, view = formula(emission, call), call.view(0)
    above = _down(emission, made, made.of("add", view, 0.5))
    even = made.of("mul", _down(emission, made, made.of("mul", above, 0.5)), 2)
    is_odd = made.of("eq", made.of("sub", above, even), 1)
    is_between = made.of("eq", made.of("sub", above, view), 0.5)
    return made.of("where", made.of("mul", is_odd, is_between), made.of("sub", above, 1), above)


def _log_of_sum(emission: Emission, call: AtenCall) -> View:
    """Return log(exp(a) + exp(b)) as max(a, b) + log(1 + exp(-|a - b|)), without overflow."""
    made, left, right = formula(emission, call), call.view(0), call.view(1)
    below = made.of("exp", made.of("neg", made.of("abs", made.of("sub", left, right))))
    return made.of("add", made.of("maximum", left, right), made.of("log", made.of("add", 1, below)))


_SAME = ("neg", "sqrt", "rsqrt", "exp", "log", "tanh", "sigmoid", "silu", "relu", "erf", "abs", "sign", "sin", "cos")
POINTWISE: Mapping[str, Handler] = {
    **{name: _plain(name, 1) for name in _SAME},
    **{name: _plain(name, 2) for name in ("mul", "maximum", "minimum", *TRUTH, "tanh_backward")},
    "sgn": _plain("sign", 1),
    "add": _scaled("add"),
    "sub": _scaled("sub"),
    "rsub": _scaled("rsub"),
    "div": _div,
    "ne": _ne,
    "le": _le,
    "logical_not": _logical_not,
    "bitwise_not": _logical_not,
    **dict.fromkeys(("bitwise_and", "__and__"), _of_truths("mul")),
    **dict.fromkeys(("bitwise_or", "__or__"), _of_truths("maximum")),
    "logical_and": _of_truths("mul", logical=True),
    "logical_or": _of_truths("maximum", logical=True),
    "floor_divide": _floor_divide,
    "remainder": _remainder,
    "pow": _pow,
    "clamp": _clamp,
    "clamp_min": _clamp,
    "reciprocal": _reciprocal,
    "log1p": _log1p,
    "log2": _logarithm(2),
    "log10": _logarithm(10),
    "xlogy": _xlogy,
    "isnan": _isnan,
    "copy": _copy,
    "where": _where,
    "masked_fill": _masked_fill,
    "addcmul": _added("mul"),
    "addcdiv": _added("div"),
    "lerp": _lerp,
    "_to_copy": _cast,
    "to": _cast,
    "floor": _floor,
    "ceil": _ceil,
    "trunc": _trunc,
    "round": _round,
    "logaddexp": _log_of_sum,
}
