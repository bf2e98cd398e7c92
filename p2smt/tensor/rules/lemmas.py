"""Lemmas about sums over labels and ranks, by induction, as obligations for the solver.

A sum is any associative and commutative operation with a neutral element, on values of any type; maxima have
-inf. Sums run over indices 0 .. n - 1, and a step leads from n to n + 1. Laws are given as the instances that
are used.
"""

from p2smt.smt.tables import Index, Value, before, chosen, following, index, same, value
from p2smt.smt.terms import Bool, neg
from p2smt.tensor.rules.schema import RuleObligation

_NOTHING = value("nothing", [])
_N, _OWNER, _RANKS = index("n"), index("owner"), index("ranks")


def _plus(left: Value, right: Value) -> Value:
    return value("plus", [left, right])


def _named(*names: str) -> tuple[Value, ...]:
    return tuple(value(name, []) for name in names)


def _neutral(each: Value) -> tuple[Bool, ...]:
    return same(_plus(_NOTHING, each), each), same(_plus(each, _NOTHING), each)


def _one_term(term: Value, upto: Index) -> Value:
    """Return the sum over the indices below `upto` of the term at `owner` and the neutral element elsewhere."""
    return chosen(before(_OWNER, upto), term, _NOTHING)


def lemmas() -> tuple[RuleObligation, ...]:
    """Return all obligations; each uses lemmas before it."""
    return (*_sum_of_nothing(), *_sum_of_sums(), *_sum_of_one_term(), *_partition(), *_exchange())


def _sum_of_nothing() -> tuple[RuleObligation, ...]:
    """Return the lemma that a sum of neutral elements is neutral; for no terms this is the definition."""
    (so_far,) = _named("so_far")
    step = same(_plus(so_far, _NOTHING), _NOTHING)
    return (RuleObligation("sum of nothing, step", (same(so_far, _NOTHING), _neutral(_NOTHING)[0]), step),)


def _sum_of_sums() -> tuple[RuleObligation, ...]:
    """Return the lemma that the sum of a(i) + b(i) is the sum of a(i) plus the sum of b(i)."""
    base = RuleObligation("sum of sums, base", (_neutral(_NOTHING)[0],), same(_plus(_NOTHING, _NOTHING), _NOTHING))
    both, left, right, a, b = _named("both", "left", "right", "a", "b")
    laws = (
        same(_plus(_plus(left, right), _plus(a, b)), _plus(left, _plus(right, _plus(a, b)))),
        same(_plus(_plus(right, a), b), _plus(right, _plus(a, b))),
        same(_plus(right, a), _plus(a, right)),
        same(_plus(_plus(a, right), b), _plus(a, _plus(right, b))),
        same(_plus(_plus(left, a), _plus(right, b)), _plus(left, _plus(a, _plus(right, b)))),
    )
    claim = same(_plus(both, _plus(a, b)), _plus(_plus(left, a), _plus(right, b)))
    return (base, RuleObligation("sum of sums, step", (same(both, _plus(left, right)), *laws), claim))


def _sum_of_one_term() -> tuple[RuleObligation, ...]:
    """Return the lemma that a sum of a term at one index and neutral elements elsewhere is the term."""
    so_far, term = _named("so_far", "term")
    zero = index("zero")
    none = RuleObligation("sum of one term, base", (neg(before(_OWNER, zero)),), same(_one_term(term, zero), _NOTHING))
    here = chosen(same(_OWNER, _N), term, _NOTHING)
    known = (same(so_far, _one_term(term, _N)), *_neutral(term), _neutral(_NOTHING)[0])
    claim = same(_plus(so_far, here), _one_term(term, following(_N)))
    return (none, RuleObligation("sum of one term, step", known, claim))


def _partition() -> tuple[RuleObligation, ...]:
    """Return the lemma that the sum over ranks of each rank's sum over its own indices is the total sum.

    Without indices both are neutral. The step adds one index with `term`: the owner's share grows by it, the
    others' do not.
    """
    shares, grown, at_owner, so_far, term = _named("shares", "grown", "at_owner", "so_far", "term")
    known = (
        same(shares, so_far),
        same(grown, _plus(shares, at_owner)),  # sum of sums
        same(at_owner, _one_term(term, _RANKS)),  # sum of one term
        before(_OWNER, _RANKS),
    )
    return (RuleObligation("partition, step", known, same(grown, _plus(so_far, term))),)


def _exchange() -> tuple[RuleObligation, ...]:
    """Return the lemma that sums over ranks and over a label can be exchanged, by induction on the label.

    Without indices both are neutral.
    """
    inside, outside, grown, term = _named("inside", "outside", "grown", "term")
    known = (same(inside, outside), same(grown, _plus(inside, term)))  # sum of sums
    return (RuleObligation("exchange, step", known, same(grown, _plus(outside, term))),)
