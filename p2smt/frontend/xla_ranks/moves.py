"""XLA's data movement, deferred in views where that is free."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.errors import VerifyError
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.moves import joined_along, padded, sliced
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.frontend.xla.ssa import HloInstruction, HloShape
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.tensor.signature import Shape as Lengths


def repeated(view: View, dims: tuple[int, ...], shape: HloShape) -> View:
    """Return a broadcast: dimension i becomes dimension `dims[i]` of the result."""
    rank = len(shape.dims)
    check_repeated(view.shape, dims, shape)
    order = tuple(sorted(range(len(dims)), key=lambda place: dims[place]))
    made = permuted(view, order) if order != tuple(range(len(dims))) else view
    for dim in range(rank):
        if dim not in dims:
            made = with_one(made, dim)
    return made.repeated(shape.dims)


def check_repeated(own: Lengths, dims: tuple[int, ...], shape: HloShape) -> None:
    """Raise VerifyError if the dimensions do not fit the result's."""
    if len(dims) != len(own) or len(set(dims)) < len(dims) or any(dim >= len(shape.dims) for dim in dims):
        raise VerifyError(
            f"{list(own)} is broadcast to {shape} along dimensions {list(dims[:8])}; give each dimension its own"
        )
    if any(length not in (1, shape.dims[dim]) for length, dim in zip(own, dims, strict=True)):
        raise VerifyError(
            f"{list(own)} is broadcast to {shape} along dimensions {list(dims[:8])}; each size must stay the "
            "same, or be 1"
        )


def reshaped(emission: Emission, view: View, shape: HloShape) -> View:
    """Return a reshape; if only length-1 dimensions change, repetition stays in the view."""
    if [length for length in view.shape if length > 1] == [length for length in shape.dims if length > 1]:
        return _with_ones(view, shape.dims) if shape.dims else emission.reshaped(replace(view, expanded=None), ())
    return emission.reshaped(view, shape.dims)


def _with_ones(view: View, target: Lengths) -> View:
    groups = ((),) * (len(view.shape) - len(view.groups)) + view.groups
    long = [group for group, length in zip(groups, view.shape, strict=True) if length > 1]
    ones = [number for group, length in zip(groups, view.shape, strict=True) if length == 1 for number in group]
    left = iter(long)
    made = [next(left) if length > 1 else () for length in target]
    if ones:
        made[0] = (*ones, *made[0])
    return replace(view, groups=tuple(made), expanded=None).repeated(target)


def cut(emission: Emission, view: View, one: HloInstruction) -> View:
    """A slice from start to limit with strides, along each dimension."""
    if len(one.ranges) != len(view.shape):
        raise VerifyError(f"{len(one.ranges)} ranges for {list(view.shape)}; give one for each dimension")
    for dim, (start, limit, stride) in enumerate(one.ranges):
        if stride != 1:
            raise UncoveredError("slices with a stride are not supported in tensor programs")
        if not 0 <= start < limit <= view.shape[dim]:
            raise VerifyError(f"slice [{start}:{limit}] is out of bounds for a dimension of size {view.shape[dim]}")
        view = sliced(emission, view, dim, start, limit)
    return view


def cut_out(emission: Emission, view: View, starts: Sequence[int], shape: HloShape) -> View:
    """Return a dynamic slice of this shape; its start is clamped so that the slice lies inside the tensor."""
    for dim, (begin, length) in enumerate(zip(inside(starts, view.shape, shape), shape.dims, strict=True)):
        view = sliced(emission, view, dim, begin, begin + length)
    return view


def inside(starts: Sequence[int], own: Lengths, shape: HloShape) -> list[int]:
    """Return the start of a part of this shape, clamped so that the part lies inside the tensor."""
    if len(starts) != len(own) or len(shape.dims) != len(starts):
        raise VerifyError(f"{len(starts)} start indices for {list(own)}; give one for each dimension")
    if any(length > room for length, room in zip(shape.dims, own, strict=True)):
        raise VerifyError(f"a slice {shape} does not fit into {list(own)}")
    return [min(max(start, 0), room - length) for start, room, length in zip(starts, own, shape.dims, strict=True)]


