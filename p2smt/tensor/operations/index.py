"""Operations on data-dependent indices: embedding, picking a class, one-hot rows, and their gradients.

Each is a contraction with a 0/1 matrix. The looked-up label is therefore reduced: a rank that holds a slice of it
contributes zeros for indices outside its slice.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import positive, rank_is, same, whole_number
from p2smt.tensor.frame import Attributes, Frame, Interval
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.signature import Label, LabelKind, ParallelLabel, Reduced, Shape, Signature, dims, linear, moves

_ADDED = Reduced(ReductionOp.SUM)


def _named(shape: Shape) -> tuple[list[str], list[Label]]:
    names = [f"d{number}" for number in range(len(shape))]
    return names, [Label(name, size, ParallelLabel()) for name, size in zip(names, shape, strict=True)]


def _embedding_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    table, index = shapes
    rank_is(table, 2, "a table")
    names, labels = _named(index)
    labels += [Label("v", table[0], _ADDED), Label("h", table[1], ParallelLabel())]
    return Signature(tuple(labels), (dims("vh"), dims(names)), dims([*names, "h"]), linear(0))


def _pick_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    x, index = shapes
    same(x[:-1], index, "shapes of the indices and of the rows")
    names, labels = _named(index)
    labels.append(Label("v", x[-1], _ADDED))
    return Signature(tuple(labels), (dims([*names, "v"]), dims(names)), dims(names), linear(0))


def _one_hot_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    names, labels = _named(shapes[0])
    labels.append(Label("v", positive(attributes)[0], ParallelLabel()))
    return Signature(tuple(labels), (dims(names),), dims([*names, "v"]))


def _pick_backward_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, index = shapes
    same(gradient, index, "shapes of the gradient and of the indices")
    names, labels = _named(index)
    labels.append(Label("v", positive(attributes)[0], ParallelLabel()))
    return Signature(tuple(labels), (dims(names), dims(names)), dims([*names, "v"]), moves(1))


def _cross_entropy_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    """Return the signature. Each class's gradient depends on its own log-probability only."""
    gradient, shares, index = shapes
    same(gradient, index, "shapes of the gradient and of the indices")
    same(shares, (*index, *positive(attributes)), "shapes of the classes' shares and of rows of classes")
    names, labels = _named(index)
    labels.append(Label("v", shares[-1], ParallelLabel()))
    every = dims([*names, "v"])
    return Signature(tuple(labels), (dims(names), every, dims(names)), every, linear(0))


def _embedding_backward_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, index = shapes
    same(gradient[:-1], index, "shapes of the gradient's rows and of the indices")
    if not gradient:
        raise ValueError("the gradient of an embedding needs at least one dimension, and is a scalar")
    names, _ = _named(index)
    kinds: list[LabelKind] = [_ADDED] * len(names)
    labels = [Label(name, size, kind) for name, size, kind in zip(names, index, kinds, strict=True)]
    labels += [Label("h", gradient[-1], ParallelLabel()), Label("v", positive(attributes)[0], ParallelLabel())]
    return Signature(tuple(labels), (dims([*names, "h"]), dims(names)), dims("vh"), linear(0))


