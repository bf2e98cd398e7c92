"""A lower bound where exact elimination needs too much memory: sequential reweighted message passing (SRMP).

Problem: choose one option per choice; minimise the sum of the tables. Choices with small sums are eliminated exactly,
as in `elimination.py`. Among the remaining tables, f over several choices and u_i over one, costs are moved:

    u_i(o) + sum over f of a_fi(o)   and   f(x) - sum over i of a_fi(x_i)   have the same total for every x

For any amounts a, the sum of the least entries of all tables is a lower bound. A sweep visits the choices in an order:
each takes all it can from the tables it shares with earlier choices, and gives equal parts of its costs to the tables
it shares with later ones. The next sweep goes backwards. No sweep lowers the bound.

Order: breadth first from a choice on the edge (Cuthill-McKee), so that the cost of one layer of a model reaches all
other layers in one sweep. Memory: the remaining tables as dense arrays. Sweeps use single precision; the final amounts,
rounded to integers, prove a bound that is computed in integers.
Certificate: messages and cuts of the elimination, then the amounts as `Shift`s.
Reference: Kolmogorov, "A new look at reweighted message passing", PAMI 37 (2015); TRW-S is its case of pairs.

Example: choices a, b with costs (0, 4) and (0, 4), and a link that forbids both first options together. The least
costs add up to 0. After moving costs, (2, 4), (2, 4) and the table (., 0; 0, -2) prove that every sum is at least 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from p2smt.spmd.engines.certificate import Case, Certificate, Message, Shift, Step
from p2smt.spmd.engines.elimination import numbered, undone
from p2smt.spmd.engines.elimination_order import by_weight, small_sums
from p2smt.spmd.engines.engine import MEMORY
from p2smt.spmd.engines.moved_costs import MovedCosts
from p2smt.spmd.engines.problem import JointProblem
from p2smt.spmd.engines.remaining import RemainingProblem, Store
from p2smt.spmd.engines.simplification import SimplificationCache, SimplifiedProblem, simplify
from p2smt.spmd.engines.table import NEVER

_STAGES = (2**10, 2**14, 2**17, 2**19)
"""Limits on the sums eliminated exactly, per stage; dominated options are removed after all but the first."""

_SLACKS = tuple(2e-3 / 2**number for number in range(12))
"""Fractions of the bound, tried in this order: options with more slack are excluded when looking for an assignment."""

_MOST_DECODED = 2**23
"""The most entries of a sum when looking for an assignment."""

_BYTES = 4 + 8
"""Bytes per entry: one single-precision float and one 64-bit integer."""


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A lower bound on all assignments, with its certificate if requested and a cheap assignment if one was found.

    `bound` is exact if elimination left no tables. It is None if the remaining tables exceed the memory, or if the
    problem is infeasible.
    """

    bound: int | None
    certificate: Certificate | None = None
    assignment: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class SharedWork:
    """Simplifications and sums shared by problems with equal parts."""

    known: SimplificationCache = field(default_factory=SimplificationCache)
    store: Store = field(default_factory=Store)


def relax(
    problem: JointProblem,
    memory: int = MEMORY,
    *,
    proof: bool = True,
    decode: bool = True,
    enough: int | None = None,
    shared: SharedWork | None = None,
) -> LowerBound:
    """Return a lower bound on the costs of all assignments, ignoring limits.

    Once the bound reaches `enough`, it is not raised further and no assignment is sought, nor without `decode`.
    """
    shared = shared or SharedWork()
    simple = simplify(replace(problem, limits=()), shared.known)
    if not all(simple.kept):
        return LowerBound(None)
    return _Relaxation(simple, memory, shared.store, proof=proof).run(enough, decode=decode)


