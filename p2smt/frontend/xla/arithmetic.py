"""Constant folding: element-wise computation on numbers that are known before a program runs."""

from collections.abc import Callable, Sequence

import numpy as np

from p2smt.errors import VerifyError
from p2smt.frontend.xla.known import Array, KnownNumbers, bounded, everywhere, numbers
from p2smt.frontend.xla.operators import Arithmetic, Binary, HloKind, Unary
from p2smt.frontend.xla.ssa import HloShape


def computed(
    operation: Arithmetic | HloKind, operands: Sequence[KnownNumbers], shape: HloShape, direction: str = ""
) -> KnownNumbers:
    """Return the result of an elementwise operation on known numbers, in the element type of the result."""
    # Uniform operands need one computation whatever their size, so that large constants stay cheap.
    if all(one.uniform for one in operands) and all(one.values.shape[1:] in (shape.dims, ()) for one in operands):
        with np.errstate(all="ignore"):
            number = _of_types(operation, [everywhere(one, ()).values for one in operands], direction)
        return everywhere(KnownNumbers(numbers(number, shape.kind)), shape.dims)
    values = [bounded(one).values for one in operands]
    rows = max(map(len, values))
    if rows > 1:
        values = [np.broadcast_to(one, (rows, *one.shape[1:])) for one in values]
    try:
        with np.errstate(all="ignore"):
            found = _of_types(operation, values, direction)
    except ValueError as cause:
        shapes = ", ".join(f"[{', '.join(map(str, one.shape[1:]))}]" for one in values)
        raise VerifyError(f"{operation} of constants of shapes {shapes}; the shapes must be equal") from cause
    if found.shape[1:] != shape.dims:
        raise VerifyError(
            f"{operation} of constants gives shape [{', '.join(map(str, found.shape[1:]))}], but its type is {shape}"
        )
    return KnownNumbers(numbers(found, shape.kind))


def reduced(
    operation: HloKind | Arithmetic, one: KnownNumbers, start: KnownNumbers, axes: tuple[int, ...]
) -> KnownNumbers:
    """Known numbers reduced along some dimensions."""
    over = tuple(axis + 1 for axis in axes)
    values = bounded(one).values
    first = start.values.reshape(-1, *[1] * (values.ndim - 1 - len(axes)))
    match operation:
        case HloKind.ADD:
            return KnownNumbers(values.sum(axis=over) + first)
        case Binary.AND:
            return KnownNumbers(np.logical_and(values.all(axis=over), first))
        case Binary.OR:
            return KnownNumbers(np.logical_or(values.any(axis=over), first))
        case Binary.MAXIMUM:
            return KnownNumbers(np.maximum(values.max(axis=over), first))
        case Binary.MINIMUM:
            return KnownNumbers(np.minimum(values.min(axis=over), first))
        case _:
            raise VerifyError(
                f"constants are reduced with {operation}; only add, and, or, maximum and minimum are supported"
            )


def _of_types(operation: Arithmetic | HloKind, values: Sequence[Array], direction: str) -> Array:
    """The result by numpy; VerifyError for operations that are undefined on the operands' types."""
    try:
        return _computed(operation, values, direction)
    except TypeError as cause:
        types = ", ".join(_TYPES[one.dtype.kind] for one in values)
        raise VerifyError(f"{operation} is not defined for constants of type {types}") from cause


_TYPES = {"b": "truth values", "i": "whole numbers", "f": "floating-point numbers"}


def _computed(operation: Arithmetic | HloKind, values: Sequence[Array], direction: str) -> Array:
    match operation, values:
        case Unary(), [one]:
            return _OF_ONE[operation](one)
        case Binary(), [one, other]:
            return _OF_TWO[operation](one, other)
        case HloKind(), [one, other]:
            return _of_kind(operation, direction)(one, other)
        case HloKind.CLAMP, [least, one, most]:
            return np.minimum(np.maximum(one, least), most)
        case HloKind.SELECT, [condition, one, other]:
            return np.where(condition.reshape(*condition.shape, *[1] * (one.ndim - condition.ndim)), one, other)
        case _:
            raise VerifyError(f"{operation} of {len(values)} constants is not supported")


def _of_kind(kind: HloKind, direction: str) -> Callable[[Array, Array], Array]:
    match kind:
        case HloKind.ADD:
            return np.add
        case HloKind.MULTIPLY:
            return np.multiply
        case HloKind.DIVIDE:
            return _quotient
        case HloKind.COMPARE if direction in _DIRECTIONS:
            return _DIRECTIONS[direction]
        case HloKind.COMPARE:
            raise VerifyError(f"unknown direction {direction[:20]!r}; give one of {', '.join(_DIRECTIONS)}")
        case _:
            raise VerifyError(f"{kind} of constants is not supported")


def _quotient(one: Array, other: Array) -> Array:
    if one.dtype.kind == "f" or other.dtype.kind == "f":
        return np.divide(one, other)
    _check_divisor(other)
    # XLA rounds towards zero, numpy's // towards minus infinity: divide absolute values.
    quotient = np.abs(one) // np.abs(other)
    return quotient * np.sign(one) * np.sign(other)


def _check_divisor(divisor: Array) -> None:
    if not divisor.all():
        raise VerifyError("an integer constant is divided by 0")


def _remainder(one: Array, other: Array) -> Array:
    _check_divisor(other)
    return np.fmod(one, other)


def _shifted_right(one: Array, other: Array) -> Array:
    if (one < 0).any():
        raise VerifyError("a right shift of a negative constant is not supported")
    return np.right_shift(one, other)


_OF_ONE: dict[Unary, Callable[[Array], Array]] = {
    Unary.NEGATE: np.negative,
    Unary.ABS: np.abs,
    Unary.SIGN: np.sign,
    Unary.NOT: np.invert,
}
_OF_TWO: dict[Binary, Callable[[Array, Array], Array]] = {
    Binary.SUBTRACT: np.subtract,
    Binary.REMAINDER: _remainder,
    Binary.MINIMUM: np.minimum,
    Binary.MAXIMUM: np.maximum,
    Binary.AND: np.bitwise_and,
    Binary.OR: np.bitwise_or,
    Binary.XOR: np.bitwise_xor,
    Binary.SHIFT_LEFT: np.left_shift,
    Binary.SHIFT_RIGHT: _shifted_right,
}
_DIRECTIONS: dict[str, Callable[[Array, Array], Array]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}
