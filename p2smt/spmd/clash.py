"""Which conditions clash: the fewest that no program keeps together, where each can be kept without one of them."""

from collections.abc import Sequence

from p2smt.errors import ProblemError
from p2smt.spmd.build import build
from p2smt.spmd.classes import classes_of
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.conditions import parse_conditions
from p2smt.spmd.elimination import eliminate
from p2smt.spmd.graph import graph_of
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.problem import Impossible
from p2smt.spmd.shares import Shares
from p2smt.tensor.program import Program


def clashing(program: Program, cluster: Cluster, shares: Shares, conditions: Sequence[str]) -> tuple[str, ...]:
    """Conditions that clash, none of which can be left out of them; none where all can be kept.

    Memory is not asked for. ProblemError for conditions that cannot be read.
    """
    graph = graph_of(program)
    pricing = Pricing(graph, classes_of(graph), cluster, shares)

    def kept(some: Sequence[str]) -> bool:
        read = parse_conditions(some, graph)
        try:
            sharding = build(pricing, read)
        except ProblemError:
            return False
        return not isinstance(eliminate(sharding.problem).answer, Impossible)

    core = list(dict.fromkeys(conditions))
    if kept(core):
        return ()
    for condition in list(core):
        fewer = [other for other in core if other != condition]
        if not kept(fewer):
            core = fewer
    return tuple(core)
