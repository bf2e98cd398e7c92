"""Formulas over views, with casts where operand types differ."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import isfinite

from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Number
from p2smt.tensor.signature import Shape

TRUTH = ("gt", "ge", "lt", "eq")
_WIDTH = (DType.BOOL, DType.I32, DType.I64, DType.F16, DType.BF16, DType.F32, DType.F64)


class Formula:
    """A writer of formulas: `of` applies one operation to operands that are views or numbers."""

    def __init__(self, emission: Emission, dtype: DType, shape: Shape) -> None:
        self._emission = emission
        self._dtype = dtype
        self._shape = shape

    def of(self, operation: str, *operands: View | float) -> View:
        """An operation whose operands are cast to one type."""
        views = [number(operand) if isinstance(operand, int | float) else operand for operand in operands]
        if operation == "where":
            condition, *rest = views
            views = [condition, *(self._cast(view, self._dtype) for view in rest)]
        elif operation in TRUTH:
            common = max(
                (view.dtype for view in views if view.dtype is not None), key=_WIDTH.index, default=self._dtype
            )
            views = [self._cast(view, common) for view in views]
        else:
            views = [self._cast(view, self._dtype) for view in views]
        short = _simplified(operation, views) if operation in ("mul", "add", "sub", "div") else None
        if short is not None and short.dtype in (None, self._dtype):
            return short.repeated(self._shape)
        dtype = DType.BOOL if operation in TRUTH else self._dtype
        return self._emission.map(operation, views, self._shape, dtype)

    def _cast(self, view: View, dtype: DType) -> View:
        if view.dtype in (dtype, None, DType.BOOL) and not (view.dtype is DType.BOOL and dtype not in FLOATS):
            return view
        if view.dtype is dtype:
            return view
        return cast(self._emission, view, dtype)


def cast(emission: Emission, view: View, dtype: DType) -> View:
    """The view cast to another element type."""
    if view.dtype in (dtype, None):
        return replace(view, dtype=dtype)
    made = emission.statement(Call("cast", (view.expression,), (str(dtype),)), dtype, view.sizes, view.groups)
    return made.repeated(view.shape)


def is_number(view: View, value: float) -> bool:
    """True if the view is this literal."""
    return isinstance(view.expression, Number) and view.expression.value == value


def _simplified(operation: str, views: Sequence[View]) -> View | None:
    """The simplified result for x * 1, x + 0, x - 0, x / 1 and literals; inexact quotients are kept."""
    left, right = views
    match left.expression, right.expression:
        case Number(first), Number(second) if operation == "div" and second != 0 and not _divides(first, second):
            return View(Call("div", (Number(first), Number(second))), (), (), None)
        case Number(first), Number(second) if operation != "div" or second != 0:
            value = {
                "add": first + second,
                "sub": first - second,
                "mul": first * second,
                "div": first / second if second else 0,
            }[operation]
            return number(value)
        case _:
            pass
    if is_number(right, 1 if operation in ("mul", "div") else 0):
        return left
    return right if operation in ("mul", "add") and is_number(left, 1 if operation == "mul" else 0) else None


def _divides(first: float, second: float) -> bool:
    quotient = first / second
    return isfinite(quotient) and Fraction(quotient) * Fraction(second) == Fraction(first)


def formula(emission: Emission, call: AtenCall) -> Formula:
    """Formulas with the shape and type of a call's result."""
    return Formula(emission, call.dtype, call.shape)
