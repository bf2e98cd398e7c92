"""Restrictions of HAP's published code as switches, so that the effect of each can be measured with any engine."""

from p2smt.spmd.engines.engine import HapRestriction
from p2smt.spmd.model.graph import Graph
from p2smt.tensor.expression import SourceKind

CONTRACTIONS = ("einsum", "matmul", "linear")
VIEWS = ("reshape", "transpose")


def most_collectives(published: frozenset[HapRestriction], *, is_source: bool) -> int | None:
    """Return the most conversions with a cost that a tensor may have; None: any number."""
    if is_source and HapRestriction.SOURCES_STAY in published:
        return 0
    return 1 if HapRestriction.ONE_COLLECTIVE in published else None


def linear(graph: Graph) -> frozenset[int]:
    """Return the results of the first contraction with each parameter, or a view of it: the forward layers."""
    parameter = {
        number: number
        for number, tensor in enumerate(graph.tensors)
        if tensor.source is not None and tensor.source.kind is SourceKind.PARAMETER
    }
    seen: set[int] = set()
    layers = set()
    for node in graph.nodes:
        mine = [parameter[each] for each in node.reads if each in parameter]
        if node.operation in VIEWS and mine:
            parameter[node.result] = mine[0]
        elif node.operation in CONTRACTIONS and mine:
            layers |= {node.result} if seen.isdisjoint(mine) else set()
            seen |= set(mine)
    return frozenset(layers)
