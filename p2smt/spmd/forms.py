"""What the rules of an operation need and make, in layouts: the same for all operations of a kind, worked out once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2smt.spmd.classes import Classes
from p2smt.spmd.graph import Graph, Node
from p2smt.spmd.layouts import layout_of, usable_rules
from p2smt.spmd.restriction import Restriction
from p2smt.tensor.layout import Layout
from p2smt.tensor.rule import Need, Rule


@dataclass(frozen=True, slots=True)
class Form:
    """Rules, the layouts that each makes, and for each operand the layouts that each needs; forms are numbered."""

    number: int
    rules: tuple[Rule, ...]
    made: tuple[Layout, ...]
    needed: tuple[tuple[Layout, ...], ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of a graph's operations; shares do not matter to them."""

    graph: Graph
    classes: Classes
    _cuttables: dict[int, tuple[bool, ...]] = field(default_factory=dict, compare=False, repr=False)
    _kinds: dict[int, tuple[object, ...]] = field(default_factory=dict, compare=False, repr=False)
    _usable: dict[tuple[object, ...], tuple[Rule, ...]] = field(default_factory=dict, compare=False, repr=False)
    _forms: dict[tuple[object, ...], Form] = field(default_factory=dict, compare=False, repr=False)

    def kind(self, node: Node) -> tuple[object, ...]:
        """What operations that have the same rules to choose from have in common."""
        if node.result not in self._kinds:
            cuttable = [self._cuttable(each) for each in (*node.operands, node.result) if isinstance(each, int)]
            self._kinds[node.result] = (node.kind, *cuttable)
        return self._kinds[node.result]

    def form(self, node: Node, restriction: Restriction) -> Form:
        """Of the rules that a restriction leaves, if any."""
        kind = self.kind(node)
        if kind not in self._usable:
            self._usable[kind] = usable_rules(self.graph, node, self.classes)
        usable = self._usable[kind]
        left = restriction.rules(node, usable)
        positions = None if left is usable else tuple([usable.index(rule) for rule in left])
        key = (kind, positions)
        if key not in self._forms:
            needed = zip(*[rule.operands for rule in left], strict=True)
            self._forms[key] = Form(
                len(self._forms),
                left,
                _layouts([rule.result for rule in left]),
                tuple(_layouts(each) for each in needed),
            )
        return self._forms[key]

    def _cuttable(self, tensor: int) -> tuple[bool, ...]:
        if tensor not in self._cuttables:
            dimensions = range(len(self.graph.tensors[tensor].shape))
            self._cuttables[tensor] = tuple([self.classes.can_cut((tensor, dimension)) for dimension in dimensions])
        return self._cuttables[tensor]


def _layouts(needs: Sequence[Need]) -> tuple[Layout, ...]:
    found = []
    for need in needs:
        layout = layout_of(need)
        assert layout is not None
        found.append(layout)
    return tuple(found)
