"""Structural equality of two single-device programs, independent of statement names.

Method: hash-consing, or value numbering (Cocke and Schwartz, "Programming Languages and Their Compilers", 1970): an
expression is numbered by (operation, attributes, numbers of its operands), sorted if the operation commutes, so equal
numbers mean equal values. Each value is a term  factor * number  with an exact factor, which moves out of every
operation that is linear in an operand.

    number(f(e1, ..., en)) = table[f, attributes, number(e1), ..., number(en)].

Complexity: one table look-up for each subexpression of both programs. Equal terms prove equality; different ones prove
nothing.

Example: sum(x / 4) / 2 and sum(x) / 8 are both 1/8 * number(sum, x).
"""

from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import assert_never

from p2smt.tensor.dtype import LARGEST_F16, DType
from p2smt.tensor.expression import Call, Convert, Number, Ranks, Read
from p2smt.tensor.frame import Attributes
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.program import Program, versions
from p2smt.tensor.shapes import signature
from p2smt.tensor.signature import Shape
from p2smt.tensor.typed_walk import TypedExpression, TypedExpressions, shapes_of, typed_walk

_COMMUTATIVE = ("add", "mul", "maximum", "minimum")
_Term = tuple[int, Fraction]
"""The number of an expression, and the factor by which it is multiplied."""
_Key = tuple[str, Attributes, tuple[_Term, ...]]
_ONE = Fraction(1)


class Expressions:
    """Numbers expressions such that equal ones share a number, up to the order of commutative operands.

    Literal factors are moved out of linear operations, exactly: sum(x / 4) / 2 is sum(x) / 8. A new version
    of a state is its new value. A cast to a type of at least the range is its operand; other casts are
    unknown functions.
    """

    def __init__(self) -> None:
        self._numbers: dict[_Key, int] = {}
        self._one = self._number("number", ())

    def observed(self, program: Program) -> dict[str, _Term]:
        """Return the term of every output and of the last version of every updated source.

        Keys are texts such as "output y" and "version of w".
        """
        walk, terms = typed_walk(program), list[_Term]()
        known = {source.name: (self._number("source", (), source.name), _ONE) for source in program.sources}
        for each in walk:
            terms.append(self._of(each, [terms[number] for number in each.operands], known, walk))
            known[each.statement] = terms[-1]  # the last expression of a statement is its value
        outputs = {f"output {output.name}": known[output.name] for output in program.outputs}
        return outputs | {f"version of {name}": known[last] for name, last in versions(program).items()}

    def _of(self, typed: TypedExpression, terms: list[_Term], known: dict[str, _Term], walk: TypedExpressions) -> _Term:
        match expression := typed.expression:
            case Read(name):
                return known[name]
            case Number(value):
                return (self._one, Fraction(value)) if isfinite(value) else (self._number("infinite", (), value), _ONE)
            case Call("update"):
                return terms[1]
            case Call():
                return self._called(expression, typed, terms, walk)
            case Convert() | Ranks():
                raise AssertionError("a program for one device")
            case _:
                assert_never(expression)

    def _called(self, call: Call, typed: TypedExpression, terms: list[_Term], walk: TypedExpressions) -> _Term:
        operation = call.operation
        if operation == "cast":
            kept = _changes_nothing(DType(str(call.attributes[0])), walk[typed.operands[0]], walk)
            return terms[0] if kept else (self._number(operation, tuple(terms), *call.attributes), _ONE)
        plain = self._plain(operation, terms)
        if plain is not None:
            return plain
        if operation == "sub":
            operation, terms[1] = "add", (terms[1][0], -terms[1][1])
        factor, bare = _factored(replace(call, operation=operation), terms, shapes_of(walk, typed))
        ordered = sorted(bare) if operation in _COMMUTATIVE else bare
        return self._number(operation, tuple(ordered), *call.attributes), factor

    def _plain(self, operation: str, terms: list[_Term]) -> _Term | None:
        """Return the operand of a negation, or of a product or quotient with a literal, and its factor.

        None for other calls.
        """
        match operation, terms:
            case "neg", [(number, factor)]:
                return number, -factor
            case "mul", [(number, factor), (self._one, by)] | [(self._one, by), (number, factor)]:
                return number, factor * by
            case "div", [(number, factor), (self._one, by)] if by:
                return number, factor / by
            case _:
                return None

    def _number(self, operation: str, terms: tuple[_Term, ...], *attributes: object) -> int:
        return self._numbers.setdefault((operation, attributes, terms), len(self._numbers))  # type: ignore[arg-type]


def _changes_nothing(dtype: DType, operand: TypedExpression, walk: TypedExpressions) -> bool:
    """True for a cast to a floating-point type of at least the range, which does no more than round."""
    known = operand.whole.dtype
    if dtype.is_whole:
        return False
    if known is None:
        return isinstance(operand.expression, Number) and abs(operand.expression.value) <= LARGEST_F16
    if known.fits(dtype):
        return True
    # There and back again: a value that comes from the smaller type is in its range.
    match operand.expression:
        case Call("cast", _, (target,)):
            inner = walk[operand.operands[0]]
            return _changes_nothing(DType(str(target)), inner, walk) and _changes_nothing(dtype, inner, walk)
        case _:
            return False


def _factored(call: Call, terms: list[_Term], shapes: tuple[Shape, ...]) -> tuple[Fraction, list[_Term]]:
    """Return the factor that can be moved out of a call, and the remaining operands.

    A sum uses the factor of its first operand.
    """
    factor, left = _ONE, list(terms)
    if call.operation == "div" and terms[1][1]:
        factor, left[1] = 1 / terms[1][1], (terms[1][0], _ONE)
    if call.operation == "add":
        left.sort()
    for operands in _additive(call, shapes):
        first = next((left[at][1] for at in sorted(operands) if left[at][1]), _ONE)
        if len(operands) == 1 or call.operation == "add" or len({left[at][1] for at in operands}) == 1:
            factor *= first
            for at in operands:
                left[at] = left[at][0], left[at][1] / first
    return factor, left


def _additive(call: Call, shapes: tuple[Shape, ...]) -> list[frozenset[int]]:
    """Return the groups of operands in which a call is jointly additive, so that factors can be moved out."""
    found = signature(call, shapes).distributes
    # only: factors come out of sums only
    return [each.operands for each in found if each.before is each.after is ReductionOp.SUM]


def same_expressions(left: Program, right: Program) -> bool:
    """True if the observed values of two single-device programs are the same expressions."""
    expressions = Expressions()
    return expressions.observed(left) == expressions.observed(right)
