"""Every move of XLA, with its operands: which view it makes, and of known numbers which numbers."""

from collections.abc import Callable, Mapping, Sequence

from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.view import View
from p2smt.frontend.xla.ssa import Instruction, Move, Shape
from p2smt.frontend.xla_ranks import moves
from p2smt.frontend.xla_ranks.elementwise import converted
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.frontend.xla_ranks.values import Tensor, dtype_of, viewed

Moving = Callable[[Emission, Instruction, Sequence[Tensor], Shape], View]


def starts_of(tensors: Sequence[Tensor]) -> list[int]:
    """Starts of a part, which have to be known."""
    found = []
    for each in tensors:
        if each.known is None:
            raise UncoveredError("where a part begins depends on data, which is not followed")
        found.append(int(each.known.single(0)))
    return found


def _convert(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    return converted(emission, viewed(emission, tensors[0]), dtype_of(shape), shape.dims)


def _reshape(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    return moves.reshaped(emission, viewed(emission, tensors[0]), shape)


def _bitcast(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    old, view = tensors[0].shape, viewed(emission, tensors[0])
    if old.row_major and shape.row_major and old.kind == shape.kind:
        return moves.reshaped(emission, view, shape)
    return moves.turned_in_memory(emission, view, old, shape)


def _broadcast(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    return moves.repeated(viewed(emission, tensors[0]), one.dims, shape)


def _transpose(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    return moves.turned(viewed(emission, tensors[0]), one.dims)


def _reverse(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    return moves.reversed_along(emission, viewed(emission, tensors[0]), one.dims)


def _slice(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    return moves.cut(emission, viewed(emission, tensors[0]), one)


def _pad(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    if len(tensors) != 2 or tensors[1].known is None or not tensors[1].known.zero:
        raise UncoveredError("padding with anything but zeros is not in the language of tensor programs")
    return moves.zeros_around(emission, viewed(emission, tensors[0]), one)


def _concatenate(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    return moves.joined(emission, [viewed(emission, each) for each in tensors], one.dims)


def _dynamic_slice(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    return moves.cut_out(emission, viewed(emission, tensors[0]), starts_of(tensors[1:]), shape)


def _dynamic_update_slice(emission: Emission, one: Instruction, tensors: Sequence[Tensor], shape: Shape) -> View:
    view, *part = [viewed(emission, each) for each in tensors[:2]]
    return moves.updated(emission, view, part[0] if part else view, starts_of(tensors[2:]))


MOVINGS: Mapping[Move, Moving] = {
    Move.RESHAPE: _reshape,
    Move.BITCAST: _bitcast,
    Move.CONVERT: _convert,
    Move.BROADCAST: _broadcast,
    Move.TRANSPOSE: _transpose,
    Move.REVERSE: _reverse,
    Move.SLICE: _slice,
    Move.PAD: _pad,
    Move.CONCATENATE: _concatenate,
    Move.DYNAMIC_SLICE: _dynamic_slice,
    Move.DYNAMIC_UPDATE_SLICE: _dynamic_update_slice,
}
