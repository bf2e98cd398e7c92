"""Assignments of the joint problem in terms of the program."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.spmd.model.build import NodeChoice, Sharding, TensorChoice
from p2smt.spmd.model.divisions import Rules
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Partial, Replicated


@dataclass(frozen=True, slots=True)
class ReadableAssignment:
    """An assignment as rules and layouts.

    `rules`, `operands` and `results` map an operation (by the number of its result) to its rules and to the layouts
    that these need and make. `produced` maps a tensor to the layout that it is produced in. A result that nothing
    reads has no choice of its own, and is in `results` only.
    """

    rules: dict[int, Rules]
    operands: dict[int, tuple[Layouts, ...]]
    results: dict[int, Layouts]
    produced: dict[int, Layouts]


def chosen(sharding: Sharding, assignment: Sequence[int]) -> ReadableAssignment:
    """Return the rules and layouts of an assignment; a source that is only read in one sharding is stored in it."""
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
    """True if every rank holds the whole tensor."""
    # only Replicated: others are cut or summands
    return all(isinstance(layout, Replicated) for layout in layouts)


def _cut_sources(sharding: Sharding, made: ReadableAssignment, able: dict[int, set[Layouts]]) -> None:
    """Store replicated sources sharded if all reads need the same sharding: equal cost, less memory.

    Sources with new versions and outputs are left as they are.
    """
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
