"""Group norm: normalise each group of a sample's channels over these channels and space, with weight and bias.

    y = n(x) * weight + bias,   n(x)[n, g] = layernorm of all elements of x[n, g]
    gradient of x = n'(gradient * weight, x),   gradient of weight = sum over samples and space of gradient * n(x)

The input has dimensions n g c and space, weight and bias have g c. Groups are a parallel label and can be sliced,
as in `grouped.py`. Samples are parallel, but reduced in the gradient of the weight, so ranks with different samples
hold partial values of it. A group's channels and space are blocked. The gradient of the bias is a plain sum.

Example: x of shape [8, 32, 10, 64, 64] is 8 samples of 320 channels in 32 groups; a row has 10 * 64 * 64 elements.

Reference: Wu and He, "Group Normalization", ECCV 2018.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import same
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.operations.row import EPS, ROWS
from p2smt.tensor.signature import Blocked, Dimension, Label, ParallelLabel, Reduced, Shape, Signature, dims, linear

_MEANINGS = {operation.name: operation.numpy for operation in ROWS}
_ROW = 2
"""The row dimension, after a group's channels and space are joined."""


def _labels(x: Shape, samples: ParallelLabel | Reduced) -> tuple[tuple[Dimension, ...], tuple[Label, ...]]:
    if len(x) < 3:
        raise ValueError(
            f"group norm needs samples, groups and channels, at least three dimensions, but the shape is {list(x)}"
        )
    names = ["n", "g", "c", *(f"d{number}" for number in range(3, len(x)))]
    kinds = [samples, ParallelLabel(), *([Blocked()] * (len(x) - 2))]
    return dims(names), tuple(Label(name, size, kind) for name, size, kind in zip(names, x, kinds, strict=True))


def _forward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    x, *weights = shapes
    whole, labels = _labels(x, ParallelLabel())
    for shape in weights:
        same(x[1:3], shape, "groups and channels of what is normalised and of weight or bias")
    scales = linear(1) if len(weights) == 1 else ()
    return Signature(labels, (whole, *(dims("gc"),) * len(weights)), whole, scales)


def _input_backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, x, weight = shapes
    same(gradient, x, "shapes of the gradient and of what is normalised")
    whole, labels = _labels(x, ParallelLabel())
    same(x[1:3], weight, "groups and channels of what is normalised and of the weight")
    return Signature(labels, (whole, whole, dims("gc")), whole, linear(0))


def _weight_backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, x = shapes
    same(gradient, x, "shapes of the gradient and of what is normalised")
    whole, labels = _labels(x, Reduced(ReductionOp.SUM))
    return Signature(labels, (whole, whole), dims("gc"), linear(0))


def wide(channels: Array, x: Array) -> Array:
    """Return per-channel values reshaped to broadcast against the input."""
    return channels.reshape(*channels.shape, *(1,) * (x.ndim - 3))


def in_rows(x: Array) -> Array:
    """Return the array with each group's channels and space joined to one row."""
    return x.reshape(*x.shape[:_ROW], prod(x.shape[_ROW:]))


def of_rows(frame: Frame) -> Frame:
    """Return the frame for layer norm along rows, whose first attribute is the dimension."""
    return replace(frame, attributes=(_ROW, *frame.attributes))


def _normalised(x: Array, frame: Frame) -> Array:
    return _MEANINGS["layernorm"]([in_rows(x)], of_rows(frame)).reshape(x.shape)


def _norm(arrays: Sequence[Array], frame: Frame) -> Array:
    x, weight, *bias = arrays
    return _normalised(x, frame) * wide(weight, x) + sum(wide(each, x) for each in bias)


def _norm_input(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, x, weight = arrays
    pair = [in_rows(gradient * wide(weight, x)), in_rows(x)]
    return _MEANINGS["layernorm_backward"](pair, of_rows(frame)).reshape(x.shape)


def _norm_weight(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, x = arrays
    result: Array = (gradient * _normalised(x, frame)).sum(axis=(0, *range(3, x.ndim)))
    return result


_KERNEL, _BACKWARD = OperationKind.LAYER_NORM, "torch.ops.aten.native_group_norm_backward"
GROUP_NORM = (
    Operation(
        name="group_norm",
        kind=Kind.ROW,
        operands=2,
        optional=1,
        signature=_forward,
        kernel=_KERNEL,
        numpy=_norm,
        torch="torch.nn.functional.group_norm",
        flops=7,
        parameters=(EPS,),
        emitted="group_norm({operands}, eps={eps})",
    ),
    Operation(
        name="group_norm_backward",
        kind=Kind.ROW,
        operands=3,
        signature=_input_backward,
        kernel=_KERNEL,
        numpy=_norm_input,
        torch=_BACKWARD,
        flops=10,
        parameters=(EPS,),
        emitted="group_norm_gradients(None, (True, False), {operands}, eps={eps})[0]",
    ),
    Operation(
        name="group_norm_weight_backward",
        kind=Kind.ROW,
        operands=2,
        signature=_weight_backward,
        kernel=_KERNEL,
        numpy=_norm_weight,
        torch=_BACKWARD,
        flops=4,
        parameters=(EPS,),
        emitted="group_norm_gradients(None, (False, True), {operands}, eps={eps})[0]",
    ),
)
