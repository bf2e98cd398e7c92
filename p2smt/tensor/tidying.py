"""Renaming of statements, and removal of unused ones.

Dead-code elimination in one pass against program order (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 9.1):
    needed = outputs and last versions of states;
    a statement is kept if its name is in needed, and then the names that it reads are added to needed.
One pass is enough, because every name is defined before it is read. Renaming is simultaneous, by one table.
Complexity: O(size of the program).

Example: a = x + y; b = relu(a); output a: b is removed.
"""

from collections.abc import Mapping
from dataclasses import replace
from operator import is_

from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Statement, parts
from p2smt.tensor.program import Program, versions


def renamed(program: Program, names: Mapping[str, str]) -> Program:
    """Return the program with these statements renamed; the new names must be free."""
    return replace(
        program,
        statements=tuple([_with_names(each, names) for each in program.statements]),
        outputs=tuple(replace(each, name=names.get(each.name, each.name)) for each in program.outputs),
    )


def _with_names(statement: Statement, names: Mapping[str, str]) -> Statement:
    name, expression = names.get(statement.name, statement.name), _renamed(statement.expression, names)
    is_same = name == statement.name and expression is statement.expression
    return statement if is_same else Statement(name, expression)


def _renamed(expression: Expression, names: Mapping[str, str]) -> Expression:
    """Return the expression with other names; the same object if none of them occurs."""
    match expression:
        case Read(name):
            return Read(names[name]) if name in names else expression
        case Call(operation, operands, attributes):
            made = tuple([_renamed(operand, names) for operand in operands])
            is_same = all(map(is_, made, operands))
            return expression if is_same else Call(operation, made, attributes)
        case Convert(conversion, operand, axis):
            inner = _renamed(operand, names)
            return expression if inner is operand else Convert(conversion, inner, axis)
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
