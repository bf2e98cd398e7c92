"""Lowering of XLA's data movement: on views for data, directly for known numbers."""

from collections.abc import Callable, Mapping, Sequence

from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.view import View
from p2smt.frontend.xla.operators import HloMove
from p2smt.frontend.xla.ssa import HloInstruction, HloShape
from p2smt.frontend.xla_ranks import moves
from p2smt.frontend.xla_ranks.elementwise import converted
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.frontend.xla_ranks.values import DeviceTensor, dtype_of, viewed

Moving = Callable[[Emission, HloInstruction, Sequence[DeviceTensor], HloShape], View]


def starts_of(tensors: Sequence[DeviceTensor]) -> list[int]:
    """Return the start indices of a part; they must be known before the program runs."""
    found = []
    for each in tensors:
        if each.known is None:
            raise UncoveredError("a start index that depends on data is not supported")
        found.append(int(each.known.single(0)))
    return found


def _convert(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    return converted(emission, viewed(emission, tensors[0]), dtype_of(shape), shape.dims)


def _reshape(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    return moves.reshaped(emission, viewed(emission, tensors[0]), shape)


def _bitcast(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    old, view = tensors[0].shape, viewed(emission, tensors[0])
    if old.row_major and shape.row_major and old.kind == shape.kind:
        return moves.reshaped(emission, view, shape)
    return moves.turned_in_memory(emission, view, old, shape)


def _broadcast(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    return moves.repeated(viewed(emission, tensors[0]), one.dims, shape)


def _transpose(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    return moves.turned(viewed(emission, tensors[0]), one.dims)


def _reverse(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    return moves.reversed_along(emission, viewed(emission, tensors[0]), one.dims)


def _slice(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    return moves.cut(emission, viewed(emission, tensors[0]), one)


def _pad(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    if len(tensors) != 2 or tensors[1].known is None or not tensors[1].known.zero:
        raise UncoveredError("padding with anything but zeros is not supported in tensor programs")
    return moves.zeros_around(emission, viewed(emission, tensors[0]), one)


def _concatenate(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    return moves.joined(emission, [viewed(emission, each) for each in tensors], one.dims)


def _dynamic_slice(emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
    return moves.cut_out(emission, viewed(emission, tensors[0]), starts_of(tensors[1:]), shape)


def _dynamic_update_slice(
    emission: Emission, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape
) -> View:
    view, *part = [viewed(emission, each) for each in tensors[:2]]
    return moves.updated(emission, view, part[0] if part else view, starts_of(tensors[2:]))


MOVINGS: Mapping[HloMove, Moving] = {
    HloMove.RESHAPE: _reshape,
    HloMove.BITCAST: _bitcast,
    HloMove.CONVERT: _convert,
    HloMove.BROADCAST: _broadcast,
    HloMove.TRANSPOSE: _transpose,
    HloMove.REVERSE: _reverse,
    HloMove.SLICE: _slice,
    HloMove.PAD: _pad,
    HloMove.CONCATENATE: _concatenate,
    HloMove.DYNAMIC_SLICE: _dynamic_slice,
    HloMove.DYNAMIC_UPDATE_SLICE: _dynamic_update_slice,
}
