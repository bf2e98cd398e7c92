"""Layer norm and RMS norm over the last dimension, with trainable weight and bias, and their gradients.

    y = n(x) * weight + bias,   n(x) = layernorm(x) or rms_norm(x)
    gradient of x = n'(g * weight, x),   gradient of weight = sum over rows of g * n(x)

The gradient of the bias is a sum over rows. Each operation computes one result; emitted code calls torch once for
all gradients of a backward pass (`emit/torch/program/native.py`). Features are blocked, because every row is
normalised by all of them. Rows are parallel, but reduced in the gradient of the weight, so ranks with different
rows hold partial values of it.
Reference: Ba, Kiros and Hinton, "Layer normalization", 2016; Zhang and Sennrich, "Root mean square layer
normalization", 2019.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import same
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.operations.rms_norm import RMS_NORM
from p2smt.tensor.operations.row import EPS, ROWS
from p2smt.tensor.signature import Blocked, Label, ParallelLabel, Reduced, Shape, Signature, dims, linear

_MEANINGS = {operation.name: operation.numpy for operation in (*ROWS, *RMS_NORM)}


def _labels(x: Shape, rows: ParallelLabel | Reduced) -> tuple[list[str], tuple[Label, ...]]:
    if not x:
        raise ValueError("a scalar has no features to normalise")
    names = [*(f"d{number}" for number in range(len(x) - 1)), "features"]
    kinds = [*([rows] * (len(x) - 1)), Blocked()]
    return names, tuple(Label(name, size, kind) for name, size, kind in zip(names, x, kinds, strict=True))


def _forward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    x, *weights = shapes
    names, labels = _labels(x, ParallelLabel())
    for shape in weights:
        same(x[-1:], shape, "shapes of a row and of weight or bias")
    scales = linear(1) if len(weights) == 1 else ()
    return Signature(labels, (dims(names), *(dims(names[-1:]),) * len(weights)), dims(names), scales)


def _input_backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, x, weight = shapes
    same(gradient, x, "shapes of the gradient and of what is normalised")
    names, labels = _labels(x, ParallelLabel())
    same(x[-1:], weight, "shapes of a row and of the weight")
    return Signature(labels, (dims(names), dims(names), dims(names[-1:])), dims(names), linear(0))


def _weight_backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, x = shapes
    same(gradient, x, "shapes of the gradient and of what is normalised")
    names, labels = _labels(x, Reduced(ReductionOp.SUM))
    return Signature(labels, (dims(names), dims(names)), dims(names[-1:]), linear(0))


def _last(frame: Frame, x: Array) -> Frame:
    """Return the frame of the unweighted norm, whose first attribute is the dimension."""
    return replace(frame, attributes=(x.ndim - 1, *frame.attributes))


def _normalised(norm: str) -> Callable[[Array, Frame], Array]:
    return lambda x, frame: _MEANINGS[norm]([x], _last(frame, x))


_KERNEL = OperationKind.LAYER_NORM


def _norm(norm: str, flops: int, torch: str, optional: int) -> tuple[Operation, ...]:
    normalised, slope = _normalised(norm), _MEANINGS[f"{norm}_backward"]

    def forward(arrays: Sequence[Array], frame: Frame) -> Array:
        x, weight, *bias = arrays
        return normalised(x, frame) * weight + sum(bias)

    def input_backward(arrays: Sequence[Array], frame: Frame) -> Array:
        gradient, x, weight = arrays
        return slope([gradient * weight, x], _last(frame, x))

    def weight_backward(arrays: Sequence[Array], frame: Frame) -> Array:
        gradient, x = arrays
        result: Array = (gradient * normalised(x, frame)).sum(axis=tuple(range(x.ndim - 1)))
        return result

    backward = f"torch.ops.aten.{torch}_backward"
    return (
        Operation(
            name=f"weighted_{norm}",
            kind=Kind.ROW,
            operands=2,
            optional=optional,
            signature=_forward,
            kernel=_KERNEL,
            numpy=forward,
            torch=f"torch.nn.functional.{norm.replace('layernorm', 'layer_norm')}",
            flops=flops,
            parameters=(EPS,),
            emitted=f"weighted_{norm}({{operands}}, eps={{eps}})",
        ),
        Operation(
            name=f"weighted_{norm}_backward",
            kind=Kind.ROW,
            operands=3,
            signature=_input_backward,
            kernel=_KERNEL,
            numpy=input_backward,
            torch=backward,
            flops=flops + 3,
            parameters=(EPS,),
            emitted=f"{norm}_gradients(None, (True, False), {{operands}}, eps={{eps}})[0]",
        ),
        Operation(
            name=f"{norm}_weight_backward",
            kind=Kind.ROW,
            operands=2,
            signature=_weight_backward,
            kernel=_KERNEL,
            numpy=weight_backward,
            torch=backward,
            flops=4,
            parameters=(EPS,),
            emitted=f"{norm}_gradients(None, (False, True), {{operands}}, eps={{eps}})[0]",
        ),
    )


WEIGHTED_NORMS = (
    *_norm("layernorm", 7, "native_layer_norm", optional=1),
    *_norm("rms_norm", 5, "_fused_rms_norm", optional=0),
)
