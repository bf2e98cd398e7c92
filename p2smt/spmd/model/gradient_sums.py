"""Marks on the values of a graph for the places at which gradients may be summed in a mixed precision.

A gradient that is computed in bf16 and summed in f32 is not converted by any collective before it is cast: neither it
nor what it is a sum or a view of. One that is summed in bf16 is cast to f32 as a whole sum alone.
"""

from dataclasses import dataclass, replace

from p2smt.spmd.model.graph import Graph
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS

_LINEAR = ("add", "sub", "neg")


@dataclass(frozen=True, slots=True)
class GradientSums:
    """Names of `unsent` values, which no collective converts, and of `settled` casts, which are of whole sums alone."""

    unsent: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()


ANYWHERE = GradientSums()
"""Gradients are summed where that is fastest."""


def marked(graph: Graph, sums: GradientSums) -> Graph:
    """The graph with these marks, and those of what unsent values are sums and views of."""
    if sums == ANYWHERE:
        return graph
    unsent = {graph.named[name] for name in sums.unsent}
    readers: dict[int, set[int]] = {}
    for node in graph.nodes:
        for tensor in node.reads:
            readers.setdefault(tensor, set()).add(node.result)
    # Backwards: a value stays unsent if every reader does, for its sum could stand before or after
    # them.
    for node in reversed(graph.nodes):
        if node.result in unsent and _passes(node.operation):
            unsent |= {each for each in node.reads if readers[each] <= unsent and graph.tensors[each].source is None}
    return replace(graph, unsent=frozenset(unsent), settled=frozenset(graph.named[name] for name in sums.settled))


def _passes(operation: str) -> bool:
    """True if summands pass through an operation as they are, so that their sum could stand before it."""
    match OPERATIONS[operation].kind:
        case Kind.RELABEL | Kind.VIEW | Kind.JOIN:
            return True
        case Kind.MAP:
            return operation in _LINEAR
        case Kind.CONTRACT | Kind.REDUCE | Kind.ROW | Kind.TAKE | Kind.PUT | Kind.RANDOM | Kind.UPDATE:
            return False