def _hits(index: Array, looked_up: Interval) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return positions within the slice, and a mask of those inside it; positions outside become 0."""
    # Indices count from the whole table; a rank holds the interval `looked_up` of it.
    position = index.astype(np.int64) - looked_up.start
    there = (position >= 0) & (position < looked_up.length)
    return np.where(there, position, 0), there


def _embedding(arrays: Sequence[Array], frame: Frame) -> Array:
    table, index = arrays
    position, there = _hits(index, frame.operands[0][0])
    if not len(table):
        return np.zeros((*index.shape, table.shape[1]), dtype=table.dtype)
    return np.where(there[..., None], table[position], 0)


def _pick(arrays: Sequence[Array], frame: Frame) -> Array:
    x, index = arrays
    position, there = _hits(index, frame.operands[0][-1])
    # A rank without columns has nothing to pick from; numpy refuses to index into an empty axis.
    if not x.shape[-1]:
        return np.zeros(index.shape, dtype=x.dtype)
    return np.where(there, np.take_along_axis(x, position[..., None], axis=-1)[..., 0], 0)


def _one_hot(arrays: Sequence[Array], frame: Frame) -> Array:
    columns = np.arange(frame.result[-1].start, frame.result[-1].stop)
    result: Array = (arrays[0].astype(np.int64)[..., None] == columns).astype(arrays[0].dtype)
    return result


def _pick_backward(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, index = arrays
    columns = np.arange(frame.result[-1].start, frame.result[-1].stop)
    return np.where(index.astype(np.int64)[..., None] == columns, gradient[..., None], 0)


def _cross_entropy_backward(arrays: Sequence[Array], frame: Frame) -> Array:
    """Return the gradient of picking an element of log_softmax.

    Rows whose index is not a class, such as -100, get 0.
    """
    gradient, shares, index = arrays
    classes, found = whole_number(frame.attributes[0]), index.astype(np.int64)
    columns = np.arange(frame.result[-1].start, frame.result[-1].stop)
    # The gradient of -log_softmax at the class is softmax - one_hot; `shares` are the logarithms of
    # softmax.
    slope = (found[..., None] == columns) - np.exp(shares)
    # A class outside of the range, such as -100, is ignored: no gradient.
    result: Array = np.where((found >= 0) & (found < classes), gradient, 0)[..., None] * slope
    return result


def _embedding_backward(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, index = arrays
    position, there = _hits(index, frame.result[0])
    result: Array = np.zeros(frame.shape, dtype=gradient.dtype)
    np.add.at(result, position[there], gradient[there])
    return result


def _indexed(
    name: str,
    kind: Kind,
    signature: Callable[[Sequence[Shape], Attributes], Signature],
    numpy: Callable[[Sequence[Array], Frame], Array],
    torch: str,
    emitted: str,
    operands: int = 2,
    uncounted: str = "v",
    positional: str = "",
    kernel: OperationKind | None = None,
) -> Operation:
    # only: a take reads the length of its table; a put is given it
    classes = () if kind is Kind.TAKE else (Parameter("classes", ParameterKind.WHOLE, length=True),)
    return Operation(
        name=name,
        kind=kind,
        operands=operands,
        signature=signature,
        numpy=numpy,
        torch=torch,
        emitted=emitted,
        keeps_whole=not positional,
        parameters=classes,
        uncounted=frozenset(uncounted),
        positional={"classes": frozenset(positional)},
        kernel=kernel,
    )


INDEXED = (
    _indexed(
        "embedding",
        Kind.TAKE,
        _embedding_signature,
        _embedding,
        "torch.nn.functional.embedding",
        "embedded({0}, {1}, {part0[0].start})",
    ),
    _indexed("pick", Kind.TAKE, _pick_signature, _pick, "torch.gather", "picked({0}, {1}, {part0[-1].start})"),
    _indexed(
        "one_hot",
        Kind.PUT,
        _one_hot_signature,
        _one_hot,
        "torch.nn.functional.one_hot",
        "one_hot({0}, {part[-1].start}, {part[-1].length}, {f32})",
        operands=1,
        uncounted="",
    ),
    _indexed(
        "pick_backward",
        Kind.PUT,
        _pick_backward_signature,
        _pick_backward,
        "torch.scatter",
        "picked_backward({0}, {1}, {part[-1].start}, {part[-1].length})",
        uncounted="",
    ),
    _indexed(
        "cross_entropy_backward",
        Kind.PUT,
        _cross_entropy_signature,
        _cross_entropy_backward,
        "torch.nn.functional.cross_entropy",
        operands=3,
        uncounted="",
        positional="v",
        kernel=OperationKind.ELEMENTWISE,
        emitted="cross_entropy_backward({0}, {1}, {2}, {part[-1].start}, {classes})",
    ),
    _indexed(
        "embedding_backward",
        Kind.PUT,
        _embedding_backward_signature,
        _embedding_backward,
        "torch.ops.aten.embedding_dense_backward",
        "embedded_backward({0}, {1}, {part[0].start}, {part[0].length})",
    ),
)