def updated(emission: Emission, view: View, part: View, starts: Sequence[int]) -> View:
    """Return a dynamic update at this start, for a part that is shorter in one dimension only."""
    if len(starts) != len(view.shape) or len(part.shape) != len(starts):
        raise VerifyError(f"{len(starts)} start indices for {list(view.shape)}; give one for each dimension")
    short = [dim for dim, length in enumerate(part.shape) if length != view.shape[dim]]
    if not short:
        return part
    if len(short) > 1:
        raise UncoveredError("an update that is shorter along several dimensions is not supported")
    (dim,) = short
    length = view.shape[dim]
    if part.shape[dim] > length:
        raise VerifyError(f"an update of shape {list(part.shape)} does not fit into {list(view.shape)}")
    begin = min(max(starts[dim], 0), length - part.shape[dim])
    end = begin + part.shape[dim]
    parts = [sliced(emission, view, dim, 0, begin)] if begin else []
    parts.append(part)
    parts += [sliced(emission, view, dim, end, length)] if end < length else []
    return joined_along(emission, parts, dim)


def zeros_around(emission: Emission, view: View, one: HloInstruction) -> View:
    """Zero padding along each dimension; negative widths crop."""
    if len(one.ranges) != len(view.shape):
        raise VerifyError(f"{len(one.ranges)} ranges for {list(view.shape)}; give one for each dimension")
    for dim, (low, high, between) in enumerate(one.ranges):
        if between:
            raise UncoveredError("padding between elements (interior padding) is not supported in tensor programs")
        length = view.shape[dim]
        start, stop = max(0, -low), length - max(0, -high)
        if stop <= start:
            raise UncoveredError("padding that leaves nothing of the tensor is not supported")
        view = padded(emission, sliced(emission, view, dim, start, stop), dim, max(0, low), max(0, high))
    return view


def turned(view: View, order: tuple[int, ...]) -> View:
    """A transpose."""
    if sorted(order) != list(range(len(view.shape))):
        raise VerifyError(f"{list(order[:8])} is not a permutation of the dimensions of {list(view.shape)}")
    return permuted(view, order)


def turned_in_memory(emission: Emission, view: View, old: HloShape, new: HloShape) -> View:
    """Return a bitcast: the elements in memory order, read with the layout of another type."""
    if old.kind != new.kind:
        raise UncoveredError("a bitcast to another type is not supported")
    slowest = tuple(reversed(old.layout)) or tuple(range(len(old.dims)))
    lying = permuted(view, slowest)
    after = tuple(reversed(new.layout)) or tuple(range(len(new.dims)))
    if sorted(slowest) != list(range(len(old.dims))) or sorted(after) != list(range(len(new.dims))):
        raise VerifyError(f"the memory layout of {old} or {new} is not a permutation of its dimensions")
    dims = tuple(new.dims[dim] for dim in after)
    made = reshaped(emission, lying, HloShape(new.kind, dims))
    return permuted(made, tuple(after.index(dim) for dim in range(len(after))))


def reversed_along(emission: Emission, view: View, dims: tuple[int, ...]) -> View:
    """A reversal along some dimensions."""
    if any(dim >= len(view.shape) for dim in dims):
        raise VerifyError(f"dimensions {list(dims[:8])} do not exist in {list(view.shape)}, or occur twice")
    for dim in dims:
        view = emission.call("flip", [view], (dim,))
    return view


def joined(emission: Emission, views: list[View], dims: tuple[int, ...]) -> View:
    """A concatenation along a dimension."""
    if len(dims) != 1 or any(dims[0] >= len(view.shape) for view in views):
        raise VerifyError(
            f"tensors are concatenated along dimensions {list(dims[:8])}; it must be one that all of them have"
        )
    return joined_along(emission, views, dims[0])
