"""What an assignment of the joint problem chooses, in terms of the program."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.spmd.build import NodeChoice, Sharding, TensorChoice
from p2smt.spmd.graph import Graph
from p2smt.tensor.layout import Layout, Replicated, Sliced
from p2smt.tensor.rule import Rule


@dataclass(frozen=True, slots=True)
class Chosen:
    """An assignment in words.

    By operation (the number of its result) its rule and the layouts of its operands; layouts as tensors are produced.
    """

    rules: dict[int, Rule]
    operands: dict[int, tuple[Layout, ...]]
    produced: dict[int, Layout]


def chosen(sharding: Sharding, assignment: Sequence[int]) -> Chosen:
    """What an assignment chooses; sources that are only read in one cut are given in it."""
    made = Chosen({}, {}, {})
    able: dict[int, set[Layout]] = {}
    for meaning, option in zip(sharding.meanings, assignment, strict=True):
        match meaning:
            case NodeChoice(node, form):
                made.rules[node.result] = form.rules[option]
                made.operands[node.result] = tuple([needed[option] for needed in form.needed])
            case TensorChoice(tensor, layouts, _, options):
                made.produced[tensor] = layouts[options[option][0]]
                if sharding.pricing.graph.tensors[tensor].source is not None:
                    able[tensor] = {layouts[root] for root, _ in options}
    _cut_sources(sharding.pricing.graph, made, able)
    return made


def _cut_sources(graph: Graph, made: Chosen, able: dict[int, set[Layout]]) -> None:
    """It costs the same, and takes less memory; what has new versions is stored as they are."""
    versions = {version.state for version in graph.versions} | {version.new for version in graph.versions}
    free = {  # only Replicated, Sliced: the search chooses among replicated, sliced and partial
        number
        for number in able.keys() - versions - set(graph.outputs)
        if isinstance(made.produced.get(number), Replicated)
    }
    needs: dict[int, set[Layout]] = {}
    for node in graph.nodes:
        if node.result in made.operands:
            for operand, need in zip(node.operands, made.operands[node.result], strict=True):
                if isinstance(operand, int) and operand in free:
                    needs.setdefault(operand, set()).add(need)
    for number, wanted in needs.items():
        if len(wanted) == 1:
            (only,) = wanted
            if isinstance(only, Sliced) and only in able[number]:
                made.produced[number] = only
