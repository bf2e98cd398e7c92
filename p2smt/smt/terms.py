"""Boolean terms for the solver; constants are Python's True and False and are folded away at once."""

from collections.abc import Iterable, Sequence
from typing import Any

import z3

Term = Any  # z3.BoolRef or bool


def conj(terms: Iterable[Term]) -> Term:
    """All of the terms."""
    kept = [term for term in terms if term is not True]
    if any(term is False for term in kept):
        return False
    return True if not kept else kept[0] if len(kept) == 1 else z3.And(kept)


def disj(terms: Iterable[Term]) -> Term:
    """At least one of the terms."""
    kept = [term for term in terms if term is not False]
    if any(term is True for term in kept):
        return True
    return False if not kept else kept[0] if len(kept) == 1 else z3.Or(kept)


def neg(term: Term) -> Term:
    """The opposite of a term."""
    return not term if isinstance(term, bool) else z3.Not(term)


def implies(condition: Term, consequence: Term) -> Term:
    """The consequence wherever the condition holds."""
    return disj((neg(condition), consequence))


def iff(left: Term, right: Term) -> Term:
    """Both or neither."""
    if left is right:
        return True
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return left == right


def either(condition: Term, then: Term, otherwise: Term) -> Term:
    """`then` where the condition holds, else `otherwise`."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if identity(then) == identity(otherwise):
        return then
    if isinstance(then, bool):
        return disj((condition, otherwise)) if then else conj((neg(condition), otherwise))
    if isinstance(otherwise, bool):
        return disj((neg(condition), then)) if otherwise else conj((condition, then))
    return z3.If(condition, then, otherwise)


def select(cases: Iterable[tuple[Term, Term]], otherwise: Term) -> Term:
    """The value of the one case whose condition holds, else `otherwise`."""
    chosen = otherwise
    for condition, value in joined(cases):
        chosen = either(condition, value, chosen) if identity(value) != identity(otherwise) else chosen
    return chosen


def joined(cases: Iterable[tuple[Term, Term]]) -> list[tuple[Term, Term]]:
    """The same (condition, value) cases, those of equal value made one: smaller formulas, same meaning."""
    values: dict[int | bool, tuple[list[Term], Term]] = {}
    for condition, value in cases:
        values.setdefault(identity(value), ([], value))[0].append(condition)
    return [(disj(conditions), value) for conditions, value in values.values()]


def identity(term: Term) -> int | bool:
    """What equal terms share: the solver keeps every term once."""
    return term if isinstance(term, bool) else int(term.get_id()) + 2


def constants(name: str, count: int) -> list[Term]:
    """`count` free boolean constants, called name0, name1, ..."""
    return [z3.Bool(f"{name}{place}") for place in range(count)]


def spells(bits: Sequence[Term], number: int) -> Term:
    """The bits, least significant first, are those of the number."""
    return conj(bit if number >> place & 1 else neg(bit) for place, bit in enumerate(bits))
