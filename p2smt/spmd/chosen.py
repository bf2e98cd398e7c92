"""What an assignment of the joint problem chooses, in terms of the program."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.spmd.build import NodeChoice, Sharding, TensorChoice
from p2smt.spmd.graph import Graph
from p2smt.spmd.layouts import layout_of
from p2smt.tensor.layout import Layout, Replicated, Sliced
from p2smt.tensor.rule import Rule


@dataclass(frozen=True, slots=True)
class Chosen:
    """An assignment in words: rules by operation (the number of its result), and layouts as they are produced."""

    rules: dict[int, Rule]
    produced: dict[int, Layout]


def chosen(sharding: Sharding, assignment: Sequence[int]) -> Chosen:
    """What an assignment chooses; sources that are only read in one cut are given in it."""
    rules: dict[int, Rule] = {}
    produced: dict[int, Layout] = {}
    able: dict[int, set[Layout]] = {}
    for meaning, option in zip(sharding.meanings, assignment, strict=True):
        match meaning:
            case NodeChoice(node, usable):
                rules[node.result] = usable[option]
            case TensorChoice(tensor, layouts, _, options):
                produced[tensor] = layouts[options[option][0]]
                able[tensor] = {layouts[root] for root, _ in options}
    _cut_sources(sharding.pricing.graph, rules, produced, able)
    return Chosen(rules, produced)


def _cut_sources(
    graph: Graph, rules: dict[int, Rule], produced: dict[int, Layout], able: dict[int, set[Layout]]
) -> None:
    """It costs the same, and takes less memory; what has new versions is stored as they are."""
    versions = {version.state for version in graph.versions} | {version.new for version in graph.versions}
    needs: dict[int, set[Layout | None]] = {}
    for node in graph.nodes:
        if node.result in rules:
            for operand, need in zip(node.operands, rules[node.result].operands, strict=True):
                if isinstance(operand, int):
                    needs.setdefault(operand, set()).add(layout_of(need))
    for number, tensor in enumerate(graph.tensors):
        free = tensor.source is not None and number not in versions and number not in graph.outputs
        if free and isinstance(produced.get(number), Replicated) and len(needs.get(number, ())) == 1:
            (only,) = needs[number]
            if isinstance(only, Sliced) and only in able[number]:
                produced[number] = only
