"""Data movement in programs: slices, transposes, broadcasts, concatenations."""

from collections.abc import Callable, Sequence

from p2smt.errors import VerifyError
from p2smt.frontend.xla import layout
from p2smt.frontend.xla.known import KnownNumbers, converted, everywhere, picked, repeated, reshaped
from p2smt.frontend.xla.layout import Ranges
from p2smt.frontend.xla.operators import HloMove
from p2smt.frontend.xla.ssa import HloInstruction, HloShape
from p2smt.frontend.xla.ssa_store import PlanBuffers
from p2smt.frontend.xla.ssa_values import HloTensor, Pieces, per_device, taken


def known_operand(tensor: HloTensor, what: str) -> KnownNumbers:
    """The numbers of an operand that must be known. Raises VerifyError if it is data."""
    if not isinstance(tensor.where, KnownNumbers):
        raise VerifyError(
            f"{what} depends on data; it must be a constant, or computed from constants and the device's number"
        )
    return tensor.where


def _renamed(
    store: PlanBuffers, instruction: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape
) -> HloTensor:
    """Return a reshape or bitcast: the same elements with another type; a bitcast keeps memory order."""
    tensor, kind = tensors[0], instruction.kind
    old = tensor.shape
    if old.size != shape.size:
        raise VerifyError(f"{old} is reshaped to {shape}, which has another number of elements")
    if kind is HloMove.BITCAST and old.kind != shape.kind:
        raise VerifyError(f"{old} is reinterpreted as {shape}; a bitcast to another type is not supported")
    turns = (old.dims, old.layout) != (shape.dims, shape.layout) and not (old.row_major and shape.row_major)
    if kind is HloMove.BITCAST and turns:
        return _taken(store, [tensor], lambda: layout.turned(old, shape), shape)
    if isinstance(tensor.where, KnownNumbers):
        one = converted(tensor.where, shape) if kind is HloMove.CONVERT else tensor.where
        return HloTensor(shape, reshaped(one, shape.dims))
    if kind is HloMove.CONVERT and not (_floating(old) and _floating(shape)) and old.kind != shape.kind:
        raise VerifyError(f"{old} is converted to {shape}; only conversions between floating-point types are supported")
    return HloTensor(shape, tensor.where)


def _repeated(
    store: PlanBuffers, instruction: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape
) -> HloTensor:
    tensor, dims = tensors[0], instruction.dims
    old = tensor.shape
    if len(set(dims)) != len(dims) or len(dims) != len(old.dims) or any(axis >= len(shape.dims) for axis in dims):
        raise VerifyError(
            f"{old} is broadcast to {shape} along dimensions {list(dims[:8])}; give each dimension of the "
            "operand its own"
        )
    if any(old.dims[place] not in (1, shape.dims[axis]) for place, axis in enumerate(dims)):
        raise VerifyError(
            f"{old} is broadcast to {shape} along dimensions {list(dims[:8])}; each size must stay the same, or be 1"
        )
    if isinstance(tensor.where, KnownNumbers):
        return HloTensor(shape, repeated(tensor.where, shape.dims, dims))
    return _taken(store, [tensor], lambda: layout.repeated(old, shape, dims), shape)


def _padded(
    store: PlanBuffers, instruction: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape
) -> HloTensor:
    if len(tensors) != 2:
        raise VerifyError(f"{len(tensors)} operands; a pad takes a tensor and the padding value")
    one, fill = tensors[0], known_operand(tensors[1], "what it is padded with")
    _check_count(one, instruction.ranges)
    if not isinstance(one.where, KnownNumbers) and not fill.zero:
        raise VerifyError("padding with a number other than 0 is not supported")
    return _taken(store, [one], lambda: layout.padded(one.shape, instruction.ranges), shape, fill)


def _turned(
    store: PlanBuffers, instruction: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape
) -> HloTensor:
    one, order = tensors[0].shape, instruction.dims
    if sorted(order) != list(range(len(one.dims))):
        raise VerifyError(f"{list(order[:8])} is not a permutation of the dimensions of {one}")
    return _taken(store, tensors, lambda: layout.transposed(one, order), shape)


def _reversed(
    store: PlanBuffers, instruction: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape
) -> HloTensor:
    one, axes = tensors[0].shape, instruction.dims
    if any(axis >= len(one.dims) for axis in axes):
        raise VerifyError(f"dimensions {list(axes[:8])} do not exist in {one}, or occur twice")
    return _taken(store, tensors, lambda: layout.reversed_along(one, axes), shape)


def _sliced(
    store: PlanBuffers, instruction: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape
) -> HloTensor:
    one = tensors[0]
    _check_count(one, instruction.ranges)
    return _taken(store, tensors, lambda: layout.sliced(one.shape, instruction.ranges), shape)


def _joined(
    store: PlanBuffers, instruction: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape
) -> HloTensor:
    one = tensors[0]
    axis = instruction.dims[0] if len(instruction.dims) == 1 else len(one.shape.dims)
    if any(_without(other, axis) != _without(one, axis) for other in tensors):
        shapes = ", ".join(str(tensor.shape) for tensor in tensors[:8])
        raise VerifyError(f"{shapes} are concatenated along dimension {axis}; all other sizes must be equal")
    return _taken(store, tensors, lambda: layout.joined([tensor.shape for tensor in tensors], axis), shape)


