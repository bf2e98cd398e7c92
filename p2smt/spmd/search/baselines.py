"""Baselines priced by the same model: the cheapest program of each known strategy."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.experts import expert_classes, kept_labels
from p2smt.spmd.model.graph import Graph, Node
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.layout import Layout, Replicated, Sliced
from p2smt.tensor.rule import Cut, Rule, Summand


def batch_classes(graph: Graph, classes: Classes) -> frozenset[int]:
    """Return the classes of the first dimensions of inputs: the samples."""
    return frozenset(
        classes.class_of[number, 0]
        for number, tensor in enumerate(graph.tensors)
        if tensor.source is not None and tensor.source.kind is SourceKind.INPUT and tensor.shape
    )


def rule_class(node: Node, rule: Rule, classes: Classes) -> int | None:
    """Return the class of dimensions that a rule shards; None if it shards none."""
    for tensor, need in zip((*node.operands, node.result), (*rule.operands, rule.result), strict=True):
        if isinstance(need, Cut) and isinstance(tensor, int):
            return classes.class_of[tensor, need.dimension]
    return None


@dataclass(frozen=True, slots=True)
class DataParallel:
    """Data parallelism: samples are sharded; parameters and states are replicated, except the kinds in `sliced` (ZeRO).

    Everything with samples is computed on each device's own samples. If states of optimizers are sharded, so are their
    updates; sharded parameters are gathered where they are needed.
    """

    graph: Graph
    classes: Classes
    batch: frozenset[int]
    sliced: frozenset[SourceKind] = frozenset()

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return the layouts of a source: inputs by samples, parameters and states replicated or sharded (ZeRO)."""
        source = self.graph.tensors[tensor].source
        assert source is not None
        # only Replicated, Sliced: the search chooses among replicated, sliced and partial
        cut = tuple(layout for layout in layouts if isinstance(layout, Sliced))
        if source.kind is SourceKind.INPUT:
            mine = tuple(layout for layout in cut if self._is_batch(tensor, layout.dimension))
            return mine or _whole(layouts)
        if source.kind in self.sliced:
            return cut or layouts
        return _whole(layouts) if source.kind in (SourceKind.PARAMETER, SourceKind.STATE) else layouts

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return all layouts."""
        return layouts

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Return the rules by samples, if any; else those without sharding, or all if states are sharded."""
        own = tuple(rule for rule in rules if rule_class(node, rule, self.classes) in self.batch)
        if own:
            return own
        uncut = tuple(rule for rule in rules if rule_class(node, rule, self.classes) is None)
        return rules if self.sliced else uncut

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations with samples in the same dimensions share."""
        return _dimensions_of(node, self.classes, self.batch)

    def _is_batch(self, tensor: int, dimension: int) -> bool:
        return self.classes.class_of[tensor, dimension] in self.batch


@dataclass(frozen=True, slots=True)
class ExpertParallel:
    """Expert parallelism: each device stores its own experts with their states; the rest is data parallel.

    Contractions with expert weights are sharded by experts. Operations between them may be sharded by experts or
    samples; tokens are exchanged (all-to-all) where the two meet.
    """

    rest: DataParallel
    experts: frozenset[int]

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return the layouts of a source: experts' parameters and states by experts, others as in data parallelism."""
        source, of_class = self.rest.graph.tensors[tensor].source, self.rest.classes.class_of
        assert source is not None
        if source.kind is SourceKind.INPUT:
            return self.rest.stored(tensor, layouts)
        mine = tuple(
            layout
            for layout in layouts
            if isinstance(layout, Sliced) and of_class[tensor, layout.dimension] in self.experts
        )
        return mine or self.rest.stored(tensor, layouts)

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return all layouts."""
        return layouts

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Return rules by experts for expert contractions, by either for operations with both, else the rest's."""
        kept = kept_labels(node)
        own = tuple(rule for rule in rules if rule_class(node, rule, self.rest.classes) in self.experts)
        weighed = tuple(rule for rule in own if rule.label in kept)
        return weighed or tuple(dict.fromkeys((*own, *self.rest.rules(node, rules))))

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations with samples and experts in the same dimensions share."""
        return self.rest.alike(node), _dimensions_of(node, self.rest.classes, self.experts)


@dataclass(frozen=True, slots=True)
class TensorParallel:
    """Tensor parallelism as in Megatron-LM: samples are not sharded, and each device computes its part of the model."""

    classes: Classes
    batch: frozenset[int]

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return the layouts that do not shard samples."""
        return tuple(
            layout
            for layout in layouts
            if not isinstance(layout, Sliced) or self.classes.class_of[tensor, layout.dimension] not in self.batch
        )

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return all layouts."""
        return layouts

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Return the rules that do not shard samples."""
        return tuple(rule for rule in rules if rule_class(node, rule, self.classes) not in self.batch)

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations with samples in the same dimensions share."""
        return _dimensions_of(node, self.classes, self.batch)


@dataclass(frozen=True, slots=True)
class NothingCut:
    """No parallelism: every device computes everything."""

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return the replicated layout."""
        return _whole(layouts)

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return the replicated layout."""
        return _whole(layouts)

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Return the rules without sharded or partial operands."""
        return tuple(rule for rule in rules if not any(isinstance(need, Cut | Summand) for need in rule.operands))

    def alike(self, node: Node) -> Hashable:
        """Return the same key for all operations."""
        return None


