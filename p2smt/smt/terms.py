"""Boolean terms for the solver; the constants are Python's True and False, and are simplified away at once."""

from collections.abc import Callable, Iterable, Sequence
from ctypes import Array
from typing import TypeVar, overload

import z3
from z3 import z3core

from p2smt.smt.bitvectors import BitVec
from p2smt.smt.interrupts import deliver

Bool = z3.BoolRef
Term = Bool | bool
Value = TypeVar("Value", Term, BitVec)

_TRUE, _FALSE = -1, -2  # the solver numbers its terms from 0


def conj(terms: Iterable[Term]) -> Term:
    """A term: all of the terms hold."""
    kept: list[Bool] = []
    for term in terms:
        if not isinstance(term, bool):
            kept.append(term)
        elif not term:
            return False
    # A single term is returned as it is: no AND of one, so formulas that are equal stay equal
    # terms.
    return True if not kept else kept[0] if len(kept) == 1 else _made(z3core.Z3_mk_and, kept)


def disj(terms: Iterable[Term]) -> Term:
    """A term: at least one of the terms holds."""
    kept: list[Bool] = []
    for term in terms:
        if not isinstance(term, bool):
            kept.append(term)
        elif term:
            return True
    return False if not kept else kept[0] if len(kept) == 1 else _made(z3core.Z3_mk_or, kept)


@overload
def neg(term: Bool) -> Bool: ...
@overload
def neg(term: Term) -> Term: ...
def neg(term: Term) -> Term:
    """Return the negation of a term."""
    return not term if isinstance(term, bool) else z3.BoolRef(z3core.Z3_mk_not(z3.main_ctx().ref(), term.ast))


def implies(condition: Term, consequence: Term) -> Term:
    """A term: if the condition holds, so does the consequence."""
    return disj((neg(condition), consequence))


def iff(left: Term, right: Term) -> Term:
    """A term: both terms have the same value."""
    if left is right:
        return True
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return z3.BoolRef(z3core.Z3_mk_eq(z3.main_ctx().ref(), left.ast, right.ast))


def differ(left: Bool, right: Bool) -> Bool:
    """A term: the two terms have different values."""
    return left != right


def either(condition: Term, then: Value, otherwise: Value) -> Value:
    """Return `then` if the condition holds, else `otherwise`."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if identity(then) == identity(otherwise):
        return then
    if isinstance(then, bool):
        return disj((condition, otherwise)) if then else conj((neg(condition), otherwise))
    if isinstance(otherwise, bool):
        return disj((neg(condition), then)) if otherwise else conj((condition, then))
    chosen = z3core.Z3_mk_ite(z3.main_ctx().ref(), condition.ast, then.ast, otherwise.ast)
    return z3.BoolRef(chosen) if isinstance(then, z3.BoolRef) else z3.BitVecRef(chosen)


def select(cases: Iterable[tuple[Term, Value]], otherwise: Value) -> Value:
    """Return the value of the one case whose condition holds, else `otherwise`."""
    chosen, left_out = otherwise, identity(otherwise)
    for condition, value in joined(cases):
        chosen = either(condition, value, chosen) if identity(value) != left_out else chosen
    return chosen


def joined(cases: Iterable[tuple[Term, Value]]) -> list[tuple[Term, Value]]:
    """Merge (condition, value) cases of equal value: a smaller formula with the same meaning."""
    values: dict[int, tuple[list[Term], Value]] = {}
    for condition, value in cases:
        values.setdefault(identity(value), ([], value))[0].append(condition)
    return [(disj(conditions), value) for conditions, value in values.values()]


def identity(term: Term | z3.ExprRef) -> int:
    """Return z3's number of a term; z3 shares equal terms, so equal numbers mean equal terms."""
    if isinstance(term, bool):
        return _TRUE if term else _FALSE
    return z3core.Z3_get_ast_id(z3.main_ctx().ref(), term.ast)


def constant(name: str) -> Bool:
    """Return a free boolean constant."""
    return z3.Bool(name)


def constants(name: str, count: int) -> list[Bool]:
    """Return `count` free boolean constants, named name0, name1, ..."""
    return [z3.Bool(f"{name}{number}") for number in range(count)]


def literal(value: bool) -> Bool:
    """Return True or False as a z3 term, which is not simplified away."""
    return z3.BoolVal(value)


def spells(bits: Sequence[Term], number: int) -> Term:
    """A term: the bits, least significant first, encode the number."""
    return conj(bit if number >> place & 1 else neg(bit) for place, bit in enumerate(bits))


def at_most(bits: Sequence[Bool], most: int) -> Bool:
    """A term: at most `most` of the bits hold."""
    return z3.AtMost(*bits, most)


def adds_up(weighted: Sequence[tuple[Bool, int]], total: int) -> Term:
    """A term: the weights of the bits that hold sum to `total`."""
    return z3.PbEq(weighted, total) if weighted else total == 0


def _made(make: Callable[[z3core.ContextObj, int, Array[z3core.Ast]], z3core.Ast], terms: Sequence[Bool]) -> Bool:
    # z3's own And and Or look at the sort of every term once more, which takes most of their time.
    deliver()
    asts = (z3core.Ast * len(terms))(*[term.ast for term in terms])
    return z3.BoolRef(make(z3.main_ctx().ref(), len(terms), asts))
