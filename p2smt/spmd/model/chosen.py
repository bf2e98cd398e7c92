"""Assignments of the joint problem in terms of the program."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.spmd.model.build import NodeChoice, Sharding, TensorChoice
from p2smt.spmd.model.pricing import Rules
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Partial, Replicated


@dataclass(frozen=True, slots=True)
class ReadableAssignment:
    """An assignment in words.

    By operation (the number of its result) its rules and the layouts that they need and make; layouts as tensors are
    produced. A result that nobody needs has no choice of its own, and is in `results` alone.
    """

    rules: dict[int, Rules]
    operands: dict[int, tuple[Layouts, ...]]
    results: dict[int, Layouts]
    produced: dict[int, Layouts]


def chosen(sharding: Sharding, assignment: Sequence[int]) -> ReadableAssignment:
    """The layouts and rules of an assignment; sources that are only read in one cut are given in it."""
    made = ReadableAssignment({}, {}, {}, {})
    able: dict[int, set[Layouts]] = {}
    for meaning, option in zip(sharding.meanings, assignment, strict=True):
        match meaning:
            case NodeChoice(node, form):
                made.rules[node.result] = form.rules[option]
                made.operands[node.result] = tuple([needed[option] for needed in form.needed])
                made.results[node.result] = form.made[option]
            case TensorChoice(tensor, layouts, _, options):
                made.produced[tensor] = layouts[options[option][0]]
                if sharding.pricing.graph.tensors[tensor].source is not None:
                    able[tensor] = {layouts[root] for root, _ in options}
    _cut_sources(sharding, made, able)
    return made


def is_whole(layouts: Layouts) -> bool:
    """True if every rank has all of a tensor."""
    # only Replicated: others are cut or summands
    return all(isinstance(layout, Replicated) for layout in layouts)


def _cut_sources(sharding: Sharding, made: ReadableAssignment, able: dict[int, set[Layouts]]) -> None:
    """It costs the same, and takes less memory; what has new versions is stored as they are."""
    graph = sharding.pricing.graph
    versions = {version.state for version in graph.versions} | {version.new for version in graph.versions}
    free = {
        number
        for number in able.keys() - versions - set(graph.outputs)
        if number in made.produced and is_whole(made.produced[number])
    }
    needs: dict[int, set[Layouts]] = {}
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
