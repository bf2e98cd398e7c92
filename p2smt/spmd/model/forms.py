"""Layouts that the sharding rules of operations need and make on a mesh, computed once for each kind of operation.

On one axis an operation has a list of rules: which label is sliced or reduced, or that all is whole. On a mesh
    rules(operation) = { (r1, ..., rk) : ri a rule on axis i, and every operand and the result has a valid layout },
the Cartesian product with a filter. A layout on k axes is valid if partial values have one reduction, and axes that
slice one dimension leave several ranks a part each (`Forms.can_cut`).
Complexity: (rules on one axis)^k combinations for k axes, for each kind of operation. Dimensions of more parts (atoms)
than ranks count as equal, so that the layers of a model have few kinds.
Reference: Xu et al., "GSPMD: general and scalable parallelization for ML computation graphs", 2021, which propagates
one such layout for each operation instead of listing all.

Example: y = x w has six rules on one axis: whole, rows of x, columns of w, slices of the dimension that is summed, and
partial values of x or of w. Two axes have 36 pairs of them, if all dimensions are long enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.graph import Graph, Node
from p2smt.spmd.model.layouts import layout_of, usable_rules
from p2smt.spmd.model.restriction import Restriction
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Partial, Sliced
from p2smt.tensor.rule import Need, Rule, WholeOperand


@dataclass(frozen=True, slots=True)
class Form:
    """A numbered set of rules, with the layouts that each rule makes and needs of each operand."""

    number: int
    rules: tuple[Rules, ...]
    made: tuple[Layouts, ...]
    needed: tuple[tuple[Layouts, ...], ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of a graph's operations on a mesh with axes of these sizes, independent of sharding ratios."""

    graph: Graph
    classes: Classes
    sizes: tuple[int, ...]
    _cuttables: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _kinds: dict[int, tuple[object, ...]] = field(default_factory=dict, compare=False, repr=False)
    _usable: dict[tuple[object, ...], tuple[Rules, ...]] = field(default_factory=dict, compare=False, repr=False)
    _forms: dict[tuple[object, ...], Form] = field(default_factory=dict, compare=False, repr=False)
    _wholes: dict[int, Rule] = field(default_factory=dict, compare=False, repr=False)

    def kind(self, node: Node) -> tuple[object, ...]:
        """Return a key that operations with the same rules share."""
        if node.result not in self._kinds:
            cuttable = [self._cuttable(each) for each in (*node.operands, node.result) if isinstance(each, int)]
            self._kinds[node.result] = (node.kind, *cuttable)
        return self._kinds[node.result]

    def form(self, node: Node, restriction: Restriction) -> Form:
        """Return the form of the rules that a restriction leaves, possibly none."""
        kind = self.kind(node)
        if kind not in self._usable:
            self._usable[kind] = self._rules(node)
        usable = self._usable[kind]
        left = restriction.rules(node, usable)
        key = (kind, None if left is usable else left)
        if key not in self._forms:
            needed = tuple(zip(*[_needed(rules) for rules in left], strict=True))
            made = tuple([_layouts([rule.result for rule in rules]) for rules in left])
            self._forms[key] = Form(len(self._forms), left, made, needed)
        return self._forms[key]

    def can_cut(self, tensor: int, dimension: int, axes: Sequence[int]) -> bool:
        """True if these axes, outermost first, can shard a dimension together so that several ranks of each get some.

        This requires that the largest block of the outer axes has more than one atom. It is tested for even ratios;
        with uneven ratios the largest block is no smaller.
        """
        if any(self.sizes[axis] < 2 for axis in axes):
            return False
        outer = prod([self.sizes[axis] for axis in axes[:-1]])
        return self.classes.atoms[self.classes.class_of[tensor, dimension]] > outer

    def is_layout(self, tensor: int, layouts: Layouts) -> bool:
        """True if a tensor can have these layouts on the axes at the same time."""
        # only Partial, Sliced: others are refused, or match no rule and no conversion
        cut: dict[int, list[int]] = {}
        summed: set[str] = set()
        for axis, layout in enumerate(layouts):
            if isinstance(layout, Sliced):
                cut.setdefault(layout.dimension, []).append(axis)
            elif isinstance(layout, Partial):
                summed.add(layout.reduction)
        return len(summed) < 2 and all(
            len(axes) < 2 or self.can_cut(tensor, dimension, axes) for dimension, axes in cut.items()
        )

    def _cuttable(self, tensor: int) -> tuple[int, ...]:
        """Return the atoms of each dimension, capped just above the number of ranks; rules depend on nothing else."""
        if tensor not in self._cuttables:
            most = prod(self.sizes) + 1
            counts = [
                self.classes.atoms[self.classes.class_of[tensor, d]]
                for d in range(len(self.graph.tensors[tensor].shape))
            ]
            # More atoms than ranks make no difference, so tensors that differ in that alone share their rules.
            self._cuttables[tensor] = tuple([min(count, most if len(self.sizes) > 1 else 2) for count in counts])
        return self._cuttables[tensor]

    def whole_rule(self, node: Node) -> Rule:
        """Return the rule by which every rank of an axis computes the whole operation."""
        if node.kind not in self._wholes:
            self._wholes[node.kind] = _whole(usable_rules(self.graph, node, self.classes))
        return self._wholes[node.kind]

    def _rules(self, node: Node) -> tuple[Rules, ...]:
        """Return all combinations of one rule per axis; an axis of one rank replicates everything."""
        usable = usable_rules(self.graph, node, self.classes)
        choices: list[tuple[Rule, ...]] = [usable if size > 1 else (_whole(usable),) for size in self.sizes]
        if len(choices) == 1:
            return tuple([(rule,) for rule in choices[0]])
        return tuple([rules for rules in product(*choices) if self._go_together(node, rules)])

    def _go_together(self, node: Node, rules: Rules) -> bool:
        sides = ((*node.operands, node.result), *((*rule.operands, rule.result) for rule in rules))
        return all(
            self.is_layout(tensor, _layouts(needs))
            for tensor, *needs in zip(*sides, strict=True)
            if isinstance(tensor, int)
        )


def _whole(usable: Sequence[Rule]) -> Rule:
    return next(
        rule for rule in usable if all(isinstance(need, WholeOperand) for need in (*rule.operands, rule.result))
    )


def _needed(rules: Rules) -> tuple[Layouts, ...]:
    return tuple([_layouts(needs) for needs in zip(*[rule.operands for rule in rules], strict=True)])


def _layouts(needs: Sequence[Need]) -> Layouts:
    found = []
    for need in needs:
        layout = layout_of(need)
        assert layout is not None
        found.append(layout)
    return tuple(found)
