"""Tensor programs: sources, statements in order, and outputs. Distributed programs also declare layouts."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from html import escape

from p2smt.display import one_line
from p2smt.errors import ProgramError
from p2smt.tensor.expression import (
    Call,
    Convert,
    Expression,
    Output,
    ProgramAxis,
    Ranks,
    Read,
    Source,
    SourceKind,
    Statement,
    parts,
)
from p2smt.wording import counted


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
        from p2smt.tensor.printer import print_program  # knows all operations, with numpy

        return f"<pre>{escape(print_program(self))}</pre>"


def all_text(*programs: Program) -> str:
    """Return everything in these programs as one text, to derive seeds from."""
    return repr([[getattr(program, part.name) for part in fields(program)] for program in programs])


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
