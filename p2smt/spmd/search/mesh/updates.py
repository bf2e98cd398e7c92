"""The choices of the optimizer: element-wise values that only new versions of parameters and states depend on."""

from p2smt.spmd.model.build import NodeChoice, Sharding, TensorChoice
from p2smt.spmd.model.graph import Graph, Node


def choices_of_updates(sharding: Sharding) -> frozenset[int]:
    """Return the choices of operations that only updates depend on, and of tensors that only these operations read."""
    graph = sharding.pricing.graph
    nodes, tensors = _private(graph)
    found = []
    for choice, meaning in enumerate(sharding.meanings):
        match meaning:
            case NodeChoice(node) if node.result in nodes:
                found.append(choice)
            case TensorChoice(tensor) if tensor in tensors:
                found.append(choice)
            case _:
                pass
    return frozenset(found)


def _private(graph: Graph) -> tuple[set[int], set[int]]:
    """Return the operations (by result) and tensors that only updates depend on."""
    updates = {version.result for version in graph.versions}
    outside = set(graph.outputs)
    nodes: set[int] = set()
    for node in reversed(graph.nodes):
        if node.result in updates:
            continue
        if node.result not in outside and _is_by_element(graph, node):
            nodes.add(node.result)
        else:
            outside.update(node.reads)
    sources = {number for number, tensor in enumerate(graph.tensors) if tensor.source is not None}
    return nodes, (nodes | updates | sources) - outside


def _is_by_element(graph: Graph, node: Node) -> bool:
    """True if all tensor operands have the result's shape or are scalars."""
    shape = graph.tensors[node.result].shape
    return bool(shape) and all(graph.tensors[each].shape in (shape, ()) for each in node.reads)
