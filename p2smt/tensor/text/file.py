"""Programs in files."""

from pathlib import Path

from p2smt.argument_types import path_of
from p2smt.errors import ProgramError
from p2smt.problem.typed import read_bounded
from p2smt.tensor.program import Program
from p2smt.tensor.text.lexer import MAX_TEXT
from p2smt.tensor.text.parser import parse_program


def read_program(path: Path | str) -> Program:
    """Read the tensor program in a file of at most 4 MiB. ProgramError with the position in the file."""
    data = read_bounded(path_of(path, "step.tp"), MAX_TEXT, ProgramError)
    try:
        return parse_program(data.decode())
    except UnicodeDecodeError as cause:
        raise ProgramError(
            f"{path}: byte {cause.start} is not UTF-8; give a tensor program, as `p2smt capture` writes it"
        ) from cause
    except ProgramError as cause:
        raise ProgramError(f"{path}: {cause}{shown_by('layer-program', cause)}") from cause


def shown_by(kind: str, mistake: ProgramError) -> str:
    """Return the example to compare a text with, as the end of a message that names no other way out.

    >>> shown_by("layer-program", ProgramError("line 2, column 1: expected '=', found 'x'"))
    '; compare it with `p2smt example layer-program`'
    """
    return "" if "; " in str(mistake) else f"; compare it with `p2smt example {kind}`"
