"""What an assignment of a joint problem over two axes chooses, in terms of the program."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.spmd.layouts import WHOLE
from p2smt.spmd.mesh.build import MeshSharding, NodePairs, TensorPairs
from p2smt.spmd.mesh.mesh import Pair
from p2smt.spmd.mesh.pricing import RulePair
from p2smt.tensor.layout import Partial

WHOLE_PAIR: Pair = (WHOLE, WHOLE)


@dataclass(frozen=True, slots=True)
class ChosenPairs:
    """By operation (the number of its result) its rules, the pairs that they need and make; as tensors are produced.

    A result that nobody needs has no choice of its own, and is in `results` alone.
    """

    rules: dict[int, RulePair]
    operands: dict[int, tuple[Pair, ...]]
    results: dict[int, Pair]
    produced: dict[int, Pair]


def chosen(sharding: MeshSharding, assignment: Sequence[int]) -> ChosenPairs:
    """What an assignment chooses; sources that are only read in one cut are given in it."""
    made = ChosenPairs({}, {}, {}, {})
    able: dict[int, set[Pair]] = {}
    for meaning, option in zip(sharding.meanings, assignment, strict=True):
        match meaning:
            case NodePairs(node, form):
                made.rules[node.result] = form.rules[option]
                made.operands[node.result] = tuple([needed[option] for needed in form.needed])
                made.results[node.result] = form.made[option]
            case TensorPairs(tensor, layouts, _, options):
                made.produced[tensor] = layouts[options[option][0]]
                if sharding.pricing.graph.tensors[tensor].source is not None:
                    able[tensor] = {layouts[root] for root, _ in options}
    _cut_sources(sharding, made, able)
    return made


def _cut_sources(sharding: MeshSharding, made: ChosenPairs, able: dict[int, set[Pair]]) -> None:
    """It costs the same, and takes less memory; what has new versions is stored as they are."""
    graph = sharding.pricing.graph
    versions = {version.state for version in graph.versions} | {version.new for version in graph.versions}
    free = {number for number in able.keys() - versions - set(graph.outputs) if made.produced.get(number) == WHOLE_PAIR}
    needs: dict[int, set[Pair]] = {}
    for node in graph.nodes:
        if node.result in made.operands:
            for operand, need in zip(node.operands, made.operands[node.result], strict=True):
                if isinstance(operand, int) and operand in free:
                    needs.setdefault(operand, set()).add(need)
    for number, wanted in needs.items():
        if len(wanted) == 1:
            (only,) = wanted
            # only Partial: the search chooses among replicated, sliced and partial
            if only in able[number] and not any(isinstance(layout, Partial) for layout in only):
                made.produced[number] = only