def _dimensions_of(node: Node, classes: Classes, wanted: frozenset[int]) -> tuple[tuple[int, int], ...]:
    """Return the dimensions in some classes, as (operand position, dimension); the result comes last."""
    lengths = [len(dimensions) for dimensions in (*node.signature.operands, node.signature.result)]
    return tuple(
        [
            (position, dimension)
            for position, tensor in enumerate((*node.operands, node.result))
            if isinstance(tensor, int)
            for dimension in range(lengths[position])
            if classes.class_of[tensor, dimension] in wanted
        ]
    )


def _whole(layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
    return tuple(layout for layout in layouts if isinstance(layout, Replicated))


Baseline = DataParallel | ExpertParallel | TensorParallel | NothingCut

_STATES = frozenset({SourceKind.STATE})
_ALL = frozenset({SourceKind.STATE, SourceKind.PARAMETER})
DATA = "data parallel"
"""The prefix of the names of data-parallel baselines, with and without ZeRO."""
_EXPERT = "expert parallel"


def _data(graph: Graph, classes: Classes, sliced: frozenset[SourceKind] = frozenset()) -> DataParallel:
    return DataParallel(graph, classes, batch_classes(graph, classes), sliced)


BASELINES: tuple[tuple[str, Callable[[Graph, Classes], Baseline]], ...] = (
    ("every device does everything", lambda graph, classes: NothingCut()),
    (DATA, _data),
    (f"{DATA}, states sliced (ZeRO-1, 2)", lambda graph, classes: _data(graph, classes, _STATES)),
    (f"{DATA}, all sliced (ZeRO-3)", lambda graph, classes: _data(graph, classes, _ALL)),
    ("tensor parallel", lambda graph, classes: TensorParallel(classes, batch_classes(graph, classes))),
    (_EXPERT, lambda graph, classes: ExpertParallel(_data(graph, classes), expert_classes(graph, classes))),
)
"""The baselines by name; `applies` tells which of them a program has use for."""


def data_parallel(graph: Graph, classes: Classes) -> DataParallel:
    """Return data parallelism without ZeRO."""
    return _data(graph, classes)


def applies(name: str, graph: Graph, classes: Classes) -> bool:
    """True if a program has the samples, experts, states or parameters that a baseline shards."""
    batch = batch_classes(graph, classes)
    kinds = {tensor.source.kind for tensor in graph.tensors if tensor.source is not None}
    if name == _EXPERT:
        return any(classes.atoms[each] > 1 for each in expert_classes(graph, classes) - batch)
    if name.startswith(DATA) and not any(classes.atoms[each] > 1 for each in batch):
        return False
    if "ZeRO-1" in name:
        return SourceKind.STATE in kinds
    return "ZeRO-3" not in name or SourceKind.PARAMETER in kinds
