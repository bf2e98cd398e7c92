"""The engines that solve the joint problem, and what narrows their search."""

from dataclasses import dataclass
from enum import StrEnum


class Engine(StrEnum):
    """Each finds the optimum of the same problem, if it ends."""

    ELIMINATION = "elimination"
    ILP = "ilp"
    ASTAR = "astar"
    BRUTE = "brute"


MEMORY = 4 * 10**9
"""The memory for the tables of a search, in bytes."""


class Heuristic(StrEnum):
    """The ways in which the engine astar searches less, none of which changes the optimum.

    ORDER: operations in program order, what they read just before, which HAP has not. FUSED: loads together with what
    uses them first (HAP, section 4.5). FORGOTTEN: what nothing needs any more is no property (the same). DOMINANCE: a
    program is dropped where another has all its properties for no more (HAP, figure 10). ESTIMATE: what is to be
    computed yet counts; without it the queue is that of Dijkstra.
    """

    ORDER = "order"
    FUSED = "fused"
    FORGOTTEN = "forgotten"
    DOMINANCE = "dominance"
    ESTIMATE = "estimate"


ALL = frozenset(Heuristic)


class HapRestriction(StrEnum):
    """Restrictions of the space in HAP's published code.

    ONE_COLLECTIVE: a tensor is communicated once (HAP, section 4.5, as well). SOURCES_STAY: inputs, parameters and
    states are not communicated (the same). NO_LINEAR_SUMS: no layer is cut along what it contracts with a parameter.
    """

    ONE_COLLECTIVE = "one-collective"
    SOURCES_STAY = "sources-stay"
    NO_LINEAR_SUMS = "no-linear-sums"


@dataclass(frozen=True, slots=True)
class Search:
    """An engine, its search space, whether certificates are checked, and the memory for tables in bytes."""

    engine: Engine = Engine.ELIMINATION
    heuristics: frozenset[Heuristic] = ALL
    published: frozenset[HapRestriction] = frozenset()
    certify: bool = False
    memory: int = MEMORY
