"""The cheapest program of any length for every set of allowed communicators.

Problem: a job may limit the communicators of a device or their memory, so that a more expensive program with fewer
communicators can be part of the best choice. The cheapest program within a set of communicators is also the cheapest
within every subset that contains all communicators it uses.

Method: Lawler's branching for ranked solutions. `any_length.py` finds the cheapest program p within a set S. The sets
to search next are S without one communicator of p, for each communicator that p uses. Sets seen before are skipped.
There is at most one search per set of communicators, in practice one per few programs on the Pareto front of time and
communicators (Lawler, "A procedure for computing the K best solutions to discrete optimization problems", 1972).

    search(S) = p, the cheapest program within S;   next: S without c, for each communicator c that p uses.

Example: of communicators a, b, c the cheapest program uses {a, b}. Then {b, c} and {a, c} are searched, but not {a, b},
because its cheapest program is known.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from p2smt.cost.any_length import (
    CheapestWalk,
    WalkPrices,
    cheapest_program,
    cheapest_walk,
    graph_of,
    walk_prices,
)
from p2smt.cost.network.cost import Cost
from p2smt.cost.step_prices import Scale
from p2smt.errors import TimeUpError
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.reduction.semantics.state_graph import StateGraph
from p2smt.smt.answer import Enumeration, Stop
from p2smt.smt.deadlines import Until

Groups = tuple[int, ...]
"""A communicator, as the positions of the device-number digits in which its members differ."""

_FINENESS = 2**48
_ROUGHLY = 2**16
_BANNED = 2**58
"""A price above that of every program, but small enough that twenty of them do not overflow 64 bits."""


def programs_by_communicators(lowering: Lowering, cost: Cost, deadline: float | None = None) -> Enumeration[Program]:
    """Return programs that include, for every set of communicators, one of the cheapest programs within that set.

    The result is empty if the hierarchy has too many levels to search; then only programs up to the limit are known.
    """
    until = Until(deadline)
    try:
        graph = graph_of(lowering, found_all=False, until=until)
        if not isinstance(graph, StateGraph):
            return Enumeration((), Stop.EXHAUSTED)
        best = cheapest_program(graph, lowering, cost, until=until)
    except TimeUpError:
        return Enumeration((), Stop.DEADLINE)
    if best is None:
        return Enumeration((), Stop.EXHAUSTED)
    search = _Sets(graph, lowering, cost, cost.plan_seconds(lowering.plan(best)))
    found: dict[Program, None] = {best: None}
    try:
        for walk in search.walks(until):
            found.setdefault(walk.program)
    except TimeUpError:
        return Enumeration(tuple(found), Stop.DEADLINE)
    return Enumeration(tuple(found), Stop.EXHAUSTED)


class _Sets:
    """Search for the cheapest programs within sets of communicators.

    Prices are in units of 2^-48 of the best program's time, or in larger units if the most expensive program would
    otherwise reach `_BANNED`.
    """

    def __init__(self, graph: StateGraph, lowering: Lowering, cost: Cost, best_seconds: float) -> None:
        self._graph, self._lowering, self._cost = graph, lowering, cost
        self._needed = [lowering.groups(charge.step[0]).varying for charge in graph.charges]
        best = Fraction(best_seconds or 1.0)
        rough = self._priced(best / _ROUGHLY)
        dearest = int(rough.charges.max(initial=0)) + 2 * max(rough.permutations) + 1
        # An upper bound on what the longest program costs, in units of the best one.
        ratio = Fraction(dearest * (graph.longest + 1), _ROUGHLY)
        self._prices = self._priced(best / min(Fraction(_FINENESS), _BANNED / (2 * ratio)))

    def _priced(self, unit: Fraction) -> WalkPrices:
        return walk_prices(self._lowering, self._graph, self._cost, Scale(unit, 2**62))

    def walks(self, until: Until) -> Iterator[CheapestWalk]:
        """Yield, for every set of communicators that admits a program, one of the cheapest. Raises TimeUpError."""
        every = frozenset(self._needed)
        # Only communicators of the best program are worth forbidding: without any other one it
        # stays the best.
        waiting, seen = [every], {every}
        while waiting:
            allowed = waiting.pop()
            best = self._best_within(allowed, until)
            if best is None:
                continue
            yield best
            for group in sorted(self._communicators(best.program)):
                less = allowed - {group}
                if less not in seen:
                    seen.add(less)
                    waiting.append(less)

    def _best_within(self, allowed: frozenset[Groups], until: Until) -> CheapestWalk | None:
        # A price above every program's, rather than a smaller graph: one graph serves all sets of communicators.
        banned = np.array([needed not in allowed for needed in self._needed], dtype=np.bool_)
        prices = WalkPrices(np.where(banned, _BANNED, self._prices.charges), self._prices.permutations)
        return cheapest_walk(self._graph, self._lowering, self._cost, prices, _BANNED, until)

    def _communicators(self, program: Program) -> frozenset[Groups]:
        steps = self._lowering.plan(program).steps
        return frozenset(step.groups.varying for step in steps if isinstance(step, CollectiveStep))
