"""Restrictions of the search space: none, conditions, baselines, or a known program."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.graph import Node
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout
from p2smt.tensor.rule import Rule, Summand

Item = TypeVar("Item")
RuleItem = TypeVar("RuleItem")


class AnyRestriction(Protocol[Item, RuleItem]):
    """A filter on the layouts and rules that may be chosen."""

    def stored(self, tensor: int, layouts: tuple[Item, ...]) -> tuple[Item, ...]:
        """Return the layouts in which a source may be stored."""
        ...

    def outputs(self, tensor: int, layouts: tuple[Item, ...]) -> tuple[Item, ...]:
        """Return the layouts in which an output may be left."""
        ...

    def rules(self, node: Node, rules: tuple[RuleItem, ...]) -> tuple[RuleItem, ...]:
        """Return the rules that an operation may follow."""
        ...

    def alike(self, node: Node) -> Hashable:
        """Return a cache key: operations with the same rules and the same key get the same result from `rules`."""
        ...


AxisRestriction = AnyRestriction[Layout, Rule]
"""A restriction on one mesh axis."""

Restriction = AnyRestriction[Layouts, Rules]
"""A restriction on the layouts and rules of a tensor or operation along all mesh axes jointly."""


class Freedom:
    """The restriction that excludes nothing."""

    def stored(self, tensor: int, layouts: tuple[Item, ...]) -> tuple[Item, ...]:
        """Return all layouts."""
        return layouts

    def outputs(self, tensor: int, layouts: tuple[Item, ...]) -> tuple[Item, ...]:
        """Return all layouts."""
        return layouts

    def rules(self, node: Node, rules: tuple[RuleItem, ...]) -> tuple[RuleItem, ...]:
        """Return all rules."""
        return rules

    def alike(self, node: Node) -> Hashable:
        """Return the same key for all operations."""
        return None


FREEDOM = Freedom()


@dataclass(frozen=True, slots=True)
class PerAxis:
    """A conjunction of one restriction per mesh axis."""

    axes: tuple[AxisRestriction, ...]

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the layouts that every axis's restriction allows."""
        return _among(layouts, [each.stored(tensor, _along(layouts, axis)) for axis, each in enumerate(self.axes)])

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the output layouts that every axis's restriction allows."""
        return _among(layouts, [each.outputs(tensor, _along(layouts, axis)) for axis, each in enumerate(self.axes)])

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Return the rules that every axis's restriction allows."""
        return _among(rules, [each.rules(node, _along(rules, axis)) for axis, each in enumerate(self.axes)])

    def alike(self, node: Node) -> Hashable:
        """Return the keys of all axes together."""
        return tuple([each.alike(node) for each in self.axes])


def _along(every: tuple[tuple[Item, ...], ...], axis: int) -> tuple[Item, ...]:
    """Return the distinct items on an axis."""
    return tuple(dict.fromkeys([each[axis] for each in every]))


def _among(every: tuple[tuple[Item, ...], ...], left: Sequence[tuple[Item, ...]]) -> tuple[tuple[Item, ...], ...]:
    """Return the items whose component on every axis is allowed."""
    return tuple(each for each in every if all(mine in some for mine, some in zip(each, left, strict=True)))


@dataclass(frozen=True, slots=True)
class FixedAxes:
    """A restriction to a known program on all axes except `free`.

    `rules_of` maps an operation (by the number of its result) to its rules, `stored_of` a source to its layouts; their
    entries for the free axis are ignored.
    """

    free: int
    rules_of: Mapping[int, Rules]
    stored_of: Mapping[int, Layouts]
    rest: Restriction

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the layouts that agree with the program on the other axes."""
        known = self.stored_of.get(tensor)
        if known is not None:
            layouts = tuple([each for each in layouts if self._others(each) == self._others(known)])
        return self.rest.stored(tensor, layouts)

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the output layouts that the inner restriction allows."""
        return self.rest.outputs(tensor, layouts)

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Return the rules that agree with the program on the other axes."""
        mine = self._others(self.rules_of[node.result])
        return self.rest.rules(node, tuple([each for each in rules if self._others(each) == mine]))

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations with the same rules on the other axes share."""
        return self._others(self.rules_of[node.result]), self.rest.alike(node)

    def _others(self, each: tuple[Item, ...]) -> tuple[Item, ...]:
        return (*each[: self.free], *each[self.free + 1 :])


@dataclass(frozen=True, slots=True)
class MixedPrograms:
    """A restriction under which every operation follows one of several programs (maps from results to rules)."""

    programs: tuple[Mapping[int, Rules], ...]
    rest: Restriction

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the layouts that the inner restriction allows."""
        return self.rest.stored(tensor, layouts)

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the output layouts that the inner restriction allows."""
        return self.rest.outputs(tensor, layouts)

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Return the rules that the operation follows in one of the programs."""
        mine = {program[node.result] for program in self.programs}
        return self.rest.rules(node, tuple([each for each in rules if each in mine]))

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations with the same rules in every program share."""
        return tuple([program[node.result] for program in self.programs]), self.rest.alike(node)


@dataclass(frozen=True, slots=True)
class NoSums:
    """A restriction under which some operations must not have partial results."""

    inner: Restriction
    results: frozenset[int]

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the layouts that the inner restriction allows."""
        return self.inner.stored(tensor, layouts)

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the output layouts that the inner restriction allows."""
        return self.inner.outputs(tensor, layouts)

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Return the allowed rules, without those that make partial results if the operation is in `results`."""
        left = self.inner.rules(node, rules)
        if node.result not in self.results:
            return left
        return tuple([each for each in left if not any(isinstance(rule.result, Summand) for rule in each)])

    def alike(self, node: Node) -> Hashable:
        """Return the inner key, and whether the operation is restricted."""
        return self.inner.alike(node), node.result in self.results


@dataclass(frozen=True, slots=True)
class BothRestrictions:
    """The conjunction of two restrictions."""

    first: Restriction
    second: Restriction

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the layouts that both allow; the second may add partial ones, as conditions that require them do."""
        return self.second.stored(tensor, self.first.stored(tensor, layouts))

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the output layouts that both allow."""
        return self.second.outputs(tensor, self.first.outputs(tensor, layouts))

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Return the rules that both allow."""
        return self.second.rules(node, self.first.rules(node, rules))

    def alike(self, node: Node) -> Hashable:
        """Return the keys of both."""
        return self.first.alike(node), self.second.alike(node)