def moved_along(
    problem: JointProblem, tables: Sequence[tuple[int, int]], memory: int, shared: SharedWork
) -> tuple[LowerBound, list[tuple[int, ...]]] | None:
    """Return a lower bound, and for each link the costs moved to its second choice, option by option, after the sweeps.

    `tables` has the links as pairs of choices, which are not eliminated; no pair has another link. None without a
    bound.
    """
    simple = simplify(replace(problem, limits=()), shared.known)
    if not all(simple.kept):
        return None
    stay = frozenset([each for pair in tables for each in pair])
    relaxation = _Relaxation(simple, memory, shared.store, proof=False, stay=stay)
    found = relaxation.run(None)
    if found.bound is None:
        return None
    amounts = {shift.scope: shift.amounts for shift in relaxation.shifts}
    moved = []
    for first, second in tables:
        mine = amounts.get((min(first, second), max(first, second)))
        given = [0] * len(problem.choices[second].costs)
        if mine is not None:
            for option, amount in zip(simple.kept[second], mine[int(second > first)], strict=True):
                given[option] = amount
        moved.append(tuple(given))
    return found, moved


class _Relaxation:
    def __init__(
        self, simple: SimplifiedProblem, memory: int, store: Store, *, proof: bool, stay: frozenset[int] = frozenset()
    ) -> None:
        """Prepare the problem; choices in `stay` are not eliminated."""
        self._simple = simple
        self._memory = memory
        self._proof = proof
        self._stay = stay
        self.shifts: tuple[Shift, ...] = ()
        self._remaining = RemainingProblem.of(simple.problem, store)
        self._steps: list[Step] = []

    def run(self, enough: int | None, *, decode: bool = True) -> LowerBound:
        """Return the bound, and an assignment in the numbering of the original problem."""
        if not self._eliminated():
            return LowerBound(None)
        remaining = self._remaining
        scopes = {scope for scope, _ in remaining.tables}
        if sum([prod([remaining.sizes[each] for each in scope]) for scope in scopes]) * _BYTES > self._memory:
            return LowerBound(None)
        before = sum([step.shift if isinstance(step, Message) else -step.loss for step in self._steps])
        rest = MovedCosts.of(remaining)
        rest.sweep(None if enough is None else enough - before)
        shifts = self.shifts = rest.shifts()
        bound = before + rest.bound_of(shifts)
        if bound >= NEVER // 2:
            return LowerBound(None)
        certificate = None
        if self._proof:
            used: dict[int, int] = {}
            case = numbered(Case(tuple(self._steps)), used)
            tables = tuple([remaining.store.tables[number] for number in used])
            certificate = Certificate(self._simple.removals, tables, case.messages, bound, shifts=shifts)
        if not decode or (enough is not None and bound >= enough):
            return LowerBound(bound, certificate)
        return LowerBound(bound, certificate, self._decoded(rest, bound))

    def _eliminated(self) -> bool:
        """Eliminate choices with small sums; False if the problem is found to be infeasible."""
        for entries in _STAGES:
            left = [choice for choice in self._remaining.left if choice not in self._stay]
            # Planning removes tables, so it is done on a copy, which takes over if the plan is carried out.
            remaining = self._remaining.copy()
            plan = remaining.plan(small_sums(remaining.sizes, remaining.near, left, entries))
            if plan.bytes > self._memory:
                break
            self._remaining = remaining
            messages, is_possible = remaining.carry_out(plan)
            self._steps += messages
            if not is_possible:
                return False
            if entries != _STAGES[0]:
                self._steps += remaining.cuts(0, 0)
        return True

    def _decoded(self, rest: MovedCosts, bound: int) -> tuple[int, ...] | None:
        """Return the cheapest assignment of options with little slack; None if none was found."""
        slack = rest.slack()
        for share in _SLACKS:
            remaining, steps = self._remaining.copy(self._remaining.store.copy()), []
            for number, choice in enumerate(rest.choices):
                kept = tuple(np.flatnonzero(slack[number] <= share * bound).tolist())
                if len(kept) < remaining.sizes[choice]:
                    steps.append((choice, kept))
                    remaining.restrict(choice, kept)
            order = by_weight(remaining.sizes, remaining.near, remaining.left)
            if order.largest > _MOST_DECODED:
                continue
            plan = remaining.plan(order.steps)
            if plan.bytes > self._memory:
                continue
            messages, is_possible = remaining.carry_out(plan)
            if not is_possible:
                return None
            chosen = list(undone(remaining, messages, [0] * len(remaining.sizes), 0).chosen)
            for choice, kept in steps:
                chosen[choice] = kept[chosen[choice]]
            leaf = undone(self._remaining, self._steps, chosen, 0)
            return tuple([options[number] for options, number in zip(self._simple.kept, leaf.chosen, strict=True)])
        return None
