"""Values of a text on one device: tensors of a tensor program, and known numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from p2smt.errors import VerifyError
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.lowering.moves import joined_along
from p2smt.frontend.torch_graph.view import View
from p2smt.frontend.xla.known import KnownNumbers
from p2smt.frontend.xla.ssa import HloShape, Type
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.tensor.dtype import DType

DTYPES = {
    "f16": DType.F16,
    "bf16": DType.BF16,
    "f32": DType.F32,
    "f64": DType.F64,
    "s32": DType.I32,
    "i32": DType.I32,
    "s64": DType.I64,
    "i64": DType.I64,
    "pred": DType.BOOL,
    "i1": DType.BOOL,
}
FLOATS = (DType.F16, DType.BF16, DType.F32, DType.F64)
MOST_WRITTEN = 64
"""The most numbers in a non-uniform constant, which is written element by element."""


@dataclass(frozen=True, slots=True)
class DeviceTensor:
    """A tensor with its shape: an expression of the program, known numbers, or both."""

    shape: HloShape
    view: View | None = None
    known: KnownNumbers | None = None


@dataclass(frozen=True, slots=True)
class GlobalValue:
    """A global value, outside per-device code: a parameter, or a result with its sharding."""

    parameter: int | None = None
    inside: DeviceTensor | None = None
    sharding: str = ""


Value: TypeAlias = "DeviceTensor | GlobalValue | tuple[Value, ...]"


def dtype_of(shape: HloShape) -> DType:
    """The element type. UncoveredError for one that tensor programs lack."""
    if shape.kind not in DTYPES:
        raise UncoveredError(f"elements of type {shape.kind} are not supported in tensor programs")
    return DTYPES[shape.kind]


def tensors_of(values: Sequence[Value]) -> list[DeviceTensor]:
    """The operands as tensors."""
    found = [value for value in values if isinstance(value, DeviceTensor)]
    if any(isinstance(value, GlobalValue) for value in values):
        raise UncoveredError(
            "it is outside of the code that every device runs: the program is not partitioned there yet; "
            "give the text of the compiled program, or put it inside a shard_map"
        )
    if len(found) < len(values) or not found:
        raise VerifyError("expected a tensor, found a tuple or no operand; take one element of the tuple")
    return found


def types_of(type_: "Type | None") -> list[HloShape]:
    """Return the tensor types in a type, including those in tuples."""
    if isinstance(type_, HloShape):
        return [type_]
    return [each for one in type_ or () for each in types_of(one)]


def viewed(emission: Emission, tensor: DeviceTensor) -> View:
    """Return the tensor as a view. UncoveredError if it has too many distinct known numbers."""
    if tensor.view is not None:
        return tensor.view
    assert tensor.known is not None
    dtype, dims = dtype_of(tensor.shape), tensor.shape.dims
    if tensor.known.uniform:
        return _filled(tensor.known.single(0), dims, dtype)
    values = tensor.known.of(0).ravel()
    if values.size > MOST_WRITTEN:
        raise UncoveredError(f"a constant of {values.size} different numbers is not supported")
    parts = [_filled(float(each) if dtype in FLOATS else int(each), (1,), dtype) for each in values.tolist()]
    return emission.reshaped(joined_along(emission, parts, 0), dims)


def _filled(value: float, dims: tuple[int, ...], dtype: DType) -> View:
    if np.isnan(value):
        raise UncoveredError("a constant that is not a number is not supported")
    return View(number(value).expression, (), (), dtype).repeated(dims)
