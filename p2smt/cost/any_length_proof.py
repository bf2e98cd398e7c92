"""Proof about programs of any length: computes the distances of a placement and has them checked."""

from dataclasses import dataclass

from p2smt.cost.any_length import Walks, buffer_rules, parts_by_lacking, walk_prices
from p2smt.cost.distance_check import Distances, Edges, WalkRules, edges_between, first_fault
from p2smt.cost.network.cost import Cost, LocalWork
from p2smt.cost.step_prices import Scale
from p2smt.errors import TimeUpError
from p2smt.reduction.language.language import Language
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.rules.optimality import Prices
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import LevelState
from p2smt.reduction.semantics.state_graph import MAX_LEVELS, state_graph
from p2smt.smt.answer import Stop
from p2smt.smt.deadlines import Until


@dataclass(frozen=True, slots=True)
class AnyLength:
    """The result of a distance proof for programs of any length on one placement.

    `states` and `places` count the checked distances without and with buffer layouts. `missing`: the reason why nothing
    is proved; empty if no program of any length, in any lowering, costs less than the winner. `tried` is False for too
    many levels.
    """

    states: int = 0
    places: int = 0
    missing: str = ""
    tried: bool = True


NOTHING_LONGER = AnyLength()
"""The proof for a placement without a reduction, where the empty program costs nothing."""


class DistanceProver:
    """Proves placements one after the other; the edges of each language are computed once."""

    def __init__(self, scale: Scale, cost: Cost, deadline: float | None) -> None:
        self._scale = scale
        self._cost = cost
        self._until = Until(deadline)
        self._known: dict[Language, tuple[tuple[LevelState, ...], Edges]] = {}

    def proof(self, lowering: Lowering, language: Language, prices: Prices) -> AnyLength:
        """Return the proof for a placement; `prices` are the prices of its steps in units of the scale."""
        try:
            return self._proof(lowering, language, prices)
        except TimeUpError:
            return AnyLength(missing=Stop.DEADLINE)

    def _proof(self, lowering: Lowering, language: Language, prices: Prices) -> AnyLength:
        if language.levels > MAX_LEVELS:
            return AnyLength(missing=f"the reduction is over more than {MAX_LEVELS} levels", tried=False)
        if not language.levels:
            return NOTHING_LONGER
        states, edges = self._edges(language)
        graph = state_graph(language, self._until)
        walks = Walks(graph, lowering.significance, walk_prices(lowering, graph, self._cost, self._scale))
        # Running the search to its end fills `spent`; that it finds nothing is then checked and not believed.
        if next(walks.below(self._scale.bound, self._until), None) is not None:
            return AnyLength(missing="a program costs less, or as much to nine digits")
        left = dict(zip(states, walks.least.tolist(), strict=True))
        spent = {(states[number], orders): total for (number, orders), total in walks.spent.items()}
        claim = Distances(self._scale.bound, left, spent)
        whole = [LocalWork(lowering.problem.payload.bytes / parts) for parts in parts_by_lacking(lowering)]
        permuting = [self._scale.units(self._cost.work_cost(work).seconds) for work in whole]
        goal, buffers = level_goal(language.goal, language.levels), buffer_rules(language, lowering.significance)
        fault = first_fault(claim, WalkRules(goal, edges, prices, permuting, buffers))
        assert fault is None, f"the distances prove nothing: {fault}"
        return AnyLength(len(left), len(spent))

    def _edges(self, language: Language) -> tuple[tuple[LevelState, ...], Edges]:
        if language not in self._known:
            graph = state_graph(language, self._until)
            states = tuple(map(graph.state, range(len(graph))))
            edges = edges_between(language, states, self._until.deadline)
            if edges is None:
                raise TimeUpError
            assert not isinstance(edges, str), edges
            self._known[language] = states, edges
        return self._known[language]
