"""Terms over tensors of any size: uninterpreted values, functions of indices, and reductions over an index.

A value has an uninterpreted sort, so a proof holds for any numbers and any operation. A total (such as a sum over an
index) is an uninterpreted function of a table; its properties must be stated as lemmas. There are no quantifiers, so
every query is decidable: tables are compared at a single unknown index.
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
    """A function of indices, with its value at each index; tables with the same name and parameters are equal."""

    term: Value
    body: Callable[[Sequence[Index]], Value]


def index(name: str) -> Index:
    """Return a free integer."""
    return z3.Int(name)


def owner(name: str, at: Index) -> Index:
    """Return the rank that owns this index under an unknown assignment of indices to ranks."""
    return z3.ArithRef(z3.Function(name, z3.IntSort(), z3.IntSort())(at).ast)


def owned(name: str, at: Index, rank: Index) -> Bool:
    """A term: the rank owns this index."""
    return same(owner(name, at), rank)


def value(function: str, arguments: Sequence[Index | Value]) -> Value:
    """Return a value that is an uninterpreted function of indices, values and tables."""
    return _applied(function, arguments, _VALUE)


def table(name: str, parameters: Sequence[Index], body: Callable[[Sequence[Index]], Value]) -> TensorTable:
    """Return the table with this body, which may depend on `parameters` and no other free index."""
    return TensorTable(_applied(name, parameters, _TABLE), body)


def total(kind: str, over: TensorTable) -> Value:
    """Return the total of a table over its whole index range."""
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
    """Return `then` if the condition holds, else `otherwise`."""
    return z3.If(condition, then, otherwise)


def same(left: Index | Value, right: Index | Value) -> Bool:
    """A term: the two are equal."""
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
    """Return the index plus one."""
    # Minus -1, because the printer's table (`smtlib_functions.py`) has subtraction and no addition.
    return at - z3.IntVal(-1)
