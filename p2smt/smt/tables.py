"""Terms over tensors of any size: uninterpreted values, functions of indices, and totals over an index.

A value is of an uninterpreted sort, so a proof holds for any numbers and any operation. A total is
an uninterpreted function of a table; properties of totals must be stated as lemmas. There are no
quantifiers, so every question is decided: tables are compared at one unknown index each.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3
from z3 import z3core

from p2smt.smt.terms import Bool, implies, neg

Index = z3.ArithRef
Value = z3.ExprRef
_VALUE, _TABLE = "Value", "TensorTable"


@dataclass(frozen=True, slots=True)
class TensorTable:
    """A function of indices and its value at each of them; tables of one name and equal parameters are equal."""

    term: Value
    body: Callable[[Sequence[Index]], Value]


def index(name: str) -> Index:
    """A free integer."""
    return z3.Int(name)


def owner(name: str, at: Index) -> Index:
    """The rank that owns this index under an unknown assignment of indices to ranks."""
    return z3.ArithRef(z3.Function(name, z3.IntSort(), z3.IntSort())(at).ast)


def owned(name: str, at: Index, rank: Index) -> Bool:
    """The rank owns this index."""
    return same(owner(name, at), rank)


def value(function: str, arguments: Sequence[Index | Value]) -> Value:
    """A value that depends in an unknown way on indices, values and tables."""
    return _applied(function, arguments, _VALUE)


def table(name: str, parameters: Sequence[Index], body: Callable[[Sequence[Index]], Value]) -> TensorTable:
    """The table with this body, which depends on these parameters and no other free index."""
    return TensorTable(_applied(name, parameters, _TABLE), body)


def total(kind: str, over: TensorTable) -> Value:
    """The total of a table over all of its index."""
    return value(kind, [over.term])


def agreement(left: TensorTable, right: TensorTable, at: Sequence[Index]) -> tuple[Bool, ...]:
    """Extensionality at one index: terms that define both tables there, and equality of the tables if they agree.

    `at` must be indices that occur nowhere else. Agreement at such an index is agreement
    everywhere.
    """
    names = [_applied("at", [each.term, *at], _VALUE) for each in (left, right)]
    known = [same(name, each.body(at)) for name, each in zip(names, (left, right), strict=True)]
    one = implies(same(names[0], names[1]), same(left.term, right.term))
    return (*known, *([] if isinstance(one, bool) else [one]))


def chosen(condition: Bool, then: Value, otherwise: Value) -> Value:
    """`then` where the condition holds, else `otherwise`."""
    return z3.If(condition, then, otherwise)


def same(left: Index | Value, right: Index | Value) -> Bool:
    """The two are equal."""
    return z3.BoolRef(z3core.Z3_mk_eq(z3.main_ctx().ref(), left.ast, right.ast))


def _applied(function: str, arguments: Sequence[Index | Value], sort: str) -> Value:
    if not arguments:
        return z3.Const(function, z3.DeclareSort(sort))
    sorts = [argument.sort() for argument in arguments]
    return z3.Function(f"{function}{len(arguments)}", *sorts, z3.DeclareSort(sort))(*arguments)


def before(left: Index, right: Index) -> Bool:
    """A term: the left index is less than the right one."""
    return neg(left >= right)


def following(at: Index) -> Index:
    """The next index."""
    # Minus -1, because the printer's table (`smtlib_functions.py`) has subtraction and no addition.
    return at - z3.IntVal(-1)
