"""Programs as values: sources, statements in order, outputs. Distributed programs have layouts as well."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from html import escape

from p2smt.display import one_line
from p2smt.errors import ProgramError
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.frame import Attributes
from p2smt.tensor.layout import Layout
from p2smt.wording import counted


class DType(StrEnum):
    """Types of elements."""

    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    F64 = "f64"
    I32 = "i32"
    I64 = "i64"
    BOOL = "bool"

    @property
    def bytes(self) -> int:
        """Bytes of an element."""
        match self:
            case DType.BOOL:
                return 1
            case DType.F16 | DType.BF16:
                return 2
            case DType.F32 | DType.I32:
                return 4
            case DType.F64 | DType.I64:
                return 8

    @property
    def is_whole(self) -> bool:
        """True if elements are whole numbers or truth values."""
        match self:
            case DType.I32 | DType.I64 | DType.BOOL:
                return True
            case DType.F16 | DType.BF16 | DType.F32 | DType.F64:
                return False

    def fits(self, other: "DType") -> bool:
        """Return true if the range of this type is within that of the other, so that a cast does no more than round.

        >>> DType.BF16.fits(DType.F32), DType.F32.fits(DType.BF16), DType.I64.fits(DType.F16), DType.I32.fits(DType.F32)
        (True, False, False, True)
        """
        return other in _LARGER[self]


LARGEST_F16 = 65504
"""A literal up to this size is in the range of every floating-point type."""
_FLOATS = (DType.F16, DType.BF16, DType.F32, DType.F64)
_LARGER: Mapping[DType, tuple[DType, ...]] = {
    **{dtype: _FLOATS[number:] for number, dtype in enumerate(_FLOATS)},
    DType.BOOL: (DType.BOOL, DType.I32, DType.I64, *_FLOATS),
    DType.I32: (DType.I32, DType.I64, *_FLOATS[1:]),
    DType.I64: (DType.I64, *_FLOATS[1:]),
}
"""For each floating-point type, the types with at least its range. Largest: f16 65504, bf16 3.39e38, f32 3.40e38."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of the mesh and its number of ranks."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A layout on a named axis; the name is empty if the mesh has one axis."""

    layout: Layout
    axis: str = ""


class SourceKind(StrEnum):
    """Kinds of tensors that no statement computes."""

    INPUT = "input"
    PARAMETER = "parameter"
    STATE = "state"
    SCALAR = "scalar"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A tensor that is given; axes that `layouts` does not name have it Replicated; a constant is filled with `value`.

    `names` has the name of each dimension, empty where it has none.
    """

    kind: SourceKind
    name: str
    dtype: DType = DType.F32
    shape: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    layouts: tuple[Placed, ...] = ()
    value: float = 0


@dataclass(frozen=True, slots=True)
class Read:
    """The value of a source or statement, which names its version."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A numeric literal."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Ranks:
    """The number of ranks of an axis."""

    axis: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """An operation; every parameter has its attribute."""

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
"""Prefix of statements that compute a value again instead of keeping it, as in checkpointed regions."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A name for the value of an expression."""

    name: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class Output:
    """A value that is observed; a Partial or Local one has to be declared so."""

    name: str
    layouts: tuple[Placed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Sources, statements in the order in which they are computed, outputs.

    Names are unique, and defined before they are read. Observed are the outputs and the last version of every state.
    A program without mesh, layouts and conversions is for one device. One without mesh that has them is for any number
    of ranks of one axis; `on` says how many.
    """

    name: str
    sizes: tuple[tuple[str, int], ...] = ()
    mesh: tuple[Axis, ...] = ()
    sources: tuple[Source, ...]
    statements: tuple[Statement, ...]
    outputs: tuple[Output, ...]

    @property
    def is_distributed(self) -> bool:
        """True if the program has a mesh, layouts or conversions."""
        return (
            bool(self.mesh)
            or any(source.layouts for source in self.sources)
            or any(output.layouts for output in self.outputs)
            or any(isinstance(part, Convert | Ranks) for part in self.expressions())
        )

    def on(self, *axes: Axis) -> "Program":
        """The same program on a mesh. ProgramError if it says another."""
        if self.mesh and self.mesh != axes:
            raise ProgramError(f"program {self.name} is for the mesh {_mesh_text(self.mesh)}, not {_mesh_text(axes)}")
        return replace(self, mesh=axes)

    def axis(self, name: str) -> int:
        """The number of an axis of the mesh; the empty name is that of the only one."""
        if not name and len(self.mesh) == 1:
            return 0
        for number, axis in enumerate(self.mesh):
            if axis.name == name:
                return number
        told = "a mesh of several axes needs their names" if not name else f"there is no axis {name!r}"
        raise ProgramError(f"{told}; the mesh is {_mesh_text(self.mesh)}")

    def expressions(self) -> Iterator[Expression]:
        """All expressions of the program, operands before the expressions that use them."""
        for statement in self.statements:
            yield from parts(statement.expression)

    def __repr__(self) -> str:
        mesh = f", mesh {_mesh_text(self.mesh)}" if self.mesh else ""
        return one_line(self, f"{self.name}: {counted(len(self.statements), 'statement')}{mesh}")

    def _repr_html_(self) -> str:
        """The text, as files have it."""
        from p2smt.tensor.text.printer import print_program

        return f"<pre>{escape(print_program(self))}</pre>"


def all_text(*programs: Program) -> str:
    """Everything in some programs, as one text."""
    return repr([[getattr(program, part.name) for part in fields(program)] for program in programs])


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The direct operands of an expression."""
    match expression:
        case Call(_, given):
            return given
        case Convert(_, operand):
            return (operand,)
        case Read() | Number() | Ranks():
            return ()


def parts(expression: Expression) -> Iterator[Expression]:
    """An expression's parts and itself, in the order in which they are computed."""
    for operand in operands(expression):
        yield from parts(operand)
    yield expression


def versions(program: Program) -> dict[str, str]:
    """The last version of every parameter and state that is updated: the name of its statement.

    ProgramError for an update inside another expression, or of what is neither a parameter nor a state nor a version
    of one: nobody would observe what it writes.
    """
    origin = {s.name: s.name for s in program.sources if s.kind in (SourceKind.STATE, SourceKind.PARAMETER)}
    last: dict[str, str] = {}
    for statement in program.statements:
        match statement.expression:
            case Call("update", (Read(old), new)) if old in origin:
                origin[statement.name] = origin[old]
                last[origin[old]] = statement.name
                nested = _has_update(new)
            case other:
                nested = _has_update(other)
        if nested:
            raise ProgramError(
                f"{statement.name}: an update is a statement of its own and writes a parameter, a state or a version "
                "of one: s1 = update(s, ...)"
            )
    return last


def _has_update(expression: Expression) -> bool:
    return any(isinstance(part, Call) and part.operation == "update" for part in parts(expression))


def _mesh_text(mesh: tuple[Axis, ...]) -> str:
    return ", ".join(f"{axis.name}={axis.size}" for axis in mesh) or "none"
