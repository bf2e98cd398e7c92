"""Forms of statements: expressions without the names that they read and the numbers written in them.

A model repeats few forms in its layers. What follows from the form of a statement and from properties of the values
that it reads, such as its shape, its layouts and its cost, is derived once and looked up for all others.

    fact(e) = table[form(e), kinds of the values that e reads],   with form(e) = e without its names and numbers.

Complexity: O(size of the expression).
Reference: Filliatre and Conchon, "Type-safe modular hash-consing", 2006.

Example: y = relu(x * 2) and z = relu(y * 3) have one form; the first reads x, the second y.
"""

from collections.abc import Hashable, Mapping

from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.program import Program

_READ, _NUMBER, _RANKS = 0, 1, 2
"""Integers, which no operation's name equals. No rule and no price depends on which number stands in a statement."""

Form = Hashable
"""An expression without the names that it reads; axes of the mesh are numbers."""


class FormReader:
    """The forms of the statements of a program, whose mesh numbers the axes."""

    def __init__(self, program: Program) -> None:
        self._axes: Mapping[str, int] = {axis.name: number for number, axis in enumerate(program.mesh)}
        if len(program.mesh) == 1:
            self._axes = {"": 0, **self._axes}

    def form(self, expression: Expression) -> tuple[Form, tuple[str, ...]]:
        """Return the form of an expression and the names that it reads, in order of execution."""
        reads: list[str] = []
        return self._form(expression, reads), tuple(reads)

    def _form(self, expression: Expression, reads: list[str]) -> Form:
        match expression:
            case Read(name):
                reads.append(name)
                return _READ
            case Call(operation, operands, attributes):
                return (operation, attributes, *[self._form(operand, reads) for operand in operands])
            case Number():
                return _NUMBER
            case Convert(conversion, operand, axis):
                return conversion, self._axes.get(axis, axis), self._form(operand, reads)
            case Ranks(axis):
                return _RANKS, self._axes.get(axis, axis)
