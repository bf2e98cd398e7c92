"""A call of one of torch's operations, with its arguments as views and numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from p2smt.errors import CaptureError, DefectError
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.graph import Argument, Reference, TorchNode, references
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType
from p2smt.tensor.signature import Shape

DTYPES: Mapping[str, DType] = {
    "float16": DType.F16,
    "bfloat16": DType.BF16,
    "float32": DType.F32,
    "float64": DType.F64,
    "int32": DType.I32,
    "int64": DType.I64,
    "bool": DType.BOOL,
}
FLOATS = (DType.F16, DType.BF16, DType.F32, DType.F64)


@dataclass(frozen=True, slots=True)
class Random:
    """The random bits of a dropout, which its backward pass uses again."""

    share: float
    seed: int
    views: tuple[View, ...] = ()


@dataclass(frozen=True, slots=True)
class Uniform:
    """Uniform random numbers in [`offset`, `offset + 1`); a tensor only if used for more than a comparison."""

    offset: float
    seed: int
    shape: Shape
    dtype: DType


@dataclass(frozen=True, slots=True)
class Complex:
    """A complex tensor as its parts, each of which can be a number."""

    real: View
    imaginary: View


Result = View | Random | Uniform | Complex | None


@dataclass(slots=True)
class LoweringState:
    """State shared by lowerings: results, known elements, seeds, normalized rows and their eps, biases of masks.

    `seeds` are keyed by the number of the random draw. `eps` and `drawn` (seeds of attention with dropout) are
    keyed by the forward node's name. `put` maps scattered gradients to the gradient of each row, the indices and
    the number of classes. `numbers` are the nodes whose uniform random numbers must be tensors, because they are
    used for more than a comparison.
    """

    results: dict[Reference, Result] = field(default_factory=dict)
    seeds: dict[int, int] = field(default_factory=dict)
    rows: dict[tuple[str, View, int, float], View] = field(default_factory=dict)
    eps: dict[str, float] = field(default_factory=dict)
    drawn: dict[str, int] = field(default_factory=dict)
    elements: dict[Reference, npt.NDArray[np.float64]] = field(default_factory=dict)
    counted: dict[tuple[int, DType], View] = field(default_factory=dict)
    put: dict[View, tuple[View, View, int]] = field(default_factory=dict)
    biases: dict[tuple[View, DType], View] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()


class AtenCall:
    """A node with its arguments resolved; unsupported ones raise CaptureError with the model's line."""

    def __init__(self, node: TorchNode, memory: LoweringState) -> None:
        self.node = node
        self.memory = memory
        self.overload = node.operation.rpartition(".")[2]

    def refused(self, why: str) -> CaptureError:
        """A CaptureError that names operation and line."""
        return CaptureError(f"{self._called}: {why}")

    def defect(self, cause: Exception) -> DefectError:
        """Return a DefectError for an unexpected exception in a lowering; unsupported input must be refused instead."""
        raised = f"{type(cause).__name__}: {' '.join(str(cause).split())[:200]}".rstrip(": ")
        return DefectError(
            f"{self._called}; lowering it, p2smt raised {raised}. That is a defect of p2smt, not of the "
            "model; please report it with the lines of the model"
        )

    @property
    def _called(self) -> str:
        where = f"{self.node.line}: " if self.node.line else ""
        part = "called in the backward pass there" if self.node.backward else "called there"
        return f"{where}{self.node.operation} is {part}"

    def argument(self, position: int, name: str = "") -> Argument:
        """Return an argument by position or by name; None if it is absent."""
        if position < len(self.node.arguments):
            return self.node.arguments[position]
        return self.node.keywords.get(name)

    def view(self, position: int, name: str = "") -> View:
        """An operand as a tensor or number."""
        found = self.maybe(position, name)
        if found is None:
            raise self.refused(f"its argument {position + 1} is not a tensor of the program")
        return found

    def maybe(self, position: int, name: str = "") -> View | None:
        """An optional operand."""
        return self.viewed(self.argument(position, name))

    def views(self, position: int) -> list[View]:
        """The operands in a list argument."""
        listed = self.argument(position)
        if not isinstance(listed, list):
            raise self.refused(f"its argument {position + 1} is not a list of tensors")
        found = [self.viewed(item) for item in listed]
        return [view for view in found if view is not None]

    def references(self) -> list[Reference]:
        """Return the results of other nodes that this node takes as arguments."""
        return references(self.node)

    def operands(self) -> list[View]:
        """All tensor operands."""
        found = [self.memory.results.get(item) for item in self.references()]
        return [view for view in found if isinstance(view, View)]

    def viewed(self, argument: Argument) -> View | None:
        """An argument as a view or number; None if it is neither."""
        match argument:
            case Reference():
                found = self.memory.results.get(argument)
                if not isinstance(found, View):
                    raise self.refused(f"it takes {argument.node}, which is not a tensor of the program")
                return found
            case bool() | int() | float():
                return number(argument)
            case _:
                return None

    def random(self, position: int) -> Random:
        """The random bits that the forward operation recorded."""
        argument = self.argument(position)
        found = self.memory.results.get(argument) if isinstance(argument, Reference) else None
        if not isinstance(found, Random):
            raise self.refused("it takes a mask that does not come from dropout")
        return found

    def whole(self, position: int, name: str = "", default: int | None = None) -> int:
        """An integer argument."""
        found = self.argument(position, name)
        if found is None and default is not None:
            return default
        if not isinstance(found, int):
            raise self.refused(f"its argument {position + 1} is not a known whole number")
        return int(found)

    def real(self, position: int, name: str = "", default: float | None = None) -> float:
        """A floating-point argument."""
        found = self.argument(position, name)
        if found is None and default is not None:
            return default
        if not isinstance(found, int | float):
            raise self.refused(f"its argument {position + 1} is not a known number")
        return float(found)

    def wholes(self, position: int, name: str = "") -> tuple[int, ...]:
        """A list of integers; a single integer is a list of one, and None an empty list."""
        found = self.argument(position, name)
        listed = found if isinstance(found, list) else [] if found is None else [found]
        numbers = [item for item in listed if isinstance(item, int)]
        if len(numbers) < len(listed):
            raise self.refused(f"its argument {position + 1} is not a list of known whole numbers")
        return tuple(numbers)

    def dim(self, position: int, rank: int, name: str = "dim", default: int | None = None) -> int:
        """A dimension argument, normalized to be nonnegative."""
        found = self.whole(position, name, default)
        if not rank:
            raise self.refused("it is applied to a tensor without dimensions")
        return found + rank if found < 0 else found

    def dims(self, position: int, rank: int, name: str = "dim") -> tuple[int, ...]:
        """Dimensions, normalized to be nonnegative; by default all; torch allows 0 for scalars."""
        if not rank:
            return ()
        found = self.wholes(position, name) or tuple(range(rank))
        return tuple(each + rank if each < 0 else each for each in found)

    @property
    def shape(self) -> Shape:
        """The shape of the first result."""
        return self.shape_of(0)

    def shape_of(self, result: int) -> Shape:
        """The shape of one of the results."""
        meta = self.node.results[result]
        if meta is None:
            raise self.refused("it does not return a tensor")
        return meta.shape

    @property
    def dtype(self) -> DType:
        """The element type of the first result."""
        return self.dtype_of(0)

    def dtype_of(self, result: int) -> DType:
        """The element type of one of the results."""
        meta = self.node.results[result]
        if meta is None or meta.dtype not in DTYPES:
            raise self.refused(f"it returns {'no tensor' if meta is None else 'elements of type ' + meta.dtype}")
        return DTYPES[meta.dtype]

    def elements(self, result: int) -> npt.NDArray[np.float64] | None:
        """The elements of one of the results, if known."""
        listed = self.node.elements
        found = listed[result] if result < len(listed) else None
        return None if found is None else np.frombuffer(found).reshape(self.shape_of(result))

    def wanted(self, result: int) -> bool:
        """True if the node has this result."""
        return result < len(self.node.results) and self.node.results[result] is not None

    def seed(self) -> int:
        """Return a fresh seed; a recomputed operation (checkpointing) gets the seed of the original one."""
        return self.memory.seeds.setdefault(self.node.drawn, len(self.memory.seeds) + 1)


Lowered = View | Random | Uniform | Complex | Sequence[Result]
Handler = Callable[[Emission, AtenCall], Lowered]
