"""Numbers known before a program runs: constants, and results computed from them and the device's number.

Integers wrap around as their type does; floating-point numbers are kept in double precision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2smt.errors import VerifyError
from p2smt.frontend.xla.layout import Ranges
from p2smt.frontend.xla.ssa import HloShape

Array: TypeAlias = NDArray[np.int64 | np.float64 | np.bool_]

MOST_KNOWN = 2**20
"""The most known numbers that elementwise computation handles, over all devices."""

_MOST_DIVISOR = 2**16
_EXACT_BITS = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}


@dataclass(frozen=True, slots=True, eq=False)
class KnownNumbers:
    """Known numbers per device, with shape [device, *dimensions]; a single row if all devices have the same."""

    values: Array

    @property
    def alike(self) -> bool:
        """True if all devices have the same numbers."""
        values = apart(self.values)
        return len(values) == 1 or bool((values == values[:1]).all())

    @property
    def uniform(self) -> bool:
        """True if every element of every device is the same number."""
        values = apart(self.values)
        return values.size == 1 or bool((values == values.flat[0]).all())

    @property
    def zero(self) -> bool:
        """True if all numbers are 0."""
        return not self.values.flat[0] and self.uniform

    def of(self, device: int) -> Array:
        """The numbers of a device."""
        row: Array = self.values[device if len(self.values) > 1 else 0]
        return row

    def single(self, device: int) -> int | float:
        """Return the number that all elements of a device equal. Raises VerifyError if elements differ."""
        values = apart(self.of(device))
        first = values.flat[0]
        if values.size > 1 and bool((values != first).any()):
            raise VerifyError("expected a scalar constant, found several numbers")
        return float(first) if values.dtype.kind == "f" else int(first)


def apart(values: Array) -> Array:
    """The array reduced to index 0 along dimensions that are broadcast (stride 0).

    >>> apart(np.broadcast_to(np.asarray([[1], [2]]), (2, 1000))).shape
    (2, 1)
    """
    # A stride of 0 is a broadcast dimension: all its elements are one place in memory.
    row: Array = values[tuple(slice(None) if stride else slice(0, 1) for stride in values.strides)]
    return row


def from_bytes(word: str, kind: str) -> tuple[str, ...]:
    """Return the numbers, as words, that `"0x..."` encodes in a type, byte by byte."""
    try:
        data = bytes.fromhex(word.strip('"').removeprefix("0x"))
        if kind == "bf16":
            # bfloat16 is the upper half of a float32; numpy has no type for it.
            data, kind = b"".join(b"\0\0" + data[at : at + 2] for at in range(0, len(data), 2)), "f32"
        letter, bits = ("u", kind[2:]) if kind.startswith("ui") else (kind[:1], kind[1:])
        found = np.frombuffer(data, np.dtype(f"<{letter}{int(bits) // 8}"))
    except (ValueError, TypeError) as cause:
        raise VerifyError(f"{word[:60]} are not numbers of type {kind[:20]!r}") from cause
    return tuple(repr(number) for number in found.tolist())


def everywhere(one: KnownNumbers, dims: tuple[int, ...]) -> KnownNumbers:
    """Return the first number of `one`, broadcast to these dimensions, on all devices."""
    return KnownNumbers(np.broadcast_to(one.values[(0,) * one.values.ndim], (1, *dims)))


def constant(words: Sequence[str], shape: HloShape) -> KnownNumbers:
    """Return the numbers of a constant, written as words between brackets; a single number is broadcast.

    Raises VerifyError for words that are not numbers, or if their count does not fit the shape.
    """
    values = [_number(word, shape) for word in words if word not in ("{", "}", "[", "]", ",", "(", ")", "<", ">")]
    if len(values) == 1:
        return KnownNumbers(np.broadcast_to(numbers(np.asarray(values), shape.kind)[0], (1, *shape.dims)))
    if len(values) != shape.size:
        raise VerifyError(f"the constant has {len(values)} numbers for {shape}; give one, or one for each element")
    return KnownNumbers(numbers(np.asarray(values), shape.kind).reshape(1, *shape.dims))


def iota(shape: HloShape, axis: int) -> KnownNumbers:
    """0, 1, 2, ... along one dimension."""
    if axis >= len(shape.dims) or shape.dims[axis] > MOST_KNOWN:
        raise VerifyError(
            f"iota along dimension {axis} of {shape}; the dimension must exist, with a length of at most {MOST_KNOWN}"
        )
    counted = np.arange(shape.dims[axis]).reshape([-1 if place == axis else 1 for place in range(len(shape.dims))])
    return KnownNumbers(np.broadcast_to(numbers(counted, shape.kind), (1, *shape.dims)))


def numbered(own: Sequence[int], shape: HloShape) -> KnownNumbers:
    """Return one given number per device, as a scalar of this type."""
    return KnownNumbers(numbers(np.asarray(own), shape.kind))


def converted(one: KnownNumbers, shape: HloShape) -> KnownNumbers:
    """The numbers converted to another type."""
    if one.uniform:
        return everywhere(KnownNumbers(numbers(one.values[(slice(0, 1),) * one.values.ndim], shape.kind)), shape.dims)
    return KnownNumbers(numbers(bounded(one).values, shape.kind))


def fraction(value: float, kind: str) -> Fraction:
    """Return the simplest fraction that rounds to the number in its type: 1/3 for the f32 nearest to it.

    Raises VerifyError for infinity, and if there is no such fraction with a denominator of at most 2^16.

    >>> fraction(0.125, "f32"), fraction(-0.3333333432674408, "f32"), fraction(0.333984375, "bf16")
    (Fraction(1, 8), Fraction(-1, 3), Fraction(1, 3))
    """
    if value < 0:
        return -fraction(-value, kind)
    if not value < float("inf"):
        raise VerifyError(f"data is multiplied by {value}, which is not finite; only fractions are supported")
    exact, bits = Fraction(value), _EXACT_BITS.get(kind, 53)
    # Of few bits every number is itself such a fraction: first those that its bits can tell from each other.
    limits = min(2 ** (bits - 2), _MOST_DIVISOR), _MOST_DIVISOR
    near = (exact.limit_denominator(limit) for limit in limits)
    # Within half a unit in the last place of the type: then the fraction is what was rounded to this number.
    simple = next((each for each in near if abs(each - exact) * 2**bits <= exact), None)
    if simple is None or simple.numerator > _MOST_DIVISOR:
        raise VerifyError(
            f"data is multiplied by {value}; only fractions with numerator and denominator up to "
            f"{_MOST_DIVISOR} are supported"
        )
    return simple


def reshaped(one: KnownNumbers, dims: tuple[int, ...]) -> KnownNumbers:
    """The numbers in another shape."""
    return everywhere(one, dims) if one.uniform else KnownNumbers(one.values.reshape(len(one.values), *dims))


def repeated(one: KnownNumbers, dims: tuple[int, ...], axes: Sequence[int]) -> KnownNumbers:
    """The numbers broadcast: dimension `i` becomes dimension `axes[i]` of the result."""
    order = sorted(range(len(axes)), key=lambda place: axes[place])
    wide = [1] * len(dims)
    for place in order:
        wide[axes[place]] = one.values.shape[1 + place]
    turned = one.values.transpose([0, *(1 + place for place in order)])
    return KnownNumbers(np.broadcast_to(turned.reshape(len(turned), *wide), (len(turned), *dims)))


def picked(
    operands: Sequence[KnownNumbers], ranges: Sequence[Ranges], dims: tuple[int, ...], fill: KnownNumbers | None
) -> KnownNumbers:
    """Return ranges of the operands' elements, concatenated; per device if there are several lists of ranges."""
    rows = max(len(ranges), *(len(one.values) for one in operands))
    held = [bounded(one).values.reshape(len(one.values), -1) for one in operands]
    together = np.concatenate([np.broadcast_to(one, (rows, one.shape[1])) for one in held], axis=1)
    found: list[Array] = []
    for row in range(rows):
        index = _indices(ranges[row if len(ranges) > 1 else 0])
        value = fill.single(row) if fill is not None else 0
        found.append(np.where(index < 0, value, together[row, index]).astype(together.dtype))
    return KnownNumbers(np.stack(found).reshape(rows, *dims))


