"""Lower bounds on the slots that are left, from every state on, for a search over programs in chunks.

A slot takes as long as its busiest resource, hence at least as long as any weighted mean of its resources, and at least
as long as the one stage that is new in it. Since k = `chunks` slots carry every stage, each path v1, v2, ... of stages
from state s to the goal takes at least

    sum over v of  part * max(v) + (1 - part) * k * (weights . v)  +  (k - 1) * part * max(last v),

beside the work that earlier stages still have to do in later slots, which counts only by its weighted mean. Each term
is a price of one edge, so the least sum is a distance in the graph of states (`StateGraph.distances`), one for every
choice of `part` and `weights`; the largest of these bounds is used.

Example: two resources with weights (1/2, 1/2), part 0, 4 chunks, one stage left that keeps them busy for 2 and 6 units
per chunk: the bound is 4 * (1 + 3) = 16, and the true time is 4 * 6 = 24; part 1 gives 6 + 3 * 6 = 24.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.pipelining_bound import best_weights
from p2smt.cost.resource_use import Uses
from p2smt.reduction.semantics.state_graph import StateGraph
from p2smt.smt.deadlines import Until

_TURNS = 40
_KEPT = 6
_PARTS = (0.0, 0.5)
_CLOSE = 1e-6

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Potential:
    """`left[s]`: what every way from state `s` takes at least by this `part` and these `weights`, which add up to 1."""

    part: float
    weights: Floats
    left: Floats


@dataclass(frozen=True, eq=False, slots=True)
class Potentials:
    """Several of one table of uses, and the programs, as charges, on the way to them: good ones in chunks."""

    every: tuple[Potential, ...]
    programs: tuple[tuple[int, ...], ...]

    @property
    def least(self) -> float:
        """A lower bound on every program."""
        return max(float(each.left[0]) for each in self.every)


def potentials(graph: StateGraph, uses: Uses, chunks: int, until: Until) -> Potentials:
    """The weights under which the cheapest program's mean is largest, found by turns, and others from the way there."""
    # Start with equal weights; each round adds the program that is cheapest under the current ones
    # (cutting planes).
    weights = np.full(uses.shape[1], 1 / uses.shape[1])
    found: list[tuple[float, Floats]] = []
    columns: list[Floats] = []
    programs: list[tuple[int, ...]] = []
    for _ in range(_TURNS):
        until.check()
        prices = uses @ weights
        left = _distances(graph, prices, np.zeros(len(prices)))
        found.append((float(left[0]), weights))
        charges = _way(graph, prices, left)
        columns.append(uses[list(charges)].sum(axis=0))
        programs.append(charges)
        weights, reachable = best_weights(columns)
        # No weights can beat `reachable`, so a bound close to it ends the search.
        if max(least for least, _ in found) >= reachable * (1 - _CLOSE):
            break
    found.sort(key=lambda one: -one[0])
    kept = [weights for _, weights in found[:_KEPT]]
    return Potentials(tuple(_each(graph, uses, chunks, kept)), tuple(dict.fromkeys(programs)))


def _each(graph: StateGraph, uses: Uses, chunks: int, kept: Sequence[Floats]) -> Iterator[Potential]:
    longest = uses.max(axis=1)
    for weights in kept:
        for part in _PARTS:
            prices = part * longest + (1 - part) * chunks * (uses @ weights)
            # The last stage is at work in k - 1 more slots, hence its price on top.
            yield Potential(part, weights, _distances(graph, prices, (chunks - 1) * part * longest))


def _distances(graph: StateGraph, prices: Floats, last: Floats) -> Floats:
    """Costs of the cheapest paths from every state; charges have prices, and another one as the last step of a path."""
    least = np.where(graph.goals, 0.0, np.inf)
    for edges in graph.layers:
        charges, targets = graph.charge[edges], graph.target[edges]
        more = prices[charges] + np.where(graph.goals[targets], last[charges], 0.0)
        np.minimum.at(least, graph.source[edges], more + least[targets])
    return least


def _way(graph: StateGraph, prices: Floats, left: Floats) -> tuple[int, ...]:
    """The charges on a way of the length that is left at the start."""
    state, charges = 0, []
    while not graph.goals[state]:
        charge, state = min(graph.edges(state), key=lambda edge: float(prices[edge[0]] + left[edge[1]]))
        charges.append(charge)
    return tuple(charges)
