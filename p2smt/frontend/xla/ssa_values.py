"""What a name stands for while a program is read: a tensor and where its elements are, or several values."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from p2smt.errors import VerifyError
from p2smt.frontend.xla.ssa import Instruction, Kind, Shape, Type
from p2smt.verify.plan import Part


@dataclass(frozen=True, slots=True)
class Given:
    """The parameter at this place, unchanged."""

    place: int


@dataclass(frozen=True, slots=True)
class Zero:
    """Zeros everywhere."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A shape, and where its elements lie in row-major order."""

    shape: Shape
    where: Part | Given | Zero


Value: TypeAlias = "Tensor | tuple[Value, ...]"


def leaves(value: Value) -> Iterator[Tensor]:
    """The tensors in a value, in order."""
    if isinstance(value, tuple):
        for one in value:
            yield from leaves(one)
    else:
        yield value


def check_type(value: Value, type_: Type) -> None:
    """Raise VerifyError unless a value has the dimensions that the text says."""
    if isinstance(value, tuple) or isinstance(type_, tuple):
        if not isinstance(value, tuple) or not isinstance(type_, tuple) or len(value) != len(type_):
            counts = [len(one) if isinstance(one, tuple) else 1 for one in (value, type_)]
            raise VerifyError(
                f"it gives a tuple of {counts[0]} values, but its type has {counts[1]}; or one is no tuple"
            )
        for one, wanted in zip(value, type_, strict=True):
            check_type(one, wanted)
    elif value.shape.dims != type_.dims:
        raise VerifyError(f"it gives {value.shape}, but its type is {type_}")


def reshaped(instruction: Instruction, tensor: Tensor, shape: Shape) -> Tensor:
    """The same elements in the same order as another type; raises VerifyError where the order would change."""
    old = tensor.shape
    match instruction.kind:
        case Kind.BITCAST if (old.dims, old.layout) != (shape.dims, shape.layout):
            if not (old.row_major and shape.row_major):
                raise VerifyError(f"{old} and {shape} do not lie in memory row by row, so the elements change places")
        case Kind.CONVERT if not _floating(old) or not _floating(shape):
            raise VerifyError(f"{old} becomes {shape}; only floating-point numbers are converted")
        case Kind.BROADCAST if isinstance(tensor.where, Zero):
            return Tensor(shape, tensor.where)
        case Kind.BROADCAST if old.size != shape.size or not _only_new_ones(old, shape, instruction.dims):
            raise VerifyError(f"{old} becomes {shape}; only zeros are repeated, and dimensions keep their order")
    if old.size != shape.size:
        raise VerifyError(f"{old} becomes {shape}, which has another number of elements")
    return Tensor(shape, tensor.where)


def _floating(shape: Shape) -> bool:
    return shape.kind.startswith(("f", "bf"))


def _only_new_ones(old: Shape, new: Shape, dims: tuple[int, ...]) -> bool:
    """Whether the old dimensions keep their order and size, and all others have size 1."""
    in_order = list(dims) == sorted(set(dims)) and len(dims) == len(old.dims) and all(d < len(new.dims) for d in dims)
    return in_order and all(new.dims[d] == size for d, size in zip(dims, old.dims, strict=True))
