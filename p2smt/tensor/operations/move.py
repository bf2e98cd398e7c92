"""Operations that move elements without computing: transpose, expand, reshape, cat, slice, flip, pad.

A move declares its labels, by which layouts pass through it. A reshape is a sequence of independent groups of old and
new dimensions, the finest ones with equal products:
    old[i1] ... old[i2] = new[j1] ... new[j2],   closed as soon as both products are equal,
found greedily from the left, which is right because lengths are positive. Within a group, the outermost dimension
carries the label.
Complexity: O(dimensions).
Reference: the split and merge rules for reshapes in Xu et al., "GSPMD: general and scalable parallelization for ML
computation graphs", 2021.

Example: [2, 3, 4] to [6, 2, 2] has the groups (2, 3) to (6) and (4) to (2, 2).
"""

from collections.abc import Callable, Sequence
from math import gcd, prod

import numpy as np

from p2smt.tensor.checks import dimension, rank_is, same, whole_number, whole_numbers
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.operations.padding import padded
from p2smt.tensor.reason import Reason
from p2smt.tensor.signature import Blocked, Dimension, Label, ParallelLabel, Shape, Signature, dims, moves


def _transpose_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    (shape,) = shapes
    order = whole_numbers(attributes[0])
    same(sorted(order), list(range(len(shape))), "the dimensions that are named and those that there are")
    labels = tuple(Label(f"d{number}", size, ParallelLabel()) for number, size in enumerate(shape))
    names = [label.name for label in labels]
    return Signature(labels, (dims(names),), dims(names[number] for number in order), moves(1))


def _transpose(arrays: Sequence[Array], frame: Frame) -> Array:
    return np.transpose(arrays[0], whole_numbers(frame.attributes[0]))


def _expand_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    (shape,) = shapes
    target = whole_numbers(attributes[0])
    lined = (1,) * (len(target) - len(shape)) + shape
    if len(lined) != len(target) or any(old not in (1, new) for old, new in zip(lined, target, strict=True)):
        raise ValueError(f"shape {list(shape)} cannot be broadcast to {list(target)}")
    labels = [Label(f"d{number}", size, ParallelLabel()) for number, size in enumerate(target)]
    source = []
    for number in range(len(target) - len(shape), len(target)):
        name = f"d{number}" if lined[number] == target[number] else f"one{number}"
        if name.startswith("one"):
            labels.append(Label(name, 1, Blocked(Reason.LENGTH_ONE)))
        source.append(name)
    return Signature(tuple(labels), (dims(source),), dims(f"d{number}" for number in range(len(target))), moves(1))


def _expand(arrays: Sequence[Array], frame: Frame) -> Array:
    return np.broadcast_to(arrays[0], frame.shape)


def groups(old: Shape, new: Shape) -> list[tuple[range, range]]:
    """Return the smallest consecutive groups of old and new dimensions with equal element counts; lengths are positive.

    >>> groups((2, 3, 4), (6, 2, 2))
    [(range(0, 2), range(0, 1)), (range(2, 3), range(1, 3))]
    """
    found, i, j = [], 0, 0
    while i < len(old) or j < len(new):
        first, second = i, j
        left, right = 1, 1
        while True:
            if i < len(old) and (left <= right or j == len(new)):
                left, i = left * old[i], i + 1
            elif j < len(new):
                right, j = right * new[j], j + 1
            if left == right and (i > first or i == len(old)) and (j > second or j == len(new)):
                break
        found.append((range(first, i), range(second, j)))
    return found


