"""What may be chosen on a mesh: everything, or what conditions, baselines, or a known program leave."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Protocol

from p2smt.spmd.conditions import Condition, Conditions
from p2smt.spmd.graph import Node
from p2smt.spmd.mesh.mesh import Pair
from p2smt.spmd.mesh.pricing import RulePair
from p2smt.spmd.restriction import Restriction
from p2smt.tensor.layout import Layout, Partial, Replicated
from p2smt.tensor.rule import Rule


class MeshRestriction(Protocol):
    """Leaves some of what there is to choose from."""

    def stored(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Layouts in which a source may be stored."""
        ...

    def outputs(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Layouts in which an output may be left."""
        ...

    def rules(self, node: Node, rules: tuple[RulePair, ...]) -> tuple[RulePair, ...]:
        """Rules that an operation may follow."""
        ...

    def alike(self, node: Node) -> Hashable:
        """Operations that have the same rules to choose from, and this in common, are left the same."""
        ...


class Anything:
    """Leaves everything."""

    def stored(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """All."""
        return pairs

    def outputs(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """All."""
        return pairs

    def rules(self, node: Node, rules: tuple[RulePair, ...]) -> tuple[RulePair, ...]:
        """All."""
        return rules

    def alike(self, node: Node) -> Hashable:
        """All are."""
        return None


@dataclass(frozen=True, slots=True)
class PerAxis:
    """Each axis keeps to a restriction of its own."""

    axes: tuple[Restriction, Restriction]

    def stored(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """What both leave."""
        one, other = (each.stored(tensor, _of(pairs, axis)) for axis, each in enumerate(self.axes))
        return tuple(pair for pair in pairs if pair[0] in one and pair[1] in other)

    def outputs(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """What both leave."""
        one, other = (each.outputs(tensor, _of(pairs, axis)) for axis, each in enumerate(self.axes))
        return tuple(pair for pair in pairs if pair[0] in one and pair[1] in other)

    def rules(self, node: Node, rules: tuple[RulePair, ...]) -> tuple[RulePair, ...]:
        """What both leave."""
        one, other = (
            each.rules(node, tuple(dict.fromkeys(pair[axis] for pair in rules))) for axis, each in enumerate(self.axes)
        )
        return tuple(pair for pair in rules if pair[0] in one and pair[1] in other)

    def alike(self, node: Node) -> Hashable:
        """Those that are for both."""
        return tuple([each.alike(node) for each in self.axes])


def _of(pairs: tuple[Pair, ...], axis: int) -> tuple[Layout, ...]:
    return tuple(dict.fromkeys(pair[axis] for pair in pairs))


@dataclass(frozen=True, slots=True)
class MeshConditions:
    """Replicated is so on both axes; sliced, and a summand, on at least one, which is not the other on the other."""

    conditions: Conditions

    def stored(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Those that all conditions allow. An input may be a summand where a condition says so."""
        named = [one for one in self.conditions.each if tensor in one.tensors]
        if any(one.kind == "partial" for one in named):
            pairs = ((Partial(), Replicated()), (Replicated(), Partial()), (Partial(), Partial()))
        return tuple(pair for pair in pairs if all(_allows(one, tensor, pair) for one in named))

    def outputs(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Those that all conditions allow."""
        return tuple(pair for pair in pairs if all(_allows(one, tensor, pair) for one in self.conditions.each))

    def rules(self, node: Node, rules: tuple[RulePair, ...]) -> tuple[RulePair, ...]:
        """All."""
        return rules

    def alike(self, node: Node) -> Hashable:
        """All are."""
        return None


def _allows(condition: Condition, tensor: int, pair: Pair) -> bool:
    if tensor not in condition.tensors or condition.kind == "replicated":
        return all(condition.allows(tensor, layout) for layout in pair)
    some = any(condition.allows(tensor, layout) for layout in pair)
    # only Replicated: others are refused, or match no rule and no conversion
    return some and all(condition.allows(tensor, each) or isinstance(each, Replicated) for each in pair)


@dataclass(frozen=True, slots=True)
class OneAxisOf:
    """What conditions leave at least one axis: everything, and summands where they ask for them."""

    conditions: Conditions

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """All, and a summand where a condition says so."""
        summed = any(one.kind == "partial" and tensor in one.tensors for one in self.conditions.each)
        return (*layouts, Partial()) if summed else layouts

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """All."""
        return layouts

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """All."""
        return rules

    def alike(self, node: Node) -> Hashable:
        """All are."""
        return None


@dataclass(frozen=True, slots=True)
class Fixed:
    """One axis keeps to a known program: by operation (the number of its result) its rule, by source its layout."""

    axis: int
    rules_of: Mapping[int, Rule]
    stored_of: Mapping[int, Layout]
    rest: MeshRestriction

    def stored(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """As the program stores it on the axis."""
        layout = self.stored_of.get(tensor)
        return self.rest.stored(tensor, tuple(pair for pair in pairs if layout is None or pair[self.axis] == layout))

    def outputs(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Any that the rest leaves."""
        return self.rest.outputs(tensor, pairs)

    def rules(self, node: Node, rules: tuple[RulePair, ...]) -> tuple[RulePair, ...]:
        """Those of the program on the axis."""
        mine = self.rules_of[node.result]
        return self.rest.rules(node, tuple(pair for pair in rules if pair[self.axis] == mine))

    def alike(self, node: Node) -> Hashable:
        """Those that have the same rule on the axis."""
        return self.rules_of[node.result], self.rest.alike(node)


@dataclass(frozen=True, slots=True)
class Mixed:
    """Every operation does as it does in one of several programs, each by operation (the number of its result)."""

    programs: tuple[Mapping[int, RulePair], ...]
    rest: MeshRestriction

    def stored(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Any that the rest leaves."""
        return self.rest.stored(tensor, pairs)

    def outputs(self, tensor: int, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Any that the rest leaves."""
        return self.rest.outputs(tensor, pairs)

    def rules(self, node: Node, rules: tuple[RulePair, ...]) -> tuple[RulePair, ...]:
        """Those of the programs."""
        mine = {program[node.result] for program in self.programs}
        return self.rest.rules(node, tuple(pair for pair in rules if pair in mine))

    def alike(self, node: Node) -> Hashable:
        """Those that do the same in every program."""
        return tuple([program[node.result] for program in self.programs]), self.rest.alike(node)


ANYTHING = Anything()
