"""Image pooling: samples and channels are parallel labels, space is blocked."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import positive, rank_is, same, whole_number
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.signature import Blocked, Distributes, Label, ParallelLabel, Shape, Signature, dims, linear


def _pooling(x: Shape, space: Shape) -> tuple[Label, ...]:
    sizes = {"n": x[0], "c": x[1], "h": x[2], "w": x[3], "oh": space[0], "ow": space[1]}
    return tuple(Label(name, size, ParallelLabel() if name in "nc" else Blocked()) for name, size in sizes.items())


def _windows(x: Shape, attributes: Attributes) -> Shape:
    rank_is(x, 4, "what is pooled")
    kernel, stride = positive(attributes[-2:])
    space = tuple((length - kernel) // stride + 1 for length in x[2:])
    if min(space) < 1:
        raise ValueError(f"the window {kernel} does not fit into {list(x[2:])}; it must not be longer in any dimension")
    return space


def _max_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    labels = _pooling(shapes[0], _windows(shapes[0], attributes))
    largest = (Distributes(frozenset({0}), ReductionOp.MAX, ReductionOp.MAX),)
    return Signature(labels, (dims("nchw"),), dims(("n", "c", "oh", "ow")), largest)


def _max_backward_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, x = shapes
    space = _windows(x, attributes)
    same((*x[:2], *space), gradient, "shapes of the pooled and of the gradient")
    return Signature(_pooling(x, space), (dims(("n", "c", "oh", "ow")), dims("nchw")), dims("nchw"), linear(0))


def _stacked(x: Array, frame: Frame) -> Array:
    kernel, stride = (whole_number(attribute) for attribute in frame.attributes)
    oh, ow = ((length - kernel) // stride + 1 for length in x.shape[2:])
    windows = [
        x[:, :, i : i + (oh - 1) * stride + 1 : stride, j : j + (ow - 1) * stride + 1 : stride]
        for i, j in product(range(kernel), repeat=2)
    ]
    return np.stack(windows)


def _max_pool(arrays: Sequence[Array], frame: Frame) -> Array:
    result: Array = np.max(_stacked(arrays[0], frame), axis=0)
    return result


def _max_pool_backward(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, x = arrays
    kernel, stride = (whole_number(attribute) for attribute in frame.attributes)
    winner = np.argmax(_stacked(x, frame), axis=0)
    result = np.zeros_like(x)
    oh, ow = gradient.shape[2:]
    for number, (i, j) in enumerate(product(range(kernel), repeat=2)):
        rows, columns = slice(i, i + (oh - 1) * stride + 1, stride), slice(j, j + (ow - 1) * stride + 1, stride)
        result[:, :, rows, columns] += gradient * (winner == number)
    return result


def _edges(length: int, parts: int) -> list[slice]:
    """Return the windows of adaptive pooling: window i goes from floor(i n / parts) to ceil((i + 1) n / parts)."""
    return [slice(i * length // parts, -(-(i + 1) * length // parts)) for i in range(parts)]


def _adaptive_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    rank_is(shapes[0], 4, "what is pooled")
    labels = _pooling(shapes[0], positive(attributes))
    return Signature(labels, (dims("nchw"),), dims(("n", "c", "oh", "ow")), linear(0))


def _adaptive_backward_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    rank_is(shapes[0], 4, "the gradient of what is pooled")
    height, width = positive(attributes)
    labels = _pooling((*shapes[0][:2], height, width), shapes[0][2:])
    return Signature(labels, (dims(("n", "c", "oh", "ow")),), dims("nchw"), linear(0))


def _adaptive(arrays: Sequence[Array], frame: Frame) -> Array:
    (x,) = arrays
    rows, columns = (_edges(*pair) for pair in zip(x.shape[2:], frame.shape[2:], strict=True))
    result: Array = np.stack([np.stack([_mean(x[:, :, i, j]) for j in columns], -1) for i in rows], -2)
    return result


def _mean(x: Array) -> Array:
    result: Array = np.sum(x, axis=(2, 3)) / max(1, x.shape[2] * x.shape[3])
    return result


def _adaptive_backward(arrays: Sequence[Array], frame: Frame) -> Array:
    (gradient,) = arrays
    result = np.zeros(frame.shape)
    rows, columns = (_edges(*pair) for pair in zip(frame.shape[2:], gradient.shape[2:], strict=True))
    for (i, row), (j, column) in product(enumerate(rows), enumerate(columns)):
        part = result[:, :, row, column]
        part += gradient[:, :, i : i + 1, j : j + 1] / (part.shape[2] * part.shape[3])
    return result


def _pool(
    name: str,
    operands: int,
    signature: Callable[[Sequence[Shape], Attributes], Signature],
    numpy: Callable[[Sequence[Array], Frame], Array],
    torch: str,
    parameters: tuple[str, str],
    emitted: str,
) -> Operation:
    named = tuple(
        Parameter(parameter, ParameterKind.WHOLE, length=parameter in ("height", "width")) for parameter in parameters
    )
    return Operation(
        name=name,
        kind=Kind.ROW,
        operands=operands,
        signature=signature,
        numpy=numpy,
        torch=torch,
        emitted=emitted,
        parameters=named,
        uncounted=frozenset({"h", "w"}),
        kernel=OperationKind.ELEMENTWISE,
    )


POOLS = (
    _pool(
        "max_pool2d",
        1,
        _max_signature,
        _max_pool,
        "torch.nn.functional.max_pool2d",
        ("kernel", "stride"),
        "max_pool2d({0}, {kernel}, {stride}, {shape})",
    ),
    _pool(
        "max_pool2d_backward",
        2,
        _max_backward_signature,
        _max_pool_backward,
        "torch.ops.aten.max_pool2d_with_indices_backward",
        ("kernel", "stride"),
        "max_pool2d_backward({0}, {1}, {kernel}, {stride})",
    ),
    _pool(
        "adaptive_avg_pool2d",
        1,
        _adaptive_signature,
        _adaptive,
        "torch.nn.functional.adaptive_avg_pool2d",
        ("height", "width"),
        "adaptive_pool({0}, {shape})",
    ),
    _pool(
        "adaptive_avg_pool2d_backward",
        1,
        _adaptive_backward_signature,
        _adaptive_backward,
        "torch.ops.aten._adaptive_avg_pool2d_backward",
        ("height", "width"),
        "adaptive_pool_backward({0}, {shape})",
    ),
)
