"""Renaming of statements, and removal of unused ones."""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.tensor.program import Call, Convert, Expression, Number, Program, Ranks, Read, parts, versions


def renamed(program: Program, names: Mapping[str, str]) -> Program:
    """Return the program with these statements renamed; the new names must be free."""
    return replace(
        program,
        statements=tuple(
            replace(each, name=names.get(each.name, each.name), expression=_renamed(each.expression, names))
            for each in program.statements
        ),
        outputs=tuple(replace(each, name=names.get(each.name, each.name)) for each in program.outputs),
    )


def _renamed(expression: Expression, names: Mapping[str, str]) -> Expression:
    match expression:
        case Read(name):
            return Read(names.get(name, name))
        case Call(_, operands):
            return replace(expression, operands=tuple(_renamed(operand, names) for operand in operands))
        case Convert(_, operand):
            return replace(expression, operand=_renamed(operand, names))
        case Number() | Ranks():
            return expression


def without_unused(program: Program) -> Program:
    """Return the program without statements that neither an output nor the last version of a state needs."""
    needed = {output.name for output in program.outputs} | set(versions(program).values())
    kept = []
    for statement in reversed(program.statements):
        if statement.name in needed:
            kept.append(statement)
            needed |= {part.name for part in parts(statement.expression) if isinstance(part, Read)}
    return replace(program, statements=tuple(reversed(kept)))
