"""Rotary position embedding: rotates pairs of features by an angle proportional to the position."""

from collections.abc import Sequence

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import real_number, whole_number
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.signature import Blocked, Label, ParallelLabel, Shape, Signature, dims, linear


def _signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    """Return the signature: positions are the second-to-last dimension, features the last.

    Feature i is paired with i + features / 2.
    """
    (shape,) = shapes
    if len(shape) < 2 or shape[-1] % 2:
        raise ValueError(
            f"the last dimensions must be positions and an even number of features, but the shape is {list(shape)}"
        )
    if real_number(attributes[0]) <= 0:
        raise ValueError(f"the base is {attributes[0]}; it must be above 0")
    names = [*(f"d{number}" for number in range(len(shape) - 2)), "s", "f"]
    kinds = [ParallelLabel()] * (len(shape) - 1) + [Blocked()]
    labels = tuple(Label(name, size, kind) for name, size, kind in zip(names, shape, kinds, strict=True))
    return Signature(labels, (dims(names),), dims(names), linear(0))


def _rotary(arrays: Sequence[Array], frame: Frame) -> Array:
    (x,) = arrays
    positions, half = frame.operands[0][-2], x.shape[-1] // 2
    # The inverse turn, which is the gradient, has the angle of opposite sign.
    base, sign = real_number(frame.attributes[0]), -1 if whole_number(frame.attributes[1]) else 1
    speeds = base ** (-np.arange(half) / max(half, 1))
    angles = sign * np.arange(positions.start, positions.stop)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    turned = first * np.cos(angles) - second * np.sin(angles), second * np.cos(angles) + first * np.sin(angles)
    result: Array = np.concatenate(turned, axis=-1)
    return result


ROTARY = (
    Operation(
        name="rotary",
        kind=Kind.ROW,
        operands=1,
        signature=_signature,
        numpy=_rotary,
        flops=3,
        torch="torch.polar",
        emitted="rotary({0}, {part0[-2].start}, {base}, {inverse})",
        positional={"base": frozenset("s")},
        kernel=OperationKind.ELEMENTWISE,
        parameters=(Parameter("base", ParameterKind.REAL, 10000.0), Parameter("inverse", ParameterKind.WHOLE, 0)),
    ),
)
"""Rotary embedding.

The gradient of a rotation is the inverse rotation, `rotary(g, inverse=1)`; torch has no such call.
"""
