"""Expert dimensions: contractions with parameters keep them in all operands and in the result."""

from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.graph import Graph, Node
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS


def expert_classes(graph: Graph, classes: Classes) -> frozenset[int]:
    """Return the classes of expert dimensions: those that contractions with a parameter keep."""
    weighed = [node for node in graph.nodes if any(_is_parameter(graph, tensor) for tensor in node.reads)]
    kept = {node.kind: kept_labels(node) for node in weighed}
    return frozenset(
        classes.class_of[node.result, number]
        for node in weighed
        for number, dimension in enumerate(node.signature.result)
        if dimension.label in kept[node.kind]
    )


def kept_labels(node: Node) -> frozenset[str]:
    """Return the labels that a contraction of several tensors has in all operands and in the result; else none."""
    # only: a label that contractions keep is the experts'
    if OPERATIONS[node.operation].kind is not Kind.CONTRACT or len(node.operands) < 2:
        return frozenset()
    sides = (*node.signature.operands, node.signature.result)
    return frozenset.intersection(*(frozenset(each.label for each in dimensions) for dimensions in sides))


def _is_parameter(graph: Graph, tensor: int) -> bool:
    source = graph.tensors[tensor].source
    return source is not None and source.kind is SourceKind.PARAMETER
