"""Elementwise operations of XLA as calls of the language."""

from collections.abc import Callable, Mapping, Sequence

from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast, is_number
from p2smt.frontend.torch_graph.view import View
from p2smt.frontend.xla.ssa import HloInstruction
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.frontend.xla_ranks.values import FLOATS
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Read
from p2smt.tensor.signature import Shape

Elementwise = Callable[[Formula, Sequence[View], HloInstruction], View]

_ONE = {
    "negate": "neg",
    "exponential": "exp",
    "log": "log",
    "tanh": "tanh",
    "logistic": "sigmoid",
    "sqrt": "sqrt",
    "rsqrt": "rsqrt",
    "sine": "sin",
    "cosine": "cos",
    "erf": "erf",
    "abs": "abs",
    "sign": "sign",
}
_TWO = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "maximum": "maximum",
    "minimum": "minimum",
}


def _plain(operation: str) -> Elementwise:
    return lambda made, views, _: made.of(operation, *views)


def _maximum(made: Formula, views: Sequence[View], one: HloInstruction) -> View:
    """Return a maximum; a relu if one operand is 0."""
    for view, other in (views, tuple(reversed(views))):
        if is_number(other, 0) and view.dtype in FLOATS:
            return made.of("relu", view)
    return made.of("maximum", *views)


def _power(made: Formula, views: Sequence[View], one: HloInstruction) -> View:
    base, exponent = views
    if is_number(exponent, 1):
        return base
    if is_number(exponent, 2):
        return made.of("mul", base, base)
    return made.of("sqrt", base) if is_number(exponent, 0.5) else made.of("pow", base, exponent)


def _compared(made: Formula, views: Sequence[View], one: HloInstruction) -> View:
    left, right = views
    match one.direction:
        case "EQ":
            return made.of("eq", left, right)
        case "NE":
            return made.of("sub", 1, made.of("eq", left, right))
        case "LT":
            return made.of("lt", left, right)
        case "LE":
            return made.of("ge", right, left)
        case "GT":
            return made.of("gt", left, right)
        case _:
            return made.of("ge", left, right)


def _clamped(made: Formula, views: Sequence[View], one: HloInstruction) -> View:
    low, view, high = views
    return made.of("minimum", made.of("maximum", view, low), high)


ELEMENTWISE: Mapping[str, tuple[int, Elementwise]] = {
    **{name: (1, _plain(operation)) for name, operation in _ONE.items()},
    **{name: (2, _plain(operation)) for name, operation in _TWO.items()},
    "maximum": (2, _maximum),
    "power": (2, _power),
    "compare": (2, _compared),
    "clamp": (3, _clamped),
    "log-plus-one": (1, lambda made, views, _: made.of("log", made.of("add", 1, views[0]))),
    "exponential-minus-one": (1, lambda made, views, _: made.of("sub", made.of("exp", views[0]), 1)),
}
"""Number of operands and handler of each elementwise operation, by HLO's name."""


def converted(emission: Emission, view: View, dtype: DType, shape: Shape) -> View:
    """The view converted to another type."""
    if view.dtype in (dtype, None):
        return view
    if view.dtype in FLOATS and dtype not in FLOATS:
        raise UncoveredError("truncation to integers is not supported in tensor programs")
    if dtype is DType.BOOL:
        raise UncoveredError("conversion of numbers to booleans is not supported; compare them with 0")
    return cast(emission, view, dtype).repeated(shape)


def of_truths(emission: Emission, operation: str, views: Sequence[View], shape: Shape) -> View:
    """Return the and, or, or not of booleans."""
    if any(view.dtype is not DType.BOOL for view in views):
        raise UncoveredError("bitwise operations on integers are not supported; only those on booleans are")
    made = Formula(emission, DType.BOOL, shape)
    match operation:
        case "and":
            return made.of("mul", *views)
        case "or":
            return made.of("maximum", *views)
        case "not":
            return made.of("sub", 1, *views)
        case _:
            raise UncoveredError("only and, or, not of booleans are supported")


class Choices:
    """A writer of selections, some of which are single operations of the language, such as relu's gradient."""

    def __init__(self, emission: Emission) -> None:
        self._emission = emission
        self._positive: dict[str, View] = {}

    def remember(self, made: View, one: HloInstruction, views: Sequence[View]) -> None:
        """Remember that a boolean tensor marks the positive elements of another."""
        above = one.plain == "compare" and one.direction == "GT" and is_number(views[1], 0)
        if above and isinstance(made.expression, Read):
            self._positive[made.expression.name] = views[0]

    def selected(self, views: Sequence[View], dtype: DType, shape: Shape) -> View:
        """Elements of the second operand where the first is true, else of the third."""
        condition, then, otherwise = views
        of = self._positive.get(getattr(condition.expression, "name", ""))
        if of is not None and is_number(otherwise, 0) and of.shape == shape and of.dtype is dtype:
            return self._emission.map("relu_backward", (then, of), shape, dtype)
        return Formula(self._emission, dtype, shape).of("where", condition, then, otherwise)


def with_start(emission: Emission, operation: str, view: View, start: View, shape: Shape) -> View:
    """Return a reduction, combined with the initial value unless that is the neutral element."""
    neutral = {"sum": 0.0, "max": float("-inf"), "min": float("inf")}[operation]
    if start.expression == number(neutral).expression:
        return view
    joined = {"sum": "add", "max": "maximum", "min": "minimum"}[operation]
    dtype = view.dtype
    assert dtype is not None
    return Formula(emission, dtype, shape).of(joined, view, start)
