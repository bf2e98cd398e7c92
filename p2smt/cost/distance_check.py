"""Checker of distances: verifies that no step, and no permutation before it, shortens any of them.

Method: optimality conditions of shortest paths (dual feasibility; Ahuja, Magnanti and Orlin, "Network Flows", 1993,
section 5.2). A table `left` is a lower bound on all paths to the goal if for every edge e from s to t
    left[s] <= price[e] + left[t],   left[goal] <= 0,
since along any path the inequalities add up to  left[start] <= sum of prices. `spent` is the same from the start,
including the permutations of buffers between the steps. A table of bounds and one inequality per edge are a proof.

The checker shares no code with the search: it applies steps to one state at a time by the level algebra's own rules,
and adds whole numbers. Both take the permutations to choose from out of `BufferRules`.

Complexity: O(edges) for `left`; O(places x steps x permutations) for `spent`.

Example: a - b - goal with prices 3 and 4, and a - goal with price 9: left = (7, 4, 0) holds, left = (8, 4, 0) does not,
because 8 > 3 + 4.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.plan.buffers import BufferRules, PermutationChoice
from p2smt.reduction.plan.layouts import Orders
from p2smt.reduction.rules.optimality import Prices
from p2smt.reduction.semantics.goal import LevelGoal, level_goal
from p2smt.reduction.semantics.level_algebra import LevelState, apply_step, class_groups
from p2smt.smt.deadlines import is_over

Place = tuple[LevelState, Orders]
"""A state, and the layout of the buffers in it."""


@dataclass(frozen=True, slots=True)
class Distances:
    """Claimed distances, which imply that no program of any length, in any lowering, costs less than `bound`.

    `left[s]` is a lower bound on the cost from state `s` to the goal, for any buffer layout; states not in the table
    cannot reach the goal. `spent[p]` is a lower bound on the cost from the start to place `p`; places not in the table
    are on no path that ends below the bound.
    """

    bound: int
    left: Mapping[LevelState, int]
    spent: Mapping[Place, int]


@dataclass(frozen=True, slots=True)
class Edge:
    """A step between two states, and the sets of levels (bit masks) scattered on the roots of its groups."""

    source: LevelState
    step: Step
    scattered: frozenset[int]
    target: LevelState


Edges = Mapping[LevelState, Sequence[Edge]]
"""The edges from each state in the table of distances to other states in the table."""


def edges_between(
    language: Language, states: Iterable[LevelState], deadline: float | None = None
) -> Edges | str | None:
    """Return all steps between the given states; a counter-example as text; or None if the deadline passed.

    States outside the table are explored too, which shows that no path leads back from them into the table.
    """
    goal, inside = level_goal(language.goal, language.levels), set(states)
    steps = [(step, [group[0] for group in class_groups(step[0], language.levels)]) for step in language.steps()]
    found: defaultdict[LevelState, list[Edge]] = defaultdict(list)
    # States outside of the table are explored too: one of them could lead back, which would refute
    # it.
    seen = {*inside, goal.start}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        if is_over(deadline):
            return None
        if goal.is_reached(state):
            if state not in inside:
                return f"the goal is reached in a state without a distance: {state}"
            continue
        for step, roots in steps:
            after = apply_step(state, step, language.levels)
            if after is None:
                continue
            if after in inside and state not in inside:
                return f"a state without a distance leads to one that has one: {state} by {step}"
            if after in inside:
                scattered = frozenset(held.scattered for root in roots if (held := state[root]) is not None)
                found[state].append(Edge(state, step, scattered, after))
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return dict(found)


@dataclass(frozen=True, slots=True)
class WalkRules:
    """The rules for paths: the edges, the prices of steps and permutations, the goal, and the buffer rules.

    `permuting[levels]` is the price of a permutation of buffers that lack these levels (a bit mask).
    """

    goal: LevelGoal
    edges: Edges
    prices: Prices
    permuting: Sequence[int]
    buffers: BufferRules

    def price(self, edge: Edge) -> int:
        """Return the price of a step, which is that of its most expensive group."""
        return max(self.prices[edge.step][levels] for levels in edge.scattered)

    def choices(self, choices: Iterable[PermutationChoice]) -> Iterator[tuple[int, PermutationChoice]]:
        """Yield the choices of permutations between two steps, with their prices."""
        return ((sum(self.permuting[levels] for levels in self.buffers.lacking(one)), one) for one in choices)


def first_fault(claim: Distances, rules: WalkRules) -> str | None:
    """Return the first inequality that does not hold, as text; None if the claim is proved."""
    return next(chain(_faults_of_left(claim, rules), _faults_of_spent(claim, rules)), None)


def _faults_of_left(claim: Distances, rules: WalkRules) -> Iterator[str]:
    for state, left in claim.left.items():
        if left > 0 and rules.goal.is_reached(state):
            yield f"the goal is reached in {state}, but {left} is said to be left"
        for edge in rules.edges.get(state, ()):
            if left > rules.price(edge) + claim.left[edge.target]:
                yield f"{edge.step} shortens what is left in {state}, which is said to be {left}"


def _faults_of_spent(claim: Distances, rules: WalkRules) -> Iterator[str]:
    start = (rules.goal.start, rules.buffers.start)
    if claim.left.get(rules.goal.start, claim.bound) < claim.bound and claim.spent.get(start, 1) > 0:
        yield "nothing is spent at the start"
    for (state, orders), spent in claim.spent.items():
        if spent + claim.left[state] < claim.bound:
            if rules.goal.is_reached(state):
                yield from _early_ends(claim, rules, spent, orders)
            for edge in rules.edges.get(state, ()):
                yield from _shortcuts(claim, rules, edge, spent, orders)


def _early_ends(claim: Distances, rules: WalkRules, spent: int, orders: Orders) -> Iterator[str]:
    for price, choice in rules.choices(rules.buffers.last_choices(orders)):
        if spent + price < claim.bound and rules.buffers.ended(rules.buffers.changed(orders, choice)) is not None:
            yield f"a program ends at {spent + price}, below {claim.bound}"


def _shortcuts(claim: Distances, rules: WalkRules, edge: Edge, spent: int, orders: Orders) -> Iterator[str]:
    for price, choice in rules.choices(rules.buffers.choices(orders, edge.step)):
        total = spent + rules.price(edge) + price
        if total + claim.left[edge.target] >= claim.bound:
            continue
        after = rules.buffers.after(rules.buffers.changed(orders, choice)[: len(orders)], edge.step)
        if after is not None and claim.spent.get((edge.target, after), claim.bound) > total:
            yield f"{edge.step} leads to {edge.target} for {total}, less than is said"
