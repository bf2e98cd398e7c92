"""Erasure: the single-device program that remains when layouts and conversions are removed.

Structural recursion, a homomorphism of expressions:
    erase(Convert(c, e, axis)) = erase(e),   erase(ranks(axis)) = the size of the axis,
    erase(f(e1, ..., en)) = f(erase(e1), ..., erase(en)),   erase(name) = name.
A distributed program whose layouts are valid computes what its erasure computes; that is what layout rules are proved
to preserve.
Complexity: O(size of the program).
Reference: Pierce, "Types and Programming Languages", 2002, section 9.5 (erasure of types).

Example: z = AllReduce(x @ w) / ranks(data) on 4 ranks is erased to z = (x @ w) / 4.
"""

from dataclasses import replace
from typing import assert_never

from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Statement
from p2smt.tensor.program import Program


def erased(program: Program) -> Program:
    """Return the program without layouts and conversions; numbers of ranks become literals."""
    return replace(
        program,
        mesh=(),
        sources=tuple(replace(source, layouts=()) for source in program.sources),
        statements=tuple(Statement(each.name, _erased(each.expression, program)) for each in program.statements),
        outputs=tuple(replace(output, layouts=()) for output in program.outputs),
    )


def _erased(expression: Expression, program: Program) -> Expression:
    match expression:
        case Read() | Number():
            return expression
        case Ranks(axis):
            return Number(program.mesh[program.axis(axis)].size)
        case Convert(_, operand):
            return _erased(operand, program)
        case Call(_, operands):
            return replace(expression, operands=tuple(_erased(operand, program) for operand in operands))
        case _:
            assert_never(expression)
