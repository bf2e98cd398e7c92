"""The cheapest program of any length: A* over pairs of a state of the level algebra and a buffer layout.

Problem: a program is a path in the graph of live states (`state_graph.py`), whose edges are steps with prices. Between
steps a buffer may have to be permuted, at a price, so a node of the search is a pair of a state and a buffer layout.

Heuristic: `least[s]` is the distance from state s to a goal if permutations cost nothing,
    least[s] = 0 for a goal,  least[s] = min over edges (s, charge, t) of  price[charge] + least[t],
computed once for all states by relaxation (`StateGraph.distances`). Permutations only add to a path, so `least` never
overestimates and is consistent: the first complete path that leaves the queue is the cheapest (Hart, Nilsson and
Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968).

Prices are whole units of a `Scale`, rounded down, because sums of floating-point seconds would depend on their order.
The search runs twice. In the second run every step costs `_PER_STEP` units more, so that the shortest of equally fast
programs comes first.

Complexity: O((nodes + edges) log nodes); in practice the search reaches few layouts of a state.

Example: an all-reduce over two levels. Two paths lead from the start to the goal: ReduceScatter inside, AllReduce
across, AllGather inside (48 units), and AllReduce over all devices (80 units). `least` of the start is 48, and only
nodes with spent + least < 80 are expanded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import count
from math import prod

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.cost import Cost, LocalWork, Work
from p2smt.cost.network.pattern import Pattern, pattern_of
from p2smt.cost.step_prices import Scale, scale_of
from p2smt.cost.ten_digits import ten_digits
from p2smt.errors import TimeUpError
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.language.instruction import Grouping, Program
from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.plan.buffers import BufferRules, PermutationChoice
from p2smt.reduction.plan.layouts import Orders
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.state_graph import MAX_LEVELS, StateGraph, state_graph
from p2smt.smt.deadlines import EVER, Until

GRACE_S = 1.0
"""Seconds by which the search for programs of any length may exceed its deadline; most searches take 0.1 s."""

_PER_STEP = 2**10
"""Units added to the price of every step, so that the shortest of programs with equal times (to ten digits) wins."""

Place = tuple[int, Orders]
"""A state's number in the graph, and the layout of the buffers in it."""


@dataclass(frozen=True, eq=False, slots=True)
class WalkPrices:
    """Prices of a graph's charges, and of permutations by the levels (bit mask) that the permuted buffer lacks.

    All prices are whole units of a scale, rounded down, and capped at the scale's bound, above which a program is too
    expensive anyway.
    """

    charges: NDArray[np.int64]
    permutations: tuple[int, ...]


def walk_prices(lowering: Lowering, graph: StateGraph, cost: Cost, scale: Scale) -> WalkPrices:
    """Return the prices of every step and permutation that a path in the graph can need, as in the ranking."""
    direct = lowering.direct
    payload, parts = lowering.problem.payload.bytes, parts_by_lacking(lowering)

    @cache
    def pattern(grouping: Grouping) -> Pattern:
        return pattern_of(direct, lowering.groups(grouping))

    def units(work: Work | LocalWork) -> int:
        return min(scale.units(cost.work_cost(work).seconds), scale.bound)

    @cache
    def charged(step: Step, part: int) -> int:
        grouping, collective = step
        return units(Work(collective, pattern(grouping), payload / part))

    # The dearest group decides the price of a step: the one whose root lacks the fewest levels.
    every = [charged(charge.step, min([parts[levels] for levels in charge.scattered])) for charge in graph.charges]
    charges = np.array(every, dtype=np.int64)
    return WalkPrices(charges, tuple(units(LocalWork(payload / part)) for part in parts))


def parts_by_lacking(lowering: Lowering) -> list[int]:
    """Return, for each set of levels (bit mask), the payload's size over that of a buffer that lacks these levels."""
    levels = lowering.hierarchy.reduction_levels
    return [
        prod(level.size for place, level in enumerate(levels) if lacking >> place & 1)
        for lacking in range(1 << len(levels))
    ]


