"""Operations that read whole rows: softmax, normalisation, top-k, cumulative sums."""

from collections.abc import Callable, Sequence

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import dimension, positive, real_number, same, whole_number
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.signature import (
    Blocked,
    Distributes,
    Label,
    ParallelLabel,
    Shape,
    Signature,
    dims,
    linear,
)

DIM = Parameter("dim", ParameterKind.WHOLE)
EPS = Parameter("eps", ParameterKind.REAL, 1e-5)


def along(shapes: Sequence[Shape], dim: int, distributes: tuple[Distributes, ...]) -> Signature:
    """Return the signature for operands and a result of one shape, blocked along `dim` and parallel elsewhere."""
    for shape in shapes[1:]:
        same(shapes[0], shape, "shapes")
    names = [f"d{number}" for number in range(len(shapes[0]))]
    kinds = [Blocked() if number == dim else ParallelLabel() for number in range(len(names))]
    labels = tuple(Label(name, size, kind) for name, size, kind in zip(names, shapes[0], kinds, strict=True))
    return Signature(labels, (dims(names),) * len(shapes), dims(names), distributes)


def _row(
    name: str,
    operands: int,
    numpy: Callable[..., Array],
    torch: str,
    linear_in: tuple[int, ...] = (),
    more: tuple[Parameter, ...] = (),
    exact: bool = False,
    emitted: str = "{torch}({0}, {dim})",
    kernel: OperationKind = OperationKind.SOFTMAX,
) -> Operation:
    def signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
        return along(shapes, dimension(attributes[0], shapes[0]), linear(*linear_in))

    def meaning(arrays: Sequence[Array], frame: Frame) -> Array:
        if arrays[0].size == 0:
            return arrays[0]
        return numpy(*arrays, whole_number(frame.attributes[0]), *map(real_number, frame.attributes[1:]))

    return Operation(
        name=name,
        kind=Kind.ROW,
        operands=operands,
        signature=signature,
        numpy=meaning,
        torch=torch,
        emitted=emitted,
        parameters=(DIM, *more),
        exact=exact,
        flops=5,
        kernel=kernel,
    )


def softmax(x: Array, dim: int) -> Array:
    """Return the softmax along a dimension."""
    powers = np.exp(x - _max(x, dim))
    return powers / _sum(powers, dim)


def _sum(x: Array, dim: int) -> Array:
    result: Array = np.sum(x, axis=dim, keepdims=True)
    return result


def _max(x: Array, dim: int) -> Array:
    result: Array = np.max(x, axis=dim, keepdims=True)
    return result


def _log_softmax(x: Array, dim: int) -> Array:
    # Subtracting the maximum keeps `exp` from overflowing and does not change the result.
    rest = x - _max(x, dim)
    return rest - np.log(_sum(np.exp(rest), dim))


def _softmax_backward(gradient: Array, y: Array, dim: int) -> Array:
    return y * (gradient - _sum(gradient * y, dim))


def _log_softmax_backward(gradient: Array, y: Array, dim: int) -> Array:
    return gradient - np.exp(y) * _sum(gradient, dim)


def _layernorm(x: Array, dim: int, eps: float) -> Array:
    centred = x - _sum(x, dim) / x.shape[dim]
    result: Array = centred / np.sqrt(_sum(centred * centred, dim) / x.shape[dim] + eps)
    return result


def _layernorm_backward(gradient: Array, x: Array, dim: int, eps: float) -> Array:
    length = x.shape[dim]
    centred = x - _sum(x, dim) / length
    deviation = np.sqrt(_sum(centred * centred, dim) / length + eps)
    y = centred / deviation
    result: Array = (gradient - _sum(gradient, dim) / length - y * _sum(gradient * y, dim) / length) / deviation
    return result


def _cumsum(x: Array, dim: int) -> Array:
    result: Array = np.cumsum(x, axis=dim)
    return result


def _sort(x: Array, dim: int) -> Array:
    result: Array = np.sort(x, axis=dim)
    return result


def _top_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    (shape,) = shapes
    (count,) = positive(attributes)
    if not shape or count > shape[-1]:
        raise ValueError(
            f"the {count} largest along the last dimension of {list(shape)}; the count must be from 1 to its length"
        )
    names = [f"d{number}" for number in range(len(shape) - 1)]
    labels = [Label(name, size, ParallelLabel()) for name, size in zip(names, shape, strict=False)]
    labels += [Label("row", shape[-1], Blocked()), Label("top", count, Blocked())]
    return Signature(tuple(labels), (dims([*names, "row"]),), dims([*names, "top"]))


def _order(x: Array, frame: Frame) -> np.typing.NDArray[np.intp]:
    """Return the indices that sort each row in descending order; equal elements keep their order."""
    return np.argsort(-x, axis=-1, kind="stable")[..., : whole_number(frame.attributes[0])]


def _topk_values(arrays: Sequence[Array], frame: Frame) -> Array:
    result: Array = np.take_along_axis(arrays[0], _order(arrays[0], frame), axis=-1)
    return result


def _topk_indices(arrays: Sequence[Array], frame: Frame) -> Array:
    result: Array = _order(arrays[0], frame).astype(np.float64)
    return result


_TOP = (Parameter("count", ParameterKind.WHOLE, length=True),)

ROWS = (
    _row("softmax", 1, softmax, "torch.softmax"),
    _row("log_softmax", 1, _log_softmax, "torch.log_softmax", kernel=OperationKind.LOG_SOFTMAX),
    _row(
        "layernorm",
        1,
        _layernorm,
        "torch.nn.functional.layer_norm",
        more=(EPS,),
        emitted="layer_norm({0}, {dim}, {eps})",
        kernel=OperationKind.LAYER_NORM,
    ),
    _row(
        "softmax_backward",
        2,
        _softmax_backward,
        "torch.ops.aten._softmax_backward_data",
        (0,),
        emitted="{torch}({0}, {1}, {dim}, {1}.dtype)",
    ),
    _row(
        "log_softmax_backward",
        2,
        _log_softmax_backward,
        "torch.ops.aten._log_softmax_backward_data",
        (0,),
        emitted="{torch}({0}, {1}, {dim}, {1}.dtype)",
    ),
    _row(
        "layernorm_backward",
        2,
        _layernorm_backward,
        "torch.ops.aten.native_layer_norm_backward",
        (0,),
        (EPS,),
        emitted="layer_norm_backward({0}, {1}, {dim}, {eps})",
        kernel=OperationKind.LAYER_NORM,
    ),
    _row("cumsum", 1, _cumsum, "torch.cumsum", (0,), exact=True),
    _row("sort", 1, _sort, "torch.sort", emitted="{torch}({0}, {dim}).values"),
    Operation(
        name="topk_values",
        kind=Kind.ROW,
        operands=1,
        signature=_top_signature,
        numpy=_topk_values,
        torch="torch.topk",
        emitted="top({0}, {count}).values",
        parameters=_TOP,
    ),
    Operation(
        name="topk_indices",
        kind=Kind.ROW,
        operands=1,
        signature=_top_signature,
        numpy=_topk_indices,
        torch="torch.topk",
        emitted="top({0}, {count}).indices",
        parameters=_TOP,
    ),
)
"""Row operations. Layer norm is without weight and bias; `weighted_norm.py` has the version with both."""
