"""Conversions as proof obligations: ranks that hold a tensor in one layout afterwards hold it in another.

A tensor is a function of its indices, an axis has any number of ranks, and a cut is any function from the indices
of a dimension to ranks. Elements that a rank does not hold are unknown values. The meaning of a conversion says
from which rank an element comes, or over which ranks it is reduced. A lemma says that the sum of one value and
zeros is the value (`lemmas.py`).

    before(x, layout 1) and meaning of the conversion  implies  after(x, layout 2);   the solver refutes the negation.

Complexity: one query for each conversion, whatever the sizes.
Reference: Nelson and Oppen, "Fast decision procedures based on congruence closure", 1980.

Example: AllGather: the element x[i] is on rank cut(i), from which every rank gets it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from p2smt.smt.tables import (
    Index,
    TensorTable,
    Value,
    agreement,
    chosen,
    following,
    index,
    owned,
    owner,
    same,
    table,
    total,
    value,
)
from p2smt.smt.terms import Bool, Term, implies
from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.layout import Layout, Local, OnRank, Partial, Replicated, Sliced
from p2smt.tensor.rules.element import OVER
from p2smt.tensor.rules.schema import RuleObligation

_RANK, _ROOT = index("rank"), index("root")
_OLD, _NEW = "old_owner_", "new_owner_"
_NOTHING = value("nothing_sum", [])


def conversion_obligation(conversion: Conversion, before: Layout, after: Layout, dimensions: int) -> RuleObligation:
    """Return the obligation that a conversion leads from one layout to another, for any number of ranks and blocks.

    Layouts count by kind and sliced dimension, rank numbers only by equality. Local layouts are never
    claimed.
    """
    at = [index(f"i{number}") for number in range(dimensions)]
    held = _TensorOnRanks(before, _root(conversion, before))
    result = _Result(conversion, held)
    claim, lemmas = _claimed(after, result, held, at)
    name = type(conversion).__name__
    return RuleObligation(f"{name} {_text(before)} {_text(after)}", (*result.lemmas(_RANK, at), *lemmas), claim)


def _text(layout: Layout) -> str:
    match layout:
        case Sliced(dimension):
            return f"sliced {dimension}"
        case Partial(reduction):
            return f"partial {OVER[reduction]}"
        case Replicated() | Local() | OnRank():
            return type(layout).__name__.lower()


@dataclass(frozen=True, slots=True)
class _TensorOnRanks:
    """A tensor on ranks in a layout; `root` is the rank that holds an OnRank tensor."""

    layout: Layout
    root: Index

    def whole(self, at: Sequence[Index]) -> Value:
        """Return the tensor's element; for partial values, their reduction."""
        match self.layout:
            case Partial(reduction):
                return total(OVER[reduction], self.shares("shares_", at))
            case Replicated() | Sliced() | OnRank() | Local():
                return value("x", at)

    def of(self, rank: Index, at: Sequence[Index]) -> Value:
        """Return the element on a rank."""
        beyond = value("beyond", [rank, *at])
        match self.layout:
            case Replicated():
                return self.whole(at)
            case Sliced(dimension):
                return chosen(owned(_OLD, at[dimension], rank), self.whole(at), beyond)
            case Partial():
                return value("share", [rank, *at])
            case OnRank():
                return chosen(same(rank, self.root), self.whole(at), beyond)
            case Local():
                return beyond

    def shares(self, name: str, at: Sequence[Index]) -> TensorTable:
        """Return the table of an element's values on all ranks."""
        return table(name, at, lambda q: self.of(q[0], at))


@dataclass(frozen=True, slots=True)
class _Result:
    """The tensor on ranks after a conversion."""

    conversion: Conversion
    held: _TensorOnRanks

    def of(self, rank: Index, at: Sequence[Index]) -> Value:
        """Return the element on a rank after the conversion.

        Elements that a rank does not receive are unknown, or zero for Keep.
        """
        gets, element = self._gets(rank, at), self._element(rank, at)
        if gets is None:
            return element
        beyond = _NOTHING if isinstance(self.conversion, Keep) else value("unknown", [rank, *at])
        return chosen(gets, element, beyond)

    def _gets(self, rank: Index, at: Sequence[Index]) -> Bool | None:
        """Return the condition under which a rank receives the element; None for always."""
        match self.conversion:
            case ReduceScatter(dimension) | AllToAll(_, dimension) | Rebalance(dimension) | Slice(dimension):
                return owned(_NEW, at[dimension], rank)
            case Reduce() | Keep():
                return same(rank, _ROOT)
            case AllReduce() | AllGather() | Broadcast() | Send():
                return None
            case _:
                assert_never(self.conversion)

    def _element(self, rank: Index, at: Sequence[Index]) -> Value:
        """Return the received element: the reduction over all ranks, or the element of one rank."""
        match self.conversion:
            case AllReduce(reduction) | ReduceScatter(reduction=reduction) | Reduce(reduction=reduction):
                return total(OVER[reduction], self.held.shares("brought_", at))
            case AllGather(dimension) | AllToAll(dimension) | Rebalance(dimension):
                return self.held.of(owner(_OLD, at[dimension]), at)
            case Broadcast():
                return self.held.of(_ROOT, at)
            case Send():
                return self.held.of(owner("previous_", rank), at)
            case Slice() | Keep():
                return self.held.of(rank, at)
            case _:
                assert_never(self.conversion)

    def lemmas(self, rank: Index, at: Sequence[Index]) -> tuple[Bool, ...]:
        """Return the lemmas used by a conversion.

        A reduction gets the ranks' values, and the successor of a rank's predecessor is the rank itself.
        """
        brought, shares = self.held.shares("brought_", at), self.held.shares("shares_", at)
        anyone = index("any_rank")
        return (*agreement(brought, shares, [anyone]), same(following(owner("previous_", rank)), rank))


def _claimed(
    after: Layout, result: _Result, held: _TensorOnRanks, at: Sequence[Index]
) -> tuple[Term, tuple[Bool, ...]]:
    """Return the claim that ranks hold the tensor in this layout, and the lemmas for it."""
    right = same(result.of(_RANK, at), held.whole(at))
    match after:
        case Replicated():
            return right, ()
        case Sliced(dimension):
            return implies(owned(_NEW, at[dimension], _RANK), right), ()
        case OnRank():
            return implies(same(_RANK, _after_root(result)), right), ()
        case Partial(reduction):
            mine = table("after_", at, lambda q: result.of(q[0], at))
            alone = table("alone_", at, lambda q: chosen(same(q[0], _ROOT), held.whole(at), _NOTHING))
            one_term = [same(total("sum", alone), held.whole(at))]
            return same(total(OVER[reduction], mine), held.whole(at)), (
                *agreement(mine, alone, [index("any_rank_after")]),
                *one_term,
            )
        case Local():
            return False, ()


def _root(conversion: Conversion, before: Layout) -> Index:
    """Return the rank that holds the tensor before: the conversion's root, unless the layout names another."""
    match conversion, before:  # only OnRank: the root may differ from the conversion's
        case Reduce(root) | Broadcast(root) | Keep(root), OnRank(rank) if root != rank:
            return index("other_root")
        case _:
            return _ROOT


def _after_root(result: _Result) -> Index:
    return following(result.held.root) if isinstance(result.conversion, Send) else _ROOT