class Reach(StrEnum):
    """The extent of the search for programs longer than the limit, or the reason why there was none."""

    ALL = "there are no longer ones"
    CHEAPEST = "none is cheaper"
    LEVELS = f"over more than {MAX_LEVELS} levels they are not looked for"
    UNLIKE = "on units of unlike size they are not looked for"
    LATE = "they were not looked for in time"
    UNASKED = "they were not asked for"

    @property
    def any_length(self) -> bool:
        """True if the cheapest known program is proved to be the cheapest of any length."""
        return self in {Reach.ALL, Reach.CHEAPEST}


@dataclass(frozen=True, slots=True)
class Cheaper:
    """A program of any length that is cheaper than all known ones (None if there is none), and the search's extent."""

    program: Program | None
    reach: Reach


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the search: a place, the cost of the cheapest known path to it, and the steps of that path."""

    place: Place
    spent: int
    steps: tuple[Step, ...]


class Walks:
    """A* search for complete paths in a graph under given prices, including the prices of permutations.

    `least[s]` is a lower bound on the cost of every path from state `s` to a goal, and exact if no buffer needs a
    permutation. `spent` maps each place that the last search reached to the cost of the cheapest path found to it; it
    has only places on paths that can end below that search's bound.
    """

    def __init__(self, graph: StateGraph, significance: tuple[int, ...], prices: WalkPrices) -> None:
        self.graph = graph
        self.prices = prices
        self.rules = buffer_rules(graph.language, significance)
        self.least = graph.distances(prices.charges)
        self.spent: dict[Place, int] = {}

    def below(self, bound: int, until: Until = EVER) -> Iterator[tuple[int, tuple[Step, ...]]]:
        """Yield (cost, steps) of the cheapest path to each final place, ascending, if the cost is below a bound."""
        # A running number after the costs, because heapq would compare nodes, which have no order.
        tie, done = count(), set[Place]()
        first: Place = (0, self.rules.start)
        self.spent = {first: 0}
        queue: list[tuple[int, int, int, _Node | None, tuple[Step, ...]]] = []
        if len(self.graph) and self.least[0] < bound:
            heappush(queue, (int(self.least[0]), int(self.least[0]), next(tie), _Node(first, 0, ()), ()))
        while queue:
            until.check()
            total, _, _, node, steps = heappop(queue)
            if node is None:
                yield total, steps
                continue
            if node.place in done:
                continue
            done.add(node.place)
            for ending in self._endings(node):
                if ending < bound:
                    # The second number is what is left: of equal totals the complete program comes out first, which
                    # ends the search.
                    heappush(queue, (ending, 0, next(tie), None, node.steps))
            for further in self._further(node, bound):
                if further.spent < self.spent.get(further.place, bound):
                    self.spent[further.place] = further.spent
                    rest = int(self.least[further.place[0]])
                    heappush(queue, (further.spent + rest, rest, next(tie), further, ()))

    def _endings(self, node: _Node) -> Iterator[int]:
        number, orders = node.place
        if self.graph.goals[number]:
            for choice in self.rules.last_choices(orders):
                if self.rules.ended(self.rules.changed(orders, choice)) is not None:
                    yield node.spent + self.permuting(choice)

    def _further(self, node: _Node, bound: int) -> Iterator[_Node]:
        number, orders = node.place
        for charge, target in self.graph.edges(number):
            step = self.graph.charges[charge].step
            spent = node.spent + int(self.prices.charges[charge])
            if spent + int(self.least[target]) < bound:
                for choice in self.rules.choices(orders, step):
                    total = spent + self.permuting(choice)
                    if total + int(self.least[target]) < bound:
                        # `changed` appends the layouts of permutations behind those of the classes; a place needs the
                        # classes' alone.
                        after = self.rules.after(self.rules.changed(orders, choice)[: len(orders)], step)
                        if after is not None:
                            yield _Node((target, after), total, (*node.steps, step))

    def permuting(self, choice: PermutationChoice) -> int:
        """Return the price of the permutations in a choice."""
        return sum(self.prices.permutations[lacking] for lacking in self.rules.lacking(choice))


@lru_cache(maxsize=64)
def buffer_rules(language: Language, significance: tuple[int, ...]) -> BufferRules:
    """Return the buffer rules of a language for buffers that every level may split."""
    return BufferRules(language.goal, level_goal(language.goal, language.levels), significance)


def graph_of(lowering: Lowering, found_all: bool, until: Until = EVER) -> StateGraph | Reach:
    """Return the graph to search for programs longer than the limit, or the reason why no search is needed or possible.

    `found_all`: all programs up to the limit are known. Raises TimeUpError.
    """
    search = lowering.problem.search
    if lowering.hierarchy.tree is not None:
        return Reach.UNLIKE
    language = language_of(lowering.hierarchy, search.grammar, lowering.problem.goal)
    if language.levels > MAX_LEVELS:
        return Reach.LEVELS
    if not language.levels:
        return Reach.ALL
    until.check()  # whether or not the graph is known from another question
    graph = state_graph(language, until)
    covered = found_all and graph.longest <= search.limit
    return Reach.ALL if covered or not len(graph) else graph


def cheaper_program(
    lowering: Lowering, cost: Cost, than: float | None, found_all: bool, deadline: float | None = None
) -> Cheaper:
    """Search for a program of any length that is cheaper than the best one up to the limit, which takes `than` seconds.

    `found_all`: all programs up to the limit are known. `deadline` is a time of `time.monotonic`; the search may exceed
    it by `GRACE_S`.
    """
    # Looking beyond the limit is worth a little more than the deadline, see `GRACE_S`.
    until = Until(None if deadline is None else deadline + GRACE_S)
    try:
        graph = graph_of(lowering, found_all, until)
        if isinstance(graph, Reach):
            return Cheaper(None, graph)
        return Cheaper(cheapest_program(graph, lowering, cost, than, until), Reach.CHEAPEST)
    except TimeUpError:
        return Cheaper(None, Reach.LATE)


def cheapest_program(
    graph: StateGraph, lowering: Lowering, cost: Cost, than: float | None = None, until: Until = EVER
) -> Program | None:
    """Return the shortest of the cheapest programs of any length; None if it does not take less than `than` seconds.

    Times are compared to ten digits, as in the ranking. Raises TimeUpError.
    """
    scale = _any_scale(cost.plan_seconds(lowering.direct)) if than is None else scale_of(than)
    best = cheapest_walk(graph, lowering, cost, walk_prices(lowering, graph, cost, scale), scale.bound, until)
    # Compared to ten digits, as in the ranking, so that a program is not called cheaper by its last
    # bits.
    return None if best is None or (than is not None and ten_digits(best.seconds) >= ten_digits(than)) else best.program


@dataclass(frozen=True, slots=True)
class CheapestWalk:
    """A program and its seconds."""

    program: Program
    seconds: float


def cheapest_walk(
    graph: StateGraph, lowering: Lowering, cost: Cost, prices: WalkPrices, bound: int, until: Until = EVER
) -> CheapestWalk | None:
    """Return the shortest of the cheapest programs (times equal to ten digits) below a bound; None if there is none."""
    found: list[CheapestWalk] = []
    # The first run finds the least time, the second the shortest program among those of (nearly) that time.
    for more in (0, _PER_STEP):
        dearer = WalkPrices(prices.charges + more, prices.permutations)
        walk = next(Walks(graph, lowering.significance, dearer).below(bound, until), None)
        if walk is None:
            break
        program = graph.language.program(walk[1])
        found.append(CheapestWalk(program, cost.plan_seconds(lowering.plan(program))))
    return min(found, key=lambda one: (ten_digits(one.seconds), len(one.program)), default=None)


def _any_scale(direct_seconds: float) -> Scale:
    """Return a scale for use before any program but the direct collective has a price."""
    # The bound is 2^8 times the direct collective: no sensible program takes that long, and sums stay below 2^63.
    return Scale(Fraction(direct_seconds or 1.0) / 2**48, 2**56)
