"""Comparison of two recordings of a step, regardless of nodes that nothing reads.

A model may build something in its first step that no later step builds, such as layers that replace others and take
their weights. The steps are equal if what the loss, the gradients and the buffers depend on is equal.
"""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.frontend.torch_graph.graph import Argument, Item, Reference, TorchNode, TrainingGraph, needed


def is_same_step(first: TrainingGraph, second: TrainingGraph) -> bool:
    """True if both steps compute the same loss, gradients and buffers by the same operations."""
    return _numbered(first) == _numbered(second)


def _numbered(graph: TrainingGraph) -> tuple[list[TorchNode], list[Item], list[str]]:
    """Return the operations behind a step's results, with nodes and random draws numbered in order."""
    results = [graph.loss, *(each for _, each in (*graph.gradients, *graph.mutated))]
    nodes = needed(graph.nodes, results)
    sources = [graph.inputs, graph.parameters, graph.buffers]
    names = {each.node: f"source {each.name}" for kind in sources for each in kind} | {graph.tangent: "tangent"}
    names |= {node.name: f"node {number}" for number, node in enumerate(nodes)}
    # A node that nothing reads may have drawn in one recording alone: draws are numbered among those that count.
    draws = {drawn: number for number, drawn in enumerate(sorted({node.drawn for node in nodes}))}
    return (
        [_renamed(node, names, draws[node.drawn]) for node in nodes],
        [_item(each, names) for each in results],
        [name for name, _ in (*graph.gradients, *graph.mutated)],
    )


def _renamed(node: TorchNode, names: Mapping[str, str], drawn: int) -> TorchNode:
    return replace(
        node,
        name=names[node.name],
        arguments=[_argument(each, names) for each in node.arguments],
        keywords={key: _argument(each, names) for key, each in node.keywords.items()},
        line="",  # where it stands in the code may differ between the first step and later ones
        drawn=drawn,
    )


def _argument(argument: Argument, names: Mapping[str, str]) -> Argument:
    return [_item(each, names) for each in argument] if isinstance(argument, list) else _item(argument, names)


def _item(item: Item, names: Mapping[str, str]) -> Item:
    return Reference(names.get(item.node, item.node), item.result) if isinstance(item, Reference) else item
