"""Restrictions of HAP's published code, as switches: what each of them costs can be measured by any engine."""

from p2smt.spmd.engines.engine import HapRestriction
from p2smt.spmd.model.graph import Graph
from p2smt.tensor.program import SourceKind

CONTRACTIONS = ("einsum", "matmul", "linear")
VIEWS = ("reshape", "transpose")


def most_collectives(published: frozenset[HapRestriction], *, is_source: bool) -> int | None:
    """The number of conversions of a tensor that may cost something; None: any number."""
    if is_source and HapRestriction.SOURCES_STAY in published:
        return 0
    return 1 if HapRestriction.ONE_COLLECTIVE in published else None


def linear(graph: Graph) -> frozenset[int]:
    """The results of the first contractions with each parameter, or with a view of it: the layers going forward."""
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
