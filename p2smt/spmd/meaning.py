"""What a sharding is called in the trade: an output of the search, which knows none of these names."""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.spmd.baselines import batch_classes
from p2smt.spmd.build import Sharding
from p2smt.spmd.chosen import Chosen
from p2smt.spmd.classes import Classes
from p2smt.spmd.experts import expert_classes
from p2smt.spmd.graph import Graph
from p2smt.tensor.layout import Layout, Sliced
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import SourceKind
from p2smt.tensor.rule import Cut, RuleName


def names(sharding: Sharding, chosen: Chosen) -> tuple[str, ...]:
    """Which parallelisms contractions on a single axis are under, most work first, and which states are sliced."""
    work: dict[str, int] = {}
    called: dict[int, str] = {}
    graph, classes = sharding.pricing.graph, sharding.pricing.classes
    known = _Known(graph, classes, batch_classes(graph, classes), expert_classes(graph, classes))
    for node in graph.nodes:
        rules = chosen.rules.get(node.result)
        # only: contractions name the parallelisms
        if rules is None or OPERATIONS[node.operation].kind is not Kind.CONTRACT:
            continue
        (rule,) = rules
        for tensor, need in zip((*node.operands, node.result), (*rule.operands, rule.result), strict=True):
            if isinstance(need, Cut) and isinstance(tensor, int):
                number = classes.class_of[tensor, need.dimension]
                name = called[number] if number in called else called.setdefault(number, _of_class(known, number))
                work[name] = work.get(name, 0) + node.flops
                break
        else:
            name = "replicated" if rule.name is RuleName.REP else "summands"
            work[name] = work.get(name, 0) + node.flops
    ranked = sorted((name for name in work if name != "summands"), key=lambda name: (-work[name], name))
    return (*ranked, *_sliced(graph, chosen))


@dataclass(frozen=True, slots=True)
class _Known:
    """A program, and which of its classes count samples and experts."""

    graph: Graph
    classes: Classes
    batch: frozenset[int]
    experts: frozenset[int]


def _of_class(known: _Known, number: int) -> str:
    """Samples, experts, positions, or features, by the tensors that have the dimension."""
    if number in known.batch:
        return "data"
    places = [place for place, of in known.classes.class_of.items() if of == number]
    kinds = {_kind(known.graph, tensor) for tensor, _ in places}
    if SourceKind.PARAMETER not in kinds:
        return "sequence" if SourceKind.INPUT in kinds else "tensor"
    return "expert" if number in known.experts else "tensor"


def _kind(graph: Graph, tensor: int) -> SourceKind | None:
    source = graph.tensors[tensor].source
    return None if source is None else source.kind


def _sliced(graph: Graph, chosen: Chosen) -> Iterator[str]:
    """States, or parameters as well, that are stored sliced (ZeRO) although what they are used with is whole."""
    for kind, name in ((SourceKind.STATE, "sliced states"), (SourceKind.PARAMETER, "sliced parameters")):
        layouts: list[Layout] = [
            chosen.produced[number][0]
            for number, tensor in enumerate(graph.tensors)
            if _kind(graph, number) is kind and number in chosen.produced and tensor.shape
        ]
        # only Sliced: the search chooses among replicated, sliced and partial
        if layouts and all(isinstance(layout, Sliced) for layout in layouts):
            yield name
