"""Arithmetic on data: sums, scaling by known numbers, and selection by known conditions."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from p2smt.errors import VerifyError
from p2smt.frontend.xla import layout
from p2smt.frontend.xla.known import KnownNumbers, fraction
from p2smt.frontend.xla.layout import Ranges
from p2smt.frontend.xla.ssa import HloInstruction, HloShape
from p2smt.frontend.xla.ssa_store import PlanBuffers
from p2smt.frontend.xla.ssa_values import ZEROS, HloTensor, Pieces, one_part, per_device, taken
from p2smt.verify.plan import BufferRange

_MOST_SEGMENTS = 4096


class LocalSums:
    """A builder of local steps; it records that a sum occurred, and the element types that were divided."""

    def __init__(self, store: PlanBuffers) -> None:
        self._store = store
        self.divides_integers = self.divides_floats = self.adds = False

    def added(self, instruction: HloInstruction, tensors: Sequence[HloTensor], number: int) -> HloTensor:
        """Emit the sum of two tensors of equal shape. Raises VerifyError without a line."""
        _check_alike(tensors, "added")
        one, other = tensors
        if isinstance(one.where, KnownNumbers) and one.where.zero:
            return HloTensor(one.shape, self._store.pieces(other))
        if isinstance(other.where, KnownNumbers) and other.where.zero:
            return HloTensor(one.shape, self._store.pieces(one))
        self.adds = True
        second = self._store.pieces(other)
        out = self._store.copied(one, instruction.name, number)
        self._store.add(second, out, number)
        return HloTensor(one.shape, one_part(out))

    def subtracted(self, instruction: HloInstruction, tensors: Sequence[HloTensor], number: int) -> HloTensor:
        """Emit the difference of two tensors of equal shape. Raises VerifyError without a line."""
        _check_alike(tensors, "subtracted")
        one, other = tensors
        if isinstance(other.where, KnownNumbers) and other.where.zero:
            return HloTensor(one.shape, self._store.pieces(one))
        minus = self.negated(instruction, other, number)
        if isinstance(one.where, KnownNumbers) and one.where.zero:
            return minus
        return self.added(instruction, (one, minus), number)

    def negated(self, instruction: HloInstruction, tensor: HloTensor, number: int) -> HloTensor:
        """Emit the negated tensor. Raises VerifyError without a line."""
        if tensor.shape.kind in ("pred", "i1"):
            raise VerifyError(f"{tensor.shape} is negated; only numbers can be negated")
        out = self._store.copied(tensor, instruction.name, number)
        self._store.charge(self._store.devices)
        self._store.builder.negate(range(self._store.devices), out, number)
        return HloTensor(tensor.shape, one_part(out))

    def summed(self, instruction: HloInstruction, tensors: Sequence[HloTensor], number: int) -> HloTensor:
        """Emit the sum along some dimensions, block by block. Raises VerifyError without a line."""
        if len(tensors) != 2 or not isinstance(tensors[1].where, KnownNumbers) or not tensors[1].where.zero:
            raise VerifyError("only a sum of one tensor with the initial value 0 is supported")
        one, axes = tensors[0].shape, instruction.dims
        if len(set(axes)) != len(axes) or any(axis >= len(one.dims) for axis in axes):
            raise VerifyError(f"dimensions {list(axes[:8])} do not exist in {one}, or occur twice")
        self.adds = True
        kept = [axis for axis in range(len(one.dims)) if axis not in axes]
        shape = HloShape(one.kind, tuple(one.dims[axis] for axis in kept))
        pieces = self._store.pieces(tensors[0])
        order = [*axes, *kept]
        if order != sorted(order):
            pieces = self._store.of_each(pieces, layout.transposed(one, order))
        out = self._store.buffer(instruction.name, shape.size)
        for block in range(one.size // shape.size):
            part = self._store.of_each(pieces, ((block * shape.size, shape.size),))
            (self._store.add if block else self._store.copy)(part, out, number)
        return HloTensor(shape, one_part(out))

    def scaled(
        self, instruction: HloInstruction, tensors: Sequence[HloTensor], divides: bool, number: int
    ) -> HloTensor:
        """Emit the product or quotient of data and known numbers. Raises VerifyError without a line."""
        _check_alike(tensors, "divided" if divides else "multiplied")
        one, other = tensors
        if isinstance(one.where, KnownNumbers) and not divides:
            one, other = other, one
        if not isinstance(other.where, KnownNumbers):
            what = "divided by data" if divides else "multiplied with each other"
            raise VerifyError(f"data is {what}; only multiplication and division by constants is supported")
        segments = self._segments(one.shape, other.where, divides)
        pieces = self._store.pieces(one)
        if all(scale in (0, 1) for row in segments for _, scale in row):
            rows = max(len(segments), len(pieces.runs))
            kept = [_kept(segments[row if len(segments) > 1 else 0]) for row in range(rows)]
            runs = [taken(pieces.of(row), ranges) for row, ranges in enumerate(kept)]
            return HloTensor(one.shape, Pieces((runs[0],)) if rows == 1 else per_device(runs))
        out = self._store.copied(one, instruction.name, number)
        self._scale(pieces, out, segments, number)
        return HloTensor(one.shape, one_part(out))

    def selected(self, tensors: Sequence[HloTensor], condition: KnownNumbers) -> HloTensor:
        """Elements of the first tensor where a condition holds, else of the second."""
        one, other = tensors
        if one.shape.dims != other.shape.dims:
            raise VerifyError(f"a select between {one.shape} and {other.shape}; the two must have the same shape")
        pieces = self._store.joined((one, other))
        size, rows = one.shape.size, max(len(condition.values), len(pieces.runs))
        ranges: list[Ranges] = []
        for device in range(rows):
            values = condition.of(device)
            if KnownNumbers(values[None]).uniform:
                ranges.append(((0 if values.flat[0] else size, size),))
            else:
                ranges.append(layout.chosen(np.broadcast_to(values, one.shape.dims).astype(np.bool_), size))
        runs = [taken(pieces.of(device), ranges[device]) for device in range(rows)]
        return HloTensor(one.shape, Pieces((runs[0],)) if rows == 1 else per_device(runs))

    def _segments(self, shape: HloShape, factors: KnownNumbers, divides: bool) -> list[list[tuple[int, Fraction]]]:
        """Return lengths and factors of runs with equal factors, per device, or once for all devices."""
        floating = shape.kind.startswith(("f", "bf"))
        if factors.uniform:
            rows = [[(shape.size, factors.values.flat[0].item())]]
        else:
            rows = [_equal_numbers(factors.of(device)) for device in range(1 if factors.alike else self._store.devices)]
        found = [[(length, fraction(value, shape.kind)) for length, value in row] for row in rows]
        if divides:
            if not all(scale for row in found for _, scale in row):
                raise VerifyError("data is divided by 0")
            found = [[(length, 1 / scale) for length, scale in row] for row in found]
        if any(scale.denominator > 1 for row in found for _, scale in row):
            self.divides_floats |= floating
            self.divides_integers |= not floating
        if self.divides_floats and self.divides_integers:
            raise VerifyError(
                "the program divides both integers and floating-point numbers; only one of the two is supported"
            )
        return found

    def _scale(self, source: Pieces, out: BufferRange, segments: list[list[tuple[int, Fraction]]], number: int) -> None:
        alike: dict[tuple[int, int, Fraction], list[int]] = {}
        for device in range(self._store.devices):
            at = 0
            for length, scale in segments[device if len(segments) > 1 else 0]:
                alike.setdefault((at, length, scale), []).append(device)
                at += length
        for (at, length, scale), devices in alike.items():
            target = BufferRange(out.buffer, out.start + at, length)
            if scale == 0:
                self._store.builder.copy(devices, self._store.builder.zero(ZEROS, length), target, number)
                continue
            self._multiply(source, at, target, devices, abs(scale.numerator), number)
            if scale < 0:
                self._store.charge(len(devices))
                self._store.builder.negate(devices, target, number)
            if scale.denominator > 1:
                self._store.charge(len(devices))
                self._store.builder.divide(devices, target, scale.denominator, number)

    def _multiply(
        self, source: Pieces, at: int, target: BufferRange, devices: list[int], times: int, number: int
    ) -> None:
        """Multiply by an integer by binary double-and-add: O(log n) additions."""
        if times == 1:
            return
        once = self._store.buffer("factor", target.length)
        self._store.copy(self._store.of_each(source, ((at, target.length),)), once, number)
        # Bits after the leading one, most significant first: 5 = 0b101 doubles, doubles, adds once.
        for bit in bin(times)[3:]:
            self._store.charge(2 * len(devices))
            self._store.builder.add(devices, target, target, number)
            if bit == "1":
                self._store.builder.add(devices, once, target, number)


def _check_alike(tensors: Sequence[HloTensor], what: str) -> None:
    if len({t.shape.dims for t in tensors}) != 1 or len(tensors) != 2 or tensors[0].shape.kind in ("pred", "i1"):
        raise VerifyError(
            f"{', '.join(str(t.shape) for t in tensors[:8])} cannot be {what}; only two numeric tensors "
            "of one shape can"
        )


def _equal_numbers(values: "np.ndarray[tuple[int, ...], np.dtype[np.generic]]") -> list[tuple[int, float]]:
    """Lengths and values of runs of equal numbers."""
    flat = values.reshape(-1)
    firsts = [0, *(np.flatnonzero(flat[1:] != flat[:-1]) + 1).tolist()]
    if len(firsts) > _MOST_SEGMENTS:
        raise VerifyError(f"data is multiplied by more than {_MOST_SEGMENTS} different constants, the limit")
    ends = [*firsts[1:], flat.size]
    return [(end - first, flat[first].item()) for first, end in zip(firsts, ends, strict=True)]


def _kept(row: list[tuple[int, Fraction]]) -> Ranges:
    """Return the ranges of elements, with zeros (-1) where the factor is 0."""
    found: list[tuple[int, int]] = []
    at = 0
    for length, scale in row:
        found.append((at if scale else -1, length))
        at += length
    return tuple(found)