def _indices(ranges: Ranges) -> NDArray[np.int64]:
    if sum(count for _, count in ranges) > MOST_KNOWN:
        raise VerifyError(f"more than {MOST_KNOWN} elements of constants are moved, the limit")
    return np.concatenate(
        [np.arange(first, first + count) if first >= 0 else np.full(count, -1) for first, count in ranges]
    )


def bounded(one: KnownNumbers) -> KnownNumbers:
    """Return the numbers unchanged; raises VerifyError if there are too many for elementwise computation."""
    if one.values.size > MOST_KNOWN:
        raise VerifyError(f"an operation on a constant of {one.values.size} elements; the limit is {MOST_KNOWN}")
    return one


def numbers(values: Array, kind: str) -> Array:
    """Return the numbers as values of a type; integers wrap around."""
    if kind in ("pred", "i1"):
        return values.astype(np.bool_)
    if kind.startswith(("f", "bf")):
        return values.astype(np.float64)
    signed, bits = not kind.startswith("u"), kind.lstrip("usi")
    width = int(bits) if bits in ("2", "4", "8", "16", "32", "64") else 0
    if not width:
        raise VerifyError(f"constants of type {kind[:20]!r} are not supported")
    whole = values.astype(np.int64)
    if width == 64:
        if not signed and (whole < 0).any():
            raise VerifyError(f"a constant of type {kind} is 2^63 or more, which is not supported")
        return whole
    # Two's complement: the lower bits, of which the highest counts negative for signed types.
    rest = whole & ((1 << width) - 1)
    return np.where(rest >> (width - 1) == 1, rest - (1 << width), rest) if signed else rest


def _number(word: str, shape: HloShape) -> float:
    if word in ("true", "false"):
        return word == "true"
    try:
        if shape.kind.startswith(("f", "bf")):
            return _bits(word, shape.kind) if word.startswith("0x") else float(word)
        value = int(word[:24])
    except ValueError as cause:
        raise VerifyError(f"{word[:60]!r} is not a number of type {shape.kind}") from cause
    if not -(2**63) <= value < 2**63:
        raise VerifyError(f"{word[:60]} does not fit into 64 bits")
    return value


def _bits(word: str, kind: str) -> float:
    """A floating-point number from its bits, such as `0xFF800000`, MLIR's notation for infinity."""
    if kind == "bf16":
        word, kind = word + "0000", "f32"
    data = bytes.fromhex(word[2:])
    if kind != f"f{8 * len(data)}" or len(data) not in (2, 4, 8):
        raise ValueError(word)
    return float(np.frombuffer(data, np.dtype(f">f{len(data)}"))[0])
