"""Batch norm from statistics of channels (dimension 1), which are sums over all other dimensions, and its gradients.

    mean = sum(x) / count,   variance = batch_norm_squares(x, mean) / count,   scale = rsqrt(variance + eps)
    y = batch_norm(x, mean, scale, weight, bias) = (x - mean) * scale * weight + bias
    batch_norm_weight_backward(g, x, mean, scale) = sum of g * (x - mean) * scale
    batch_norm_backward(g, x, mean, scale, weight, m, p) = (g - m - (x - mean) * scale * p) * scale * weight

`batch_norm_weight_backward` is the gradient of the weight. `batch_norm_backward` is the gradient of x; m and p are
the gradients of bias and weight divided by the count. Statistics are separate statements, so ranks with different
samples, or different parts of an image, sum them, and the result is that of the whole batch. All operations here
are polynomials, so a prime field evaluates them exactly.
Reference: Ioffe and Szegedy, "Batch normalization", 2015.
"""

from collections.abc import Sequence

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import same
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.signature import (
    Distributes,
    Label,
    ParallelLabel,
    Reduced,
    Shape,
    Signature,
    additive,
    dims,
    linear,
)


def _signature(
    wide: Sequence[Shape], channels: Sequence[Shape], distributes: tuple[Distributes, ...], *, summed: bool
) -> Signature:
    """Return the signature for operands with samples, channels and space, and for operands with channels only."""
    x = wide[0]
    if len(x) < 2:
        raise ValueError(f"batch norm needs samples and channels, at least two dimensions, but the shape is {list(x)}")
    for shape in wide[1:]:
        same(x, shape, "shapes")
    for shape in channels:
        same(x[1:2], shape, "shapes of the channels and of what is known of each")
    names = ["n", "c", *(f"d{number}" for number in range(2, len(x)))]
    others = Reduced(ReductionOp.SUM) if summed else ParallelLabel()
    labels = tuple(
        Label(name, size, ParallelLabel() if name == "c" else others) for name, size in zip(names, x, strict=True)
    )
    operands = (dims(names),) * len(wide) + (dims("c"),) * len(channels)
    return Signature(labels, operands, dims("c") if summed else dims(names), distributes)


def _forward_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    match len(shapes):
        case 3:
            distributes = linear(2)
        case 4:
            raise ValueError("give both weight and bias, or neither")
        case _:
            distributes = additive(3, 4)
    return _signature(shapes[:1], shapes[1:], distributes, summed=False)


def _squares_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    return _signature(shapes[:1], shapes[1:], (), summed=True)


def _weight_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    return _signature(shapes[:2], shapes[2:], linear(0, 3), summed=True)


def _input_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    return _signature(shapes[:2], shapes[2:], (*linear(4), *additive(0, 5, 6)), summed=False)


def _wide(channels: Array, x: Array) -> Array:
    return channels.reshape(-1, *(1,) * (x.ndim - 2))


def _summed(x: Array) -> Array:
    result: Array = x.sum(axis=(0, *range(2, x.ndim)))
    return result


def _forward(arrays: Sequence[Array], frame: Frame) -> Array:
    x, mean, scale, *weights = arrays
    y = (x - _wide(mean, x)) * _wide(scale, x)
    if not weights:
        return y
    weight, bias = weights
    return y * _wide(weight, x) + _wide(bias, x)


def _squares(arrays: Sequence[Array], frame: Frame) -> Array:
    x, mean = arrays
    centred = x - _wide(mean, x)
    return _summed(centred * centred)


def _weight_backward(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, x, mean, scale = arrays
    return _summed(gradient * (x - _wide(mean, x)) * _wide(scale, x))


def _input_backward(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, x = arrays[:2]
    mean, scale, weight, of_bias, of_weight = (_wide(each, x) for each in arrays[2:])
    return (gradient - of_bias - (x - mean) * scale * of_weight) * scale * weight


BATCH_NORM = (
    Operation(
        name="batch_norm",
        kind=Kind.ROW,
        operands=3,
        optional=2,
        signature=_forward_signature,
        numpy=_forward,
        torch="torch.nn.functional.batch_norm",
        emitted="batch_norm({operands})",
        exact=True,
        flops=4,
        kernel=OperationKind.BATCH_NORM,
    ),
    Operation(
        name="batch_norm_squares",
        kind=Kind.ROW,
        operands=2,
        signature=_squares_signature,
        numpy=_squares,
        torch="torch.nn.functional.batch_norm",
        emitted="batch_norm_squares({operands})",
        exact=True,
        flops=3,
        kernel=OperationKind.BATCH_NORM,
    ),
    Operation(
        name="batch_norm_weight_backward",
        kind=Kind.ROW,
        operands=4,
        signature=_weight_signature,
        numpy=_weight_backward,
        torch="torch.ops.aten.native_batch_norm_backward",
        exact=True,
        flops=3,
        emitted="batch_norm_weight_backward({operands})",
        kernel=OperationKind.BATCH_NORM,
    ),
    Operation(
        name="batch_norm_backward",
        kind=Kind.ROW,
        operands=7,
        signature=_input_signature,
        numpy=_input_backward,
        torch="torch.ops.aten.native_batch_norm_backward",
        exact=True,
        flops=6,
        emitted="batch_norm_backward({operands})",
        kernel=OperationKind.BATCH_NORM,
    ),
)
