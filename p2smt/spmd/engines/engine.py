"""The engines that solve the joint problem, and the options that narrow their search."""

from dataclasses import dataclass
from enum import StrEnum


class ShardingEngine(StrEnum):
    """A solver of the joint problem; each finds the optimum if it terminates."""

    ELIMINATION = "elimination"
    ILP = "ilp"
    ASTAR = "astar"
    BRUTE = "brute"


MEMORY = 4 * 10**9
"""The default memory for the tables of a search, in bytes."""


class Heuristic(StrEnum):
    """Ways to narrow the search of the engine astar; none of them changes the optimum.

    ORDER: operations in program order, each preceded by the conversions that it reads; not in HAP. FUSED: loads are
    fused with their first use (HAP, section 4.5). FORGOTTEN: properties are dropped once nothing needs them (HAP,
    section 4.5). DOMINANCE: a program is dropped if another has all its properties at no higher cost (HAP, figure
    10). ESTIMATE: the score includes a lower bound on the work left; without it the search is Dijkstra's.
    """

    ORDER = "order"
    FUSED = "fused"
    FORGOTTEN = "forgotten"
    DOMINANCE = "dominance"
    ESTIMATE = "estimate"


ALL = frozenset(Heuristic)


class HapRestriction(StrEnum):
    """Restrictions of the search space in HAP's published code.

    ONE_COLLECTIVE: each tensor is communicated at most once (also HAP, section 4.5). SOURCES_STAY: inputs, parameters
    and states are not communicated (HAP, section 4.5). NO_LINEAR_SUMS: no linear layer is sharded along the dimension
    that it contracts with its parameter.
    """

    ONE_COLLECTIVE = "one-collective"
    SOURCES_STAY = "sources-stay"
    NO_LINEAR_SUMS = "no-linear-sums"


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """An engine, the search space, whether certificates are checked, and the memory for tables in bytes."""

    engine: ShardingEngine = ShardingEngine.ELIMINATION
    heuristics: frozenset[Heuristic] = ALL
    published: frozenset[HapRestriction] = frozenset()
    certify: bool = False
    memory: int = MEMORY
