"""Constraints on where gradients are summed under mixed precision, as marks on a graph.

A gradient computed in bf16 and reduced in f32 must not be converted by a collective before its cast to f32, and neither
may the values that it is a sum or a view of. A gradient reduced in bf16 must be fully reduced before its cast to f32.
"""

from dataclasses import dataclass, replace

from p2smt.spmd.model.graph import Graph
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS

_LINEAR = ("add", "sub", "neg")


@dataclass(frozen=True, slots=True)
class GradientSums:
    """The names of `unsent` values, which no collective converts, and of `settled` casts of reduced operands."""

    unsent: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()


ANYWHERE = GradientSums()
"""No constraint: gradients are reduced where it is fastest."""


def marked(graph: Graph, sums: GradientSums) -> Graph:
    """Return the graph with these marks, extended to the values that unsent values are sums or views of."""
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
    """True if an operation maps partial operands to a partial result, so that the reduction could come before it."""
    match OPERATIONS[operation].kind:
        case Kind.RELABEL | Kind.VIEW | Kind.JOIN:
            return True
        case Kind.MAP:
            return operation in _LINEAR
        case Kind.CONTRACT | Kind.REDUCE | Kind.ROW | Kind.TAKE | Kind.PUT | Kind.RANDOM | Kind.UPDATE:
            return False
