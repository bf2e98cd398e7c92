"""Results of operations on numbers known before the program runs, such as the device's number."""

from collections.abc import Sequence

from p2smt.errors import VerifyError
from p2smt.frontend.xla.arithmetic import computed
from p2smt.frontend.xla.known import KnownNumbers, converted, picked, repeated, reshaped
from p2smt.frontend.xla.layout import sliced
from p2smt.frontend.xla.operators import Binary, HloKind, HloMove, Unary
from p2smt.frontend.xla.ssa import HloInstruction, HloShape
from p2smt.frontend.xla_ranks.moves import check_repeated, inside
from p2smt.frontend.xla_ranks.moving import starts_of
from p2smt.frontend.xla_ranks.values import DeviceTensor

_COMPUTED = (HloKind.ADD, HloKind.MULTIPLY, HloKind.DIVIDE, HloKind.COMPARE, HloKind.CLAMP, HloKind.SELECT)


def known_numbers(one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> KnownNumbers | None:
    """Return the resulting numbers; None if an operand is data, or the operation is not supported on numbers."""
    numbers = [each.known for each in tensors if each.known is not None]
    if len(numbers) < len(tensors) or not numbers:
        return None
    match one.kind:
        case Unary() | Binary():
            return computed(one.kind, numbers, shape, one.direction)
        case HloKind() as kind:
            return computed(kind, numbers, shape, one.direction) if kind in _COMPUTED else None
        case HloMove() as move:
            return _moved(one, move, tensors, numbers, shape)
        case _:
            return None


def _moved(
    one: HloInstruction,
    move: HloMove,
    tensors: Sequence[DeviceTensor],
    numbers: Sequence[KnownNumbers],
    shape: HloShape,
) -> KnownNumbers | None:
    whole = tensors[0].shape
    match move:
        case HloMove.CONVERT:
            return converted(numbers[0], shape)
        case HloMove.RESHAPE | HloMove.BITCAST if whole.size == shape.size and _in_order(move, whole, shape):
            return reshaped(numbers[0], shape.dims)
        case HloMove.BROADCAST:
            check_repeated(whole.dims, one.dims, shape)
            return repeated(numbers[0], shape.dims, one.dims)
        case HloMove.SLICE:
            return _cut(numbers[0], whole, one.ranges, shape)
        case HloMove.DYNAMIC_SLICE:
            starts = inside(starts_of(tensors[1:]), whole.dims, shape)
            ranges = [(at, at + length, 1) for at, length in zip(starts, shape.dims, strict=True)]
            return _cut(numbers[0], whole, ranges, shape)
        case _:
            return None


def _in_order(move: HloMove, old: HloShape, new: HloShape) -> bool:
    """Return True if elements keep their row-major order."""
    return move is HloMove.RESHAPE or (old.kind == new.kind and old.row_major and new.row_major)


def _cut(one: KnownNumbers, whole: HloShape, ranges: Sequence[tuple[int, int, int]], shape: HloShape) -> KnownNumbers:
    if len(ranges) != len(whole.dims):
        raise VerifyError(f"{len(ranges)} ranges for {whole}; give one for each dimension")
    cut = sliced(whole, ranges)
    if sum(count for _, count in cut) != shape.size:
        raise VerifyError(f"the result has {sum((count for _, count in cut))} elements, but its type is {shape}")
    return picked([one], [cut], shape.dims, None)
