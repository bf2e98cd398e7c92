"""Lower bounds on the remaining time from every state, for the search for programs in chunks.

A slot takes as long as its busiest resource, hence at least as long as any weighted mean of its resources, and at least
as long as the one stage that starts in it. Each stage runs in k = `chunks` slots, so a path of stages v1, v2, ... from
state s to the goal takes at least

    sum over v of  part * max(v) + (1 - part) * k * (weights . v)  +  (k - 1) * part * max(last v),

plus the weighted mean of the work that earlier stages still have to do in later slots. Each term is the price of one
edge, so the least sum is a distance in the graph of states (`StateGraph.distances`), one for every choice of `part` and
`weights`. The largest of these bounds is used.
Complexity: one sweep over the edges of the graph for each choice of `part` and `weights`.
Reference: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968
(bounds as potentials); Fisher, "The Lagrangian relaxation method", 1981 (a mean in place of a maximum).

Example: two resources with weights (1/2, 1/2), part 0, 4 chunks, and one stage left that keeps them busy for 2 and 6
units per chunk. The bound is 4 * (2 + 6) / 2 = 16, and the true time is 4 * 6 = 24; part 1 gives 6 + 3 * 6 = 24.
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
    """Lower bounds under one `part` and `weights` (which add up to 1): `left[s]` for every path from state `s`."""

    part: float
    weights: Floats
    left: Floats


@dataclass(frozen=True, eq=False, slots=True)
class Potentials:
    """The potentials for one table of uses, and programs (as charges) found on the way, which are fast in chunks."""

    every: tuple[Potential, ...]
    programs: tuple[tuple[int, ...], ...]

    @property
    def least(self) -> float:
        """A lower bound on the time of every program."""
        return max(float(each.left[0]) for each in self.every)


def potentials(graph: StateGraph, uses: Uses, chunks: int, until: Until) -> Potentials:
    """Return potentials for the best weights found by cutting planes, and for some weights from earlier rounds."""
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
    """Return the cost of the cheapest path from every state; `last` is added to the price of a path's last step."""
    least = np.where(graph.goals, 0.0, np.inf)
    for edges in graph.layers:
        charges, targets = graph.charge[edges], graph.target[edges]
        more = prices[charges] + np.where(graph.goals[targets], last[charges], 0.0)
        np.minimum.at(least, graph.source[edges], more + least[targets])
    return least


def _way(graph: StateGraph, prices: Floats, left: Floats) -> tuple[int, ...]:
    """Return the charges on a shortest path from the start."""
    state, charges = 0, []
    while not graph.goals[state]:
        charge, state = min(graph.edges(state), key=lambda edge: float(prices[edge[0]] + left[edge[1]]))
        charges.append(charge)
    return tuple(charges)
