"""Tensor programs: sources, statements in order, and outputs. Distributed programs also declare layouts."""

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
    """Element types."""

    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    F64 = "f64"
    I32 = "i32"
    I64 = "i64"
    BOOL = "bool"

    @property
    def bytes(self) -> int:
        """The size of an element in bytes."""
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
        """True for integer types and booleans."""
        match self:
            case DType.I32 | DType.I64 | DType.BOOL:
                return True
            case DType.F16 | DType.BF16 | DType.F32 | DType.F64:
                return False

    def fits(self, other: "DType") -> bool:
        """True if the other type covers the range of this one, so that a cast does no more than round.

        >>> DType.BF16.fits(DType.F32), DType.F32.fits(DType.BF16), DType.I64.fits(DType.F16), DType.I32.fits(DType.F32)
        (True, False, False, True)
        """
        return other in _LARGER[self]


LARGEST_F16 = 65504
"""Literals of at most this absolute value are in the range of every floating-point type."""
_FLOATS = (DType.F16, DType.BF16, DType.F32, DType.F64)
_LARGER: Mapping[DType, tuple[DType, ...]] = {
    **{dtype: _FLOATS[number:] for number, dtype in enumerate(_FLOATS)},
    DType.BOOL: (DType.BOOL, DType.I32, DType.I64, *_FLOATS),
    DType.I32: (DType.I32, DType.I64, *_FLOATS[1:]),
    DType.I64: (DType.I64, *_FLOATS[1:]),
}
"""For each element type, the types that cover its range.

Largest values: f16 65504, bf16 3.39e38, f32 3.40e38.
"""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Sources, statements in order of execution, and outputs.

    Names are unique and defined before they are read. Observed values are the outputs and the last version of
    every updated state. A program without mesh, layouts and conversions is for a single device. One that has
    layouts or conversions but no mesh runs on one axis of any number of ranks; `on` sets it.
    """

    name: str
    sizes: tuple[tuple[str, int], ...] = ()
    mesh: tuple[ProgramAxis, ...] = ()
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

    def on(self, *axes: ProgramAxis) -> "Program":
        """Return the program on this mesh. ProgramError if it declares another one."""
        if self.mesh and self.mesh != axes:
            raise ProgramError(f"program {self.name} is for the mesh {_mesh_text(self.mesh)}, not {_mesh_text(axes)}")
        return replace(self, mesh=axes)

    def axis(self, name: str) -> int:
        """Return the number of a mesh axis; the empty name means the only axis."""
        if not name and len(self.mesh) == 1:
            return 0
        for number, axis in enumerate(self.mesh):
            if axis.name == name:
                return number
        told = "a mesh of several axes needs their names" if not name else f"there is no axis {name!r}"
        raise ProgramError(f"{told}; the mesh is {_mesh_text(self.mesh)}")

    def expressions(self) -> Iterator[Expression]:
        """Yield all expressions of the program, operands before the expressions that use them."""
        for statement in self.statements:
            yield from parts(statement.expression)

    def __repr__(self) -> str:
        mesh = f", mesh {_mesh_text(self.mesh)}" if self.mesh else ""
        return one_line(self, f"{self.name}: {counted(len(self.statements), 'statement')}{mesh}")

    def _repr_html_(self) -> str:
        """Return the program text as HTML, for notebooks."""
        from p2smt.tensor.text.printer import print_program

        return f"<pre>{escape(print_program(self))}</pre>"


def all_text(*programs: Program) -> str:
    """Return everything in these programs as one text, to derive seeds from."""
    return repr([[getattr(program, part.name) for part in fields(program)] for program in programs])


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
        _add_parts(operand, found)
    found.append(expression)


def versions(program: Program) -> dict[str, str]:
    """Return the statement that defines the last version of each updated parameter and state, by source name.

    ProgramError for an update nested in an expression, or of anything but a parameter, a state or a version
    of one: its effect would not be observed.
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


def _mesh_text(mesh: tuple[ProgramAxis, ...]) -> str:
    return ", ".join(f"{axis.name}={axis.size}" for axis in mesh) or "none"
