"""What pairs of rules of an operation need and make: the same for all operations of a kind, worked out once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2smt.spmd.graph import Node
from p2smt.spmd.layouts import layout_of, usable_rules
from p2smt.spmd.mesh.mesh import Pair
from p2smt.spmd.mesh.pricing import MeshPricing, RulePair
from p2smt.spmd.mesh.restriction import MeshRestriction
from p2smt.tensor.rule import Need, Rule, Whole


@dataclass(frozen=True, slots=True)
class MeshForm:
    """Pairs of rules, what each makes, and for each operand what each needs; forms are numbered."""

    number: int
    rules: tuple[RulePair, ...]
    made: tuple[Pair, ...]
    needed: tuple[tuple[Pair, ...], ...]


@dataclass(frozen=True, slots=True)
class MeshForms:
    """The forms of a graph's operations on a mesh."""

    pricing: MeshPricing
    _kinds: dict[int, tuple[object, ...]] = field(default_factory=dict, compare=False, repr=False)
    _usable: dict[tuple[object, ...], tuple[RulePair, ...]] = field(default_factory=dict, compare=False, repr=False)
    _forms: dict[tuple[object, ...], MeshForm] = field(default_factory=dict, compare=False, repr=False)

    def kind(self, node: Node) -> tuple[object, ...]:
        """What operations that have the same rules to choose from have in common."""
        if node.result not in self._kinds:
            cuttable = [self._cuttable(each) for each in (*node.operands, node.result) if isinstance(each, int)]
            self._kinds[node.result] = (node.kind, *cuttable)
        return self._kinds[node.result]

    def form(self, node: Node, restriction: MeshRestriction) -> MeshForm:
        """Of the rules that a restriction leaves, if any."""
        kind = self.kind(node)
        if kind not in self._usable:
            self._usable[kind] = self._pairs(node)
        usable = self._usable[kind]
        left = restriction.rules(node, usable)
        key = (kind, None if left is usable else left)
        if key not in self._forms:
            needed = tuple(zip(*[self._needed(pair) for pair in left], strict=True))
            made = tuple(_pair((one.result, other.result)) for one, other in left)
            self._forms[key] = MeshForm(len(self._forms), left, made, needed)
        return self._forms[key]

    def _cuttable(self, tensor: int) -> tuple[tuple[bool, bool], ...]:
        dimensions = range(len(self.pricing.graph.tensors[tensor].shape))
        return tuple([(self.pricing.count(tensor, d) > 1, self.pricing.can_cut_twice(tensor, d)) for d in dimensions])

    def _pairs(self, node: Node) -> tuple[RulePair, ...]:
        """A rule for each axis; an axis of one rank keeps everything whole."""
        usable = usable_rules(self.pricing.graph, node, self.pricing.classes)
        whole = tuple(rule for rule in usable if all(isinstance(need, Whole) for need in (*rule.operands, rule.result)))
        first, second = (usable if size > 1 else whole for size in self.pricing.mesh.sizes)
        return tuple((one, other) for one in first for other in second if self._go_together(node, one, other))

    def _go_together(self, node: Node, one: Rule, other: Rule) -> bool:
        sides = zip((*node.operands, node.result), (*one.operands, one.result), (*other.operands, other.result),
                    strict=True)  # fmt: skip
        return all(self.pricing.is_layout(each, _pair((mine, theirs))) for each, mine, theirs in sides
                   if isinstance(each, int))  # fmt: skip

    def _needed(self, pair: RulePair) -> tuple[Pair, ...]:
        return tuple(_pair(needs) for needs in zip(pair[0].operands, pair[1].operands, strict=True))


def _pair(needs: Sequence[Need]) -> Pair:
    one, other = (layout_of(need) for need in needs)
    assert one is not None
    assert other is not None
    return one, other
