"""RMS norm and its gradient, without a weight."""

from collections.abc import Sequence

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import dimension, real_number, whole_number
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.operations.row import DIM, EPS, along
from p2smt.tensor.signature import Shape, Signature, linear


def _forward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    return along(shapes, dimension(attributes[0], shapes[0]), ())


def _backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    return along(shapes, dimension(attributes[0], shapes[0]), linear(0))


def _root(x: Array, frame: Frame) -> Array:
    """Return the square root of the mean square plus eps."""
    dim, eps = whole_number(frame.attributes[0]), real_number(frame.attributes[1])
    result: Array = np.sqrt(np.sum(x * x, axis=dim, keepdims=True) / max(x.shape[dim], 1) + eps)
    return result


def _rms_norm(arrays: Sequence[Array], frame: Frame) -> Array:
    return arrays[0] / _root(arrays[0], frame)


def _rms_norm_backward(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, x = arrays
    root, dim = _root(x, frame), whole_number(frame.attributes[0])
    y = x / root
    result: Array = (gradient - y * np.sum(gradient * y, axis=dim, keepdims=True) / max(x.shape[dim], 1)) / root
    return result


RMS_NORM = (
    Operation(
        name="rms_norm",
        kind=Kind.ROW,
        operands=1,
        signature=_forward,
        numpy=_rms_norm,
        flops=4,
        torch="torch.nn.functional.rms_norm",
        emitted="rms_norm({0}, {dim}, {eps})",
        parameters=(DIM, EPS),
        kernel=OperationKind.LAYER_NORM,
    ),
    Operation(
        name="rms_norm_backward",
        kind=Kind.ROW,
        operands=2,
        signature=_backward,
        numpy=_rms_norm_backward,
        flops=8,
        torch="torch.ops.aten._fused_rms_norm_backward",
        emitted="rms_norm_backward({0}, {1}, {dim}, {eps})",
        parameters=(DIM, EPS),
        kernel=OperationKind.LAYER_NORM,
    ),
)