def _cut_out(store: PlanBuffers, _: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape) -> HloTensor:
    """Return a dynamic slice; as in XLA, its start is clamped so that it lies inside the tensor."""
    one, *starts = tensors
    corners = _corners(store, one.shape, shape, starts)
    ranges = [
        layout.sliced(one.shape, [(at, at + size, 1) for at, size in zip(corner, shape.dims, strict=True)])
        for corner in corners
    ]
    return _per_device(store, [one], ranges, shape)


def _updated(store: PlanBuffers, _: HloInstruction, tensors: Sequence[HloTensor], shape: HloShape) -> HloTensor:
    """Return a dynamic update; as in XLA, its start is clamped so that it lies inside the tensor."""
    if len(tensors) < 2:
        raise VerifyError(
            f"{len(tensors)} operands; a dynamic-update-slice takes a tensor, the update, and start indices"
        )
    one, part, *starts = tensors
    corners = _corners(store, one.shape, part.shape, starts)
    return _per_device(store, [one, part], [layout.updated(one.shape, part.shape, at) for at in corners], shape)


def _corners(store: PlanBuffers, whole: HloShape, part: HloShape, starts: Sequence[HloTensor]) -> list[tuple[int, ...]]:
    """Return the start of a part in a tensor on every device; one entry if all are equal."""
    fits = len(part.dims) == len(whole.dims) and all(
        size <= room for size, room in zip(part.dims, whole.dims, strict=True)
    )
    if not fits:
        raise VerifyError(f"a slice {part} does not fit into {whole}")
    if len(starts) == 1 and starts[0].shape.dims == (len(whole.dims),) and len(whole.dims) > 1:
        raise VerifyError("the start indices are one operand; give a scalar operand for each dimension")
    if len(starts) != len(whole.dims):
        raise VerifyError(f"{len(starts)} start indices for {whole}; give one for each dimension")
    known = [known_operand(start, "the index of a part") for start in starts]
    alike = all(one.alike for one in known)
    room = [size - length for size, length in zip(whole.dims, part.dims, strict=True)]
    return [
        tuple(min(max(int(one.single(device)), 0), most) for one, most in zip(known, room, strict=True))
        for device in range(1 if alike else store.devices)
    ]


def _taken(
    store: PlanBuffers,
    tensors: Sequence[HloTensor],
    ranges: Callable[[], Ranges],
    shape: HloShape,
    fill: KnownNumbers | None = None,
) -> HloTensor:
    """Return ranges of tensors, concatenated; `ranges` is not evaluated if all elements are equal."""
    known = [tensor.where for tensor in tensors if isinstance(tensor.where, KnownNumbers)]
    numbers = [*known, *([] if fill is None else [fill])]
    alike = len(known) == len(tensors) and all(one.uniform for one in numbers)
    if alike and len({one.single(0) for one in numbers}) == 1:
        return HloTensor(shape, everywhere(known[0], shape.dims))
    return _per_device(store, tensors, [ranges()], shape, fill)


def _per_device(
    store: PlanBuffers,
    tensors: Sequence[HloTensor],
    ranges: Sequence[Ranges],
    shape: HloShape,
    fill: KnownNumbers | None = None,
) -> HloTensor:
    """Return ranges of tensors, concatenated, where the ranges may differ by device."""
    if sum(count for _, count in ranges[0]) != shape.size:
        raise VerifyError(f"the result has {sum((count for _, count in ranges[0]))} elements, but its type is {shape}")
    known = [tensor.where for tensor in tensors if isinstance(tensor.where, KnownNumbers)]
    if len(known) == len(tensors):
        return HloTensor(shape, picked(known, ranges, shape.dims, fill))
    pieces = store.joined(tuple(tensors))
    rows = max(len(ranges), len(pieces.runs))
    runs = [taken(pieces.of(row), ranges[row if len(ranges) > 1 else 0]) for row in range(rows)]
    return HloTensor(shape, per_device(runs) if rows > 1 else Pieces((runs[0],)))


def _check_count(tensor: HloTensor, ranges: Sequence[tuple[int, int, int]]) -> None:
    if len(ranges) != len(tensor.shape.dims):
        raise VerifyError(f"{len(ranges)} ranges for {tensor.shape}; give one for each dimension")


def _without(tensor: HloTensor, axis: int) -> tuple[int, ...]:
    dims = tensor.shape.dims
    if axis >= len(dims):
        raise VerifyError(f"{tensor.shape} has no dimension {axis} to concatenate along")
    return (*dims[:axis], -1, *dims[axis + 1 :])


def _floating(shape: HloShape) -> bool:
    return shape.kind.startswith(("f", "bf"))


MOVES: dict[HloMove, Callable[[PlanBuffers, HloInstruction, Sequence[HloTensor], HloShape], HloTensor]] = {
    HloMove.RESHAPE: _renamed,
    HloMove.BITCAST: _renamed,
    HloMove.CONVERT: _renamed,
    HloMove.BROADCAST: _repeated,
    HloMove.TRANSPOSE: _turned,
    HloMove.REVERSE: _reversed,
    HloMove.SLICE: _sliced,
    HloMove.PAD: _padded,
    HloMove.CONCATENATE: _joined,
    HloMove.DYNAMIC_SLICE: _cut_out,
    HloMove.DYNAMIC_UPDATE_SLICE: _updated,
}
"""Handlers of data movement, by operation."""
