"""Parts of tensor programs: sources, expressions, statements and outputs."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from p2smt.tensor.conversion import Conversion
from p2smt.tensor.dtype import DType
from p2smt.tensor.frame import Attributes
from p2smt.tensor.layout import Layout


@dataclass(frozen=True, slots=True)
class ProgramAxis:
    """An axis of the mesh and its number of ranks."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class AxisLayout:
    """A layout on a named axis; the name is empty if the mesh has one axis."""

    layout: Layout
    axis: str = ""


class SourceKind(StrEnum):
    """Kinds of sources: tensors that no statement computes."""

    INPUT = "input"
    PARAMETER = "parameter"
    STATE = "state"
    SCALAR = "scalar"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A tensor that the program receives.

    Axes not named in `layouts` are Replicated. A constant is filled with `value`. `names` has the name of
    each dimension, empty if it has none.
    """

    kind: SourceKind
    name: str
    dtype: DType = DType.F32
    shape: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    layouts: tuple[AxisLayout, ...] = ()
    value: float = 0


@dataclass(frozen=True, slots=True)
class Read:
    """The value of a source or statement. Each version of a state has its own name."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A numeric literal."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Ranks:
    """The number of ranks along an axis."""

    axis: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an operation. `attributes` has one value per parameter."""

    operation: str
    operands: tuple["Expression", ...]
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True)
class Convert:
    """A change of layout along an axis."""

    conversion: Conversion
    operand: "Expression"
    axis: str = ""


Expression = Read | Number | Ranks | Call | Convert


RECOMPUTED = "recomputed."
"""Name prefix of statements that recompute a value instead of keeping it, as in checkpointed regions."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A name for the value of an expression."""

    name: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class Output:
    """An output of the program; a Partial or Local layout must be declared."""

    name: str
    layouts: tuple[AxisLayout, ...] = ()


def operands(expression: Expression) -> tuple[Expression, ...]:
    """Return the direct operands of an expression."""
    match expression:
        case Call(_, given):
            return given
        case Convert(_, operand):
            return (operand,)
        case Read() | Number() | Ranks():
            return ()


def parts(expression: Expression) -> Iterator[Expression]:
    """Yield an expression's parts and then itself, in order of execution."""
    found: list[Expression] = []
    _add_parts(expression, found)
    return iter(found)


def _add_parts(expression: Expression, found: list[Expression]) -> None:
    for operand in operands(expression):
        # Most operands are reads, which have no parts: a call for each would take most of the time.
        if isinstance(operand, Read):
            found.append(operand)
        else:
            _add_parts(operand, found)
    found.append(expression)
