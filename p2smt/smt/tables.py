"""Terms over tensors of any size: values of no known kind, functions of indices, and totals over all of an index.

A value is of an uninterpreted sort, so that what is proved holds for any numbers and any operation. A total is an
uninterpreted function of a table: what is to be known of it, a lemma has to say. Questions stay without quantifiers,
so that they are always decided: tables are compared at one unknown index each.
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
    """A function of indices with what it is at each; tables of one name and parameters are one."""

    term: Value
    body: Callable[[Sequence[Index]], Value]


def index(name: str) -> Index:
    """A free whole number."""
    return z3.Int(name)


def owner(name: str, at: Index) -> Index:
    """The rank that owns this index, by an assignment of indices to ranks of which nothing is known."""
    return z3.ArithRef(z3.Function(name, z3.IntSort(), z3.IntSort())(at).ast)


def owned(name: str, at: Index, rank: Index) -> Bool:
    """The rank owns this index."""
    return same(owner(name, at), rank)


def value(function: str, arguments: Sequence[Index | Value]) -> Value:
    """A value that depends on indices, values and tables, in no known way."""
    return _applied(function, arguments, _VALUE)


def table(name: str, parameters: Sequence[Index], body: Callable[[Sequence[Index]], Value]) -> TensorTable:
    """The table of the body, which depends on these parameters and no other free index."""
    return TensorTable(_applied(name, parameters, _TABLE), body)


def total(kind: str, over: TensorTable) -> Value:
    """The total of a table over all of its index."""
    return value(kind, [over.term])


def agreement(left: TensorTable, right: TensorTable, at: Sequence[Index]) -> tuple[Bool, ...]:
    """Two tables that agree at indices of which nothing else is known are one; and what they are there."""
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
    """The left index is the smaller one."""
    return neg(left >= right)


def following(at: Index) -> Index:
    """The next index."""
    return at - z3.IntVal(-1)
