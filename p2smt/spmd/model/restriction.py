"""Restrictions of the search space: none, conditions, baselines, or a known program."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from p2smt.spmd.model.graph import Node
from p2smt.spmd.model.pricing import Rules
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout
from p2smt.tensor.rule import Rule, Summand

Item = TypeVar("Item")
RuleItem = TypeVar("RuleItem")


class AnyRestriction(Protocol[Item, RuleItem]):
    """Leaves some of what there is to choose from: of layouts, and of rules."""

    def stored(self, tensor: int, layouts: tuple[Item, ...]) -> tuple[Item, ...]:
        """Layouts in which a source may be stored."""
        ...

    def outputs(self, tensor: int, layouts: tuple[Item, ...]) -> tuple[Item, ...]:
        """Layouts in which an output may be left."""
        ...

    def rules(self, node: Node, rules: tuple[RuleItem, ...]) -> tuple[RuleItem, ...]:
        """Rules that an operation may follow."""
        ...

    def alike(self, node: Node) -> Hashable:
        """Operations that have the same rules to choose from, and this in common, are left the same."""
        ...


AxisRestriction = AnyRestriction[Layout, Rule]
"""A restriction of one axis."""

Restriction = AnyRestriction[Layouts, Rules]
"""A restriction of all axes of a mesh together."""


class Freedom:
    """Leaves everything."""

    def stored(self, tensor: int, layouts: tuple[Item, ...]) -> tuple[Item, ...]:
        """All."""
        return layouts

    def outputs(self, tensor: int, layouts: tuple[Item, ...]) -> tuple[Item, ...]:
        """All."""
        return layouts

    def rules(self, node: Node, rules: tuple[RuleItem, ...]) -> tuple[RuleItem, ...]:
        """All."""
        return rules

    def alike(self, node: Node) -> Hashable:
        """All are."""
        return None


FREEDOM = Freedom()


@dataclass(frozen=True, slots=True)
class PerAxis:
    """Each axis keeps to a restriction of its own."""

    axes: tuple[AxisRestriction, ...]

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Items that all restrictions leave."""
        return _among(layouts, [each.stored(tensor, _along(layouts, axis)) for axis, each in enumerate(self.axes)])

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Items that all restrictions leave."""
        return _among(layouts, [each.outputs(tensor, _along(layouts, axis)) for axis, each in enumerate(self.axes)])

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Items that all restrictions leave."""
        return _among(rules, [each.rules(node, _along(rules, axis)) for axis, each in enumerate(self.axes)])

    def alike(self, node: Node) -> Hashable:
        """A key of all restrictions together."""
        return tuple([each.alike(node) for each in self.axes])


def _along(every: tuple[tuple[Item, ...], ...], axis: int) -> tuple[Item, ...]:
    """Items on an axis, each once."""
    return tuple(dict.fromkeys([each[axis] for each in every]))


def _among(every: tuple[tuple[Item, ...], ...], left: Sequence[tuple[Item, ...]]) -> tuple[tuple[Item, ...], ...]:
    """Items whose part on every axis is left."""
    return tuple(each for each in every if all(mine in some for mine, some in zip(each, left, strict=True)))


@dataclass(frozen=True, slots=True)
class FixedAxes:
    """All axes but one keep to a known program: by operation (the number of its result) its rules, by source a layout.

    What the program says of the free axis does not matter.
    """

    free: int
    rules_of: Mapping[int, Rules]
    stored_of: Mapping[int, Layouts]
    rest: Restriction

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Layouts in which the program stores it on the other axes."""
        known = self.stored_of.get(tensor)
        if known is not None:
            layouts = tuple([each for each in layouts if self._others(each) == self._others(known)])
        return self.rest.stored(tensor, layouts)

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Any that the rest leaves."""
        return self.rest.outputs(tensor, layouts)

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Rules of the program on the other axes."""
        mine = self._others(self.rules_of[node.result])
        return self.rest.rules(node, tuple([each for each in rules if self._others(each) == mine]))

    def alike(self, node: Node) -> Hashable:
        """A key that operations with the same rules on the other axes share."""
        return self._others(self.rules_of[node.result]), self.rest.alike(node)

    def _others(self, each: tuple[Item, ...]) -> tuple[Item, ...]:
        return (*each[: self.free], *each[self.free + 1 :])


@dataclass(frozen=True, slots=True)
class MixedPrograms:
    """Every operation follows one of several programs, each by operation (the number of its result)."""

    programs: tuple[Mapping[int, Rules], ...]
    rest: Restriction

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Any that the rest leaves."""
        return self.rest.stored(tensor, layouts)

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Any that the rest leaves."""
        return self.rest.outputs(tensor, layouts)

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Rules of the programs."""
        mine = {program[node.result] for program in self.programs}
        return self.rest.rules(node, tuple([each for each in rules if each in mine]))

    def alike(self, node: Node) -> Hashable:
        """A key that operations share which do the same in every program."""
        return tuple([program[node.result] for program in self.programs]), self.rest.alike(node)


@dataclass(frozen=True, slots=True)
class NoSums:
    """The items of another restriction, without rules whose results are partial for some operations."""

    inner: Restriction
    results: frozenset[int]

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Items of the other restriction."""
        return self.inner.stored(tensor, layouts)

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Items of the other restriction."""
        return self.inner.outputs(tensor, layouts)

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Without those whose result is a summand, of these operations."""
        left = self.inner.rules(node, rules)
        if node.result not in self.results:
            return left
        return tuple([each for each in left if not any(isinstance(rule.result, Summand) for rule in each)])

    def alike(self, node: Node) -> Hashable:
        """The key of the other restriction."""
        return self.inner.alike(node), node.result in self.results


@dataclass(frozen=True, slots=True)
class BothRestrictions:
    """The items that two restrictions leave."""

    first: Restriction
    second: Restriction

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Layouts that both leave; the second may add some, as conditions that ask for summands do."""
        return self.second.stored(tensor, self.first.stored(tensor, layouts))

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Layouts that both leave."""
        return self.second.outputs(tensor, self.first.outputs(tensor, layouts))

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Rules that both leave."""
        return self.second.rules(node, self.first.rules(node, rules))

    def alike(self, node: Node) -> Hashable:
        """The keys of both."""
        return self.first.alike(node), self.second.alike(node)
