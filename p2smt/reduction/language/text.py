"""The text syntax of programs, as in the paper: `(node, InsideGroup, ReduceScatter); ...`.

Parsing the text of a program returns an equal program; the empty program is `skip`.
"""

import re
from collections.abc import Sequence
from typing import assert_never

from p2smt.collective import Collective, Communication, NeighbourSend
from p2smt.errors import ProgramError
from p2smt.reduction.language.instruction import Form, InsideGroup, Instruction, Master, Parallel, Program

_EMPTY = "skip"
INSTRUCTION = re.compile(r"\(\s*([\w.-]+)\s*,\s*(\w+)(?:\(\s*([\w.-]+)\s*\))?\s*,\s*(\w+)\s*\)")
"""A regular expression for one instruction: slice, form, the form's ancestor if any, collective."""


def format_form(form: Form, names: Sequence[str]) -> str:
    """Format a form; `names` are the level names, root first.

    >>> format_form(Parallel(0), ["root", "node"])
    'Parallel(root)'
    """
    match form:
        case InsideGroup():
            return "InsideGroup"
        case Parallel(ancestor):
            return f"Parallel({names[ancestor]})"
        case Master(ancestor):
            return f"Master({names[ancestor]})"
        case _:
            assert_never(form)


def format_instruction(instruction: Instruction, names: Sequence[str]) -> str:
    """Format one instruction.

    >>> format_instruction(Instruction(0, InsideGroup(), Collective.ALL_REDUCE), ["root", "gpu"])
    '(root, InsideGroup, AllReduce)'
    """
    return format_step(instruction.slice, instruction.form, instruction.collective, names)


def format_step(slice_level: int, form: Form, what: Communication | NeighbourSend, names: Sequence[str]) -> str:
    """Format a step's groups and operation; the operation may be one that is not a collective of the language."""
    return f"({names[slice_level]}, {format_form(form, names)}, {what})"


def format_program(program: Program, names: Sequence[str]) -> str:
    """Format a program; `parse_program` with the same names is the inverse."""
    return "; ".join(format_instruction(instruction, names) for instruction in program) or _EMPTY


def parse_program(text: str, names: Sequence[str]) -> Program:
    """Parse a program; `names` are the level names of its hierarchy, root first.

    >>> parse_program("(root, InsideGroup, AllReduce)", ["root", "gpu"])
    (Instruction(slice=0, form=InsideGroup(), collective=<Collective.ALL_REDUCE: 'AllReduce'>),)
    """
    if text.strip() == _EMPTY:
        return ()
    return tuple(_parse_instruction(part.strip(), names) for part in text.split(";"))


def _parse_instruction(text: str, names: Sequence[str]) -> Instruction:
    match = INSTRUCTION.fullmatch(text)
    if not match:
        raise ProgramError(
            f"instruction {text[:80]!r} does not parse; write (slice, form, collective) "
            f"such as ({names[0]}, InsideGroup, AllReduce)"
        )
    slice_name, form_name, ancestor, collective = match.groups()
    if collective not in set(Collective):
        raise ProgramError(f"collective {collective!r} is unknown; choose one of {', '.join(Collective)}")
    level = _level(slice_name, names)
    return Instruction(level, _form(form_name, ancestor, level, names), Collective(collective))


def _form(name: str, ancestor: str | None, level: int, names: Sequence[str]) -> Form:
    if name == "InsideGroup" and ancestor is None:
        return InsideGroup()
    if name not in ("Parallel", "Master") or ancestor is None:
        raise ProgramError(f"form {name!r} is unknown; write InsideGroup, Parallel(level) or Master(level)")
    above = _level(ancestor, names)
    if above >= level:
        raise ProgramError(
            f"{name}({ancestor}) needs a level outside {names[level]}; the levels, outermost first, "
            f"are {', '.join(names)}"
        )
    return Parallel(above) if name == "Parallel" else Master(above)


def _level(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise ProgramError(f"level {name!r} is unknown; the levels are {', '.join(names)}")
    return names.index(name)
