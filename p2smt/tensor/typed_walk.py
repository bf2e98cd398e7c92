"""Typed walk over a program: every expression once, operands first, with its shape and element type.

Expressions are numbered in order of execution, and each names its operands by number. A reader that derives a value
for every expression keeps a list, and looks up the values of operands there:
    found = []
    for each in typed_walk(program):
        found.append(derive(each, [found[number] for number in each.operands]))
Guarantees: operands come before their users; the expressions of a statement are consecutive, with its value last.
For programs with layouts, `Inferred.steps` (`inference.py`) extends the walk with them.
Complexity: O(size of the program).
Reference: Knuth, "Semantics of context-free languages", 1968 (synthesised attributes).

Example: the statement y = x * 2 has 0: x, 1: 2, 2: mul of 0 and 1.
"""

from collections.abc import Mapping
from typing import NamedTuple

from p2smt.errors import ProgramError
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Statement
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole, whole_of_call
from p2smt.tensor.signature import Shape


class TypedExpression(NamedTuple):
    """An expression of a statement: its shape, its element type, and the numbers of its operands."""

    statement: str
    expression: Expression
    whole: Whole
    operands: tuple[int, ...]


TypedExpressions = tuple[TypedExpression, ...]
_NUMBER = Whole()


def typed_walk(program: Program) -> TypedExpressions:
    r"""Return all expressions of a program. ProgramError names the statement whose shapes or types do not fit.

    >>> from p2smt.tensor.text.parser import parse_program
    >>> for each in typed_walk(parse_program("program p\ninput x : f32[4]\ny = x * 2\noutput y\n")):
    ...     print(each.whole, each.operands)
    Whole(shape=(4,), dtype=<DType.F32: 'f32'>) ()
    Whole(shape=(), dtype=None) ()
    Whole(shape=(4,), dtype=<DType.F32: 'f32'>) (0, 1)
    """
    walk = _Walk({source.name: Whole(source.shape, source.dtype) for source in program.sources})
    for statement in program.statements:
        walk.add(statement)
    return tuple(walk.found)


def typed_statement(statement: Statement, known: Mapping[str, Whole]) -> TypedExpressions:
    """Return the expressions of one statement, numbered within it; `known` has all names that it reads."""
    walk = _Walk(known)
    walk.add(statement)
    return tuple(walk.found)


def shapes_of(expressions: TypedExpressions, of: TypedExpression) -> tuple[Shape, ...]:
    """Return the shapes of an expression's operands."""
    return tuple([expressions[number].whole.shape for number in of.operands])


class _Walk:
    def __init__(self, known: Mapping[str, Whole]) -> None:
        self._known = dict(known)
        self.found: list[TypedExpression] = []
        self._wholes: dict[Whole, int] = {}
        self._number_of = {name: self._numbered(whole) for name, whole in self._known.items()}
        self._numbers: list[int] = []
        self._calls: dict[tuple[object, ...], tuple[Whole, int]] = {}

    def add(self, statement: Statement) -> None:
        """Append the expressions of a statement."""
        try:
            number = self._add(statement.name, statement.expression)
        except ProgramError as cause:
            raise ProgramError(f"{statement.name}: {cause}") from cause
        self._known[statement.name] = self.found[number].whole
        self._number_of[statement.name] = self._numbers[number]

    def _add(self, statement: str, expression: Expression) -> int:
        """Add an expression after its operands, and return its number."""
        numbers: tuple[int, ...] = ()
        match expression:
            case Read(name):
                whole, kind = self._known[name], self._number_of[name]
            case Number() | Ranks():
                whole, kind = _NUMBER, self._numbered(_NUMBER)
            case Convert(_, operand):
                numbers = (self._add(statement, operand),)
                whole, kind = self.found[numbers[0]].whole, self._numbers[numbers[0]]
            case Call(_, operands):
                numbers = tuple([self._add(statement, operand) for operand in operands])
                whole, kind = self._called(expression, numbers)
        self.found.append(TypedExpression(statement, expression, whole, numbers))
        self._numbers.append(kind)
        return len(self.found) - 1

    def _numbered(self, whole: Whole) -> int:
        """Return the number of a shape and type; equal ones share it, so that calls are cached by numbers."""
        return self._wholes.setdefault(whole, len(self._wholes))

    def _called(self, call: Call, operands: tuple[int, ...]) -> tuple[Whole, int]:
        key = (call.operation, call.attributes, *[self._numbers[number] for number in operands])
        if key not in self._calls:
            whole = whole_of_call(call, tuple([self.found[number].whole for number in operands]))
            self._calls[key] = whole, self._numbered(whole)
        return self._calls[key]
