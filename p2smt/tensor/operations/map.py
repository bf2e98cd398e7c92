"""Pointwise operations with broadcasting: dimensions align from the last, and length 1 is repeated."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import erf, pi, sqrt

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.dtype import DType
from p2smt.tensor.field.signs import NEGATIVE, NOT_NEGATIVE, POSITIVE
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.reason import Reason
from p2smt.tensor.signature import (
    Blocked,
    Dimension,
    Distributes,
    Label,
    ParallelLabel,
    Shape,
    Signature,
    additive,
    decreasing,
    dims,
    increasing,
    linear,
)


def broadcast(shapes: Sequence[Shape], distributes: tuple[Distributes, ...]) -> Signature:
    """Return the signature of broadcast operands; a repeated dimension of length 1 gets a label of its own."""
    rank = max(map(len, shapes))
    lined = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    lengths = tuple(next((length for length in column if length != 1), 1) for column in zip(*lined, strict=True))
    labels = [Label(f"d{number}", length, ParallelLabel()) for number, length in enumerate(lengths)]
    operands = []
    for position, shape in enumerate(shapes):
        dimensions = []
        for number, length in enumerate(shape, start=rank - len(shape)):
            if length == lengths[number]:
                dimensions.append(Dimension(f"d{number}"))
                continue
            if length != 1:
                raise ValueError(f"shapes {', '.join(map(str, map(list, shapes)))} cannot be broadcast together")
            labels.append(Label(f"one{position}.{number}", 1, Blocked(Reason.LENGTH_ONE)))
            dimensions.append(Dimension(f"one{position}.{number}"))
        operands.append(tuple(dimensions))
    return Signature(tuple(labels), tuple(operands), dims(f"d{number}" for number in range(rank)), distributes)


@dataclass(frozen=True, slots=True)
class _Broadcast:
    distributes: tuple[Distributes, ...]

    def __call__(self, shapes: Sequence[Shape], attributes: Attributes) -> Signature:
        return broadcast(shapes, self.distributes)


def _cast_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    """Return the signature of a cast.

    Sums and maxima pass through casts to floating-point types, up to rounding, but not through casts to
    integers or booleans.
    """
    whole = DType(str(attributes[0])).is_whole
    return broadcast(shapes, () if whole else (*linear(0), *increasing(0)))


def _cast(arrays: Sequence[Array], frame: Frame) -> Array:
    """Return the value; casts to integers truncate towards 0, casts to floating-point types do not round."""
    (x,) = arrays
    match DType(str(frame.attributes[0])):
        case DType.BOOL:
            return _real(x != 0)
        case DType.I32 | DType.I64:
            return np.trunc(x)
        case DType.F16 | DType.BF16 | DType.F32 | DType.F64:
            return x


def _map(
    name: str,
    operands: int,
    numpy: Callable[..., Array],
    *distributes: tuple[Distributes, ...],
    torch: str = "",
    emitted: str = "{torch}({operands})",
    exact: bool = False,
    keeps_whole: bool = False,
    domain: tuple[tuple[int, int], ...] = (),
    kernel: OperationKind | None = None,
) -> Operation:
    def meaning(arrays: Sequence[Array], frame: Frame) -> Array:
        result: Array = numpy(*arrays)
        return result

    return Operation(
        name=name,
        kind=Kind.MAP,
        operands=operands,
        signature=_Broadcast(sum(distributes, ())),
        numpy=meaning,
        torch=torch or f"torch.{name}",
        emitted=emitted,
        exact=exact,
        keeps_whole=keeps_whole,
        domain=domain,
        kernel=kernel,
    )


_ALL = ReductionOp.MAX, ReductionOp.MIN  # only: a maximum or minimum of two passes these on
_together = tuple(Distributes(frozenset({0, 1}), kind, kind) for kind in _ALL)


def _gelu(x: Array) -> Array:
    return 0.5 * x * (1 + _erf(x / sqrt(2)))


def _gelu_backward(gradient: Array, x: Array) -> Array:
    return gradient * (0.5 * (1 + _erf(x / sqrt(2))) + x * np.exp(-x * x / 2) / sqrt(2 * pi))


def _gelu_tanh(x: Array) -> Array:
    result: Array = 0.5 * x * (1 + np.tanh(_cubic(x)))
    return result


def _gelu_tanh_backward(gradient: Array, x: Array) -> Array:
    tanh = np.tanh(_cubic(x))
    slope = sqrt(2 / pi) * (1 + 3 * 0.044715 * x * x)
    result: Array = gradient * 0.5 * (1 + tanh + x * (1 - tanh * tanh) * slope)
    return result


def _cubic(x: Array) -> Array:
    """Return the cubic c of x for which (1 + tanh(c)) / 2 approximates the normal distribution function."""
    return sqrt(2 / pi) * (x + 0.044715 * x * x * x)


def _silu_backward(gradient: Array, x: Array) -> Array:
    share = _sigmoid(x)
    return gradient * share * (1 + x * (1 - share))


def _erf(x: Array) -> Array:
    result: Array = np.vectorize(erf, otypes=[np.float64])(x)
    return result


def _sigmoid(x: Array) -> Array:
    return 0.5 * (1 + np.tanh(0.5 * x))


def _real(truth: np.typing.NDArray[np.bool_]) -> Array:
    return truth.astype(np.float64)


def _chosen(condition: Array, then: Array, otherwise: Array) -> Array:
    return np.where(condition != 0, then, otherwise)


def _of_minima(after: ReductionOp) -> Distributes:
    return Distributes(frozenset({0}), ReductionOp.MIN, after)


MAPS = (
    _map("add", 2, np.add, additive(0, 1), increasing(0, 1), exact=True, emitted="{0} + {1}"),
    _map("sub", 2, np.subtract, additive(0, 1), increasing(0), decreasing(1), exact=True, emitted="{0} - {1}"),
    _map("mul", 2, np.multiply, linear(0, 1), exact=True, emitted="{0} * {1}"),
    _map("div", 2, np.divide, linear(0), emitted="{0} / {1}", domain=((1, NEGATIVE | POSITIVE),)),
    _map("neg", 1, np.negative, linear(0), decreasing(0), exact=True, emitted="-{0}"),
    # `x ** y` has no domain here: the field treats it as unknown unless the exponent is a small
    # integer.
    _map("pow", 2, np.power),
    _map("maximum", 2, np.maximum, increasing(0, 1), (_together[0],), keeps_whole=True),
    _map("minimum", 2, np.minimum, increasing(0, 1), (_together[1],), keeps_whole=True),
    # The root of a minimum is the minimum of the roots. Maxima do not pass: the empty maximum,
    # -inf, has no root.
    _map("sqrt", 1, np.sqrt, (_of_minima(ReductionOp.MIN),), domain=((0, NOT_NEGATIVE),)),
    _map("rsqrt", 1, lambda x: 1 / np.sqrt(x), (_of_minima(ReductionOp.MAX),), domain=((0, POSITIVE),)),
    _map("exp", 1, np.exp, increasing(0)),
    _map("log", 1, np.log, (_of_minima(ReductionOp.MIN),), domain=((0, POSITIVE),)),
    _map("tanh", 1, np.tanh, increasing(0)),
    _map("sigmoid", 1, _sigmoid, increasing(0)),
    _map("silu", 1, lambda x: x * _sigmoid(x), torch="torch.nn.functional.silu", kernel=OperationKind.ACTIVATION),
    _map("relu", 1, lambda x: np.maximum(x, 0), increasing(0)),
    _map("gelu", 1, _gelu, torch="torch.nn.functional.gelu", kernel=OperationKind.ACTIVATION),
    _map("erf", 1, _erf, increasing(0)),
    _map("abs", 1, np.abs),
    _map("sign", 1, np.sign, increasing(0)),
    _map("sin", 1, np.sin),
    _map("cos", 1, np.cos),
    _map("atan", 1, np.arctan, increasing(0)),
    _map("gt", 2, lambda x, y: _real(x > y), increasing(0), decreasing(1), emitted="{0} > {1}"),
    _map("ge", 2, lambda x, y: _real(x >= y), increasing(0), decreasing(1), emitted="{0} >= {1}"),
    _map("lt", 2, lambda x, y: _real(x < y), decreasing(0), increasing(1), emitted="{0} < {1}"),
    _map("eq", 2, lambda x, y: _real(x == y), emitted="{0} == {1}"),
    _map("where", 3, _chosen, additive(1, 2), increasing(1, 2), keeps_whole=True),
    _map(
        "relu_backward",
        2,
        lambda gradient, x: np.where(x <= 0, 0, gradient),
        linear(0),
        torch="torch.ops.aten.threshold_backward",
        emitted="{torch}({0}, {1}, 0)",
    ),
    _map(
        "gelu_backward",
        2,
        _gelu_backward,
        linear(0),
        torch="torch.ops.aten.gelu_backward",
        kernel=OperationKind.ACTIVATION,
    ),
    _map(
        "gelu_tanh",
        1,
        _gelu_tanh,
        torch="torch.nn.functional.gelu",
        emitted="gelu_tanh({0})",
        kernel=OperationKind.ACTIVATION,
    ),
    _map(
        "gelu_tanh_backward",
        2,
        _gelu_tanh_backward,
        linear(0),
        torch="torch.ops.aten.gelu_backward",
        emitted="gelu_tanh_backward({0}, {1})",
        kernel=OperationKind.ACTIVATION,
    ),
    _map(
        "silu_backward",
        2,
        _silu_backward,
        linear(0),
        torch="torch.ops.aten.silu_backward",
        kernel=OperationKind.ACTIVATION,
    ),
    _map(
        "sigmoid_backward",
        2,
        lambda gradient, y: gradient * y * (1 - y),
        linear(0),
        exact=True,
        torch="torch.ops.aten.sigmoid_backward",
    ),
    _map(
        "tanh_backward", 2, lambda gradient, y: gradient * (1 - y * y), linear(0), torch="torch.ops.aten.tanh_backward"
    ),
    Operation(
        name="cast",
        kind=Kind.MAP,
        operands=1,
        signature=_cast_signature,
        numpy=_cast,
        keeps_whole=True,
        torch="torch.Tensor.to",
        emitted="{0}.to({dtype})",
        parameters=(Parameter("dtype", ParameterKind.DTYPE),),
    ),
)
"""All pointwise operations.

Casts to floating-point types do not round, because meanings are over real numbers. Maxima do not pass through
roots and logarithms, though these increase: the maximum of an empty slice is -inf.
"""