def _reshape_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    (old,), new = shapes, whole_numbers(attributes[0])
    if prod(old) != prod(new) or min((*old, *new), default=1) < 1:
        raise ValueError(
            f"{list(old)} has {prod(old)} elements and {list(new)} has {prod(new)}; they must be equal, and not 0"
        )
    labels: list[Label] = []
    sides: tuple[list[Dimension], list[Dimension]] = ([], [])
    for number, ranges in enumerate(groups(old, new)):
        leading = []
        for side, shape, run in zip(sides, (old, new), ranges, strict=True):
            # Dimensions of length 1 never lead a group: a cut of such a dimension cuts nothing.
            long = [position for position in run if shape[position] > 1]
            leading.append((long[0], shape[long[0]]) if long else (-1, 1))
            for position in run:
                own = f"{'new' if side is sides[1] else 'old'}{position}"
                name = f"g{number}" if long and position == long[0] else own
                side.append(Dimension(name))
                if name[0] != "g":
                    why = Reason.NOT_LEADING if shape[position] > 1 else Reason.LENGTH_ONE
                    labels.append(Label(name, shape[position], Blocked(why)))
        (first, length), (second, result) = leading
        if first >= 0:
            # Only a common divisor of both leading lengths splits old and new into the same blocks.
            size = gcd(length, result)
            labels.append(Label(f"g{number}", size, ParallelLabel() if size > 1 else Blocked(Reason.INSIDE_BLOCK)))
            sides[0][first] = Dimension(f"g{number}", length // size)
            sides[1][second] = Dimension(f"g{number}", result // size)
    return Signature(tuple(labels), (tuple(sides[0]),), tuple(sides[1]), moves(1))


def _reshape(arrays: Sequence[Array], frame: Frame) -> Array:
    if arrays[0].size != prod(frame.shape):
        raise ValueError(f"an array of shape {arrays[0].shape} where {frame.shape} is expected")
    return arrays[0].reshape(frame.shape)


def _one_dimension(shapes: Sequence[Shape], dim: int, length: int) -> Signature:
    """Return the signature of a move along `dim`.

    Other dimensions are parallel; `dim` has blocked labels of its own in operands and result.
    """
    labels = [Label(f"d{number}", size, ParallelLabel()) for number, size in enumerate(shapes[0]) if number != dim]
    labels += [Label(f"from{position}", shape[dim], Blocked()) for position, shape in enumerate(shapes)]
    labels.append(Label("to", length, Blocked()))

    def named(name: str) -> tuple[Dimension, ...]:
        return dims(name if number == dim else f"d{number}" for number in range(len(shapes[0])))

    operands = tuple(named(f"from{position}") for position in range(len(shapes)))
    return Signature(tuple(labels), operands, named("to"), moves(len(shapes)))


def _cat_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    dim = dimension(attributes[0], shapes[0])
    for shape in shapes[1:]:
        rank_is(shape, len(shapes[0]), "an operand of cat")
        same(shape[:dim] + shape[dim + 1 :], shapes[0][:dim] + shapes[0][dim + 1 :], "shapes beside the dimension")
    return _one_dimension(shapes, dim, sum(shape[dim] for shape in shapes))


def _cat(arrays: Sequence[Array], frame: Frame) -> Array:
    return np.concatenate(list(arrays), axis=whole_number(frame.attributes[0]))


def _slice_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    dim = dimension(attributes[0], shapes[0])
    start, stop = whole_number(attributes[1]), whole_number(attributes[2])
    if not 0 <= start < stop <= shapes[0][dim]:
        raise ValueError(f"slice {start}:{stop} of a length of {shapes[0][dim]}; 0 <= start < stop <= length must hold")
    return _one_dimension(shapes, dim, stop - start)


def _slice(arrays: Sequence[Array], frame: Frame) -> Array:
    dim, start, stop = (whole_number(attribute) for attribute in frame.attributes)
    return arrays[0][(slice(None),) * dim + (slice(start, stop),)]


def _pad_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    dim = dimension(attributes[0], shapes[0])
    before, after = whole_number(attributes[1]), whole_number(attributes[2])
    if min(before, after) < 0:
        raise ValueError(f"padding of {before} and {after}; both must be at least 0")
    return _one_dimension(shapes, dim, shapes[0][dim] + before + after)


def _pad(arrays: Sequence[Array], frame: Frame) -> Array:
    dim, before, after = (whole_number(attribute) for attribute in frame.attributes)
    return padded(arrays[0], [(before, after) if number == dim else (0, 0) for number in range(arrays[0].ndim)])


def _flip_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    dim = dimension(attributes[0], shapes[0])
    return _one_dimension(shapes, dim, shapes[0][dim])


def _flip(arrays: Sequence[Array], frame: Frame) -> Array:
    return np.flip(arrays[0], whole_number(frame.attributes[0]))


def _move(
    name: str,
    kind: Kind,
    signature: Callable[[Sequence[Shape], Attributes], Signature],
    numpy: Callable[[Sequence[Array], Frame], Array],
    parameters: tuple[Parameter, ...],
    torch: str = "",
    operands: int | None = 1,
    emitted: str = "{torch}({operands})",
) -> Operation:
    return Operation(
        name=name,
        kind=kind,
        operands=operands,
        signature=signature,
        numpy=numpy,
        flops=0,
        exact=True,
        torch=torch or f"torch.{name}",
        emitted=emitted,
        parameters=parameters,
    )


def _wholes(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, ParameterKind.WHOLE, length=name != "dim") for name in names)


_SHAPE = Parameter("shape", ParameterKind.WHOLES, length=True)

MOVES = (
    _move(
        "transpose",
        Kind.RELABEL,
        _transpose_signature,
        _transpose,
        (Parameter("dims", ParameterKind.WHOLES),),
        "torch.permute",
        emitted="{torch}({0}, {dims})",
    ),
    _move(
        "expand",
        Kind.RELABEL,
        _expand_signature,
        _expand,
        (_SHAPE,),
        "torch.Tensor.expand",
        emitted="{0}.expand({shape})",
    ),
    _move("reshape", Kind.VIEW, _reshape_signature, _reshape, (_SHAPE,), emitted="{torch}({0}, {shape})"),
    _move(
        "cat", Kind.JOIN, _cat_signature, _cat, _wholes("dim"), operands=None, emitted="{torch}([{operands}], {dim})"
    ),
    _move(
        "slice",
        Kind.JOIN,
        _slice_signature,
        _slice,
        _wholes("dim", "start", "stop"),
        "torch.narrow",
        emitted="between({0}, {dim}, {start}, {stop})",
    ),
    _move("flip", Kind.JOIN, _flip_signature, _flip, _wholes("dim"), emitted="{torch}({0}, ({dim},))"),
    _move(
        "pad",
        Kind.JOIN,
        _pad_signature,
        _pad,
        _wholes("dim", "before", "after"),
        "torch.nn.functional.pad",
        emitted="padded({0}, {dim}, {before}, {after})",
    ),
)
