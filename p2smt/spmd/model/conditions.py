"""Conditions on layouts, parsed from texts such as `w1 replicated` or `layers.*.mlp.* sliced(1) on tensor`."""

import re
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product

from p2smt.errors import ProblemError
from p2smt.problem.quantity import parse_bytes
from p2smt.problem.text import printable
from p2smt.spmd.devices.device_mesh import DEVICE
from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.graph import Graph, Node
from p2smt.spmd.model.layouts import layout_of
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout, Partial, Replicated, Sliced
from p2smt.tensor.rule import Rule
from p2smt.wording import did_you_mean

FORMS = (
    "NAME [not] replicated, sliced, sliced(DIMENSION) or partial [on AXIS], where NAME is a tensor's, a pattern such "
    "as layers.*.weight, parameters, states or inputs; or at most SIZE"
)
_CONDITION = re.compile(
    r"([\w.*?]+)\s+(not\s+)?(replicated|sliced|partial)(?:\((\d{1,3})\))?(?:\s+on\s+(\w+))?", re.ASCII
)
_CAP = re.compile(r"at most\s+(\S.*)", re.ASCII)
_ALL = {f"{kind}s": kind for kind in SourceKind}
"""Names for all sources of a kind."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A requirement that tensors have a kind of layout, optionally along a dimension, or (`negated`) do not have it.

    `tensors` are sources and outputs, constrained as stored or left; `computed` are other values, constrained as
    produced. With `axis`, the condition holds on that mesh axis. Otherwise "replicated" means on every axis; "sliced"
    and "partial" mean on at least one axis, with all others replicated. Negated, "sliced" and "partial" exclude the
    layout on all axes.
    """

    text: str
    tensors: frozenset[int]
    kind: str
    dimension: int | None
    computed: frozenset[int] = frozenset()
    negated: bool = False
    axis: int | None = None

    def allows(self, layouts: Layouts) -> bool:
        """True if the condition's tensors may have these layouts."""
        if self.axis is not None:
            return self._is(layouts[self.axis]) is not self.negated
        if self.kind == "replicated":
            return all(map(self._is, layouts)) is not self.negated
        some = any(map(self._is, layouts))
        if self.negated:
            return not some
        # only Replicated: others are refused, or match no rule and no conversion
        return some and all(self._is(each) or isinstance(each, Replicated) for each in layouts)

    def may_have(self, layout: Layout, axis: int) -> bool:
        """True if this layout on one axis can be part of allowed layouts on all axes."""
        if self.axis is not None:
            return self.axis != axis or self._is(layout) is not self.negated
        if self.negated:
            return self.kind == "replicated" or not self._is(layout)
        # only Replicated: others are refused, or match no rule and no conversion
        return self._is(layout) or (self.kind != "replicated" and isinstance(layout, Replicated))

    def _is(self, layout: Layout) -> bool:
        match layout:  # only Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
            case Replicated():
                return self.kind == "replicated"
            case Sliced(dimension):
                return self.kind == "sliced" and self.dimension in (None, dimension)
            case Partial():
                return self.kind == "partial"
            case _:
                return False


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conjunction of several conditions."""

    each: tuple[Condition, ...]

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the layouts that all conditions allow; an input may be partial if a condition requires it."""
        named = [one for one in self.each if tensor in one.tensors]
        if layouts and any(map(_asks_for_sums, named)):
            layouts = tuple(product((Partial(), Replicated()), repeat=len(layouts[0])))
        return tuple(each for each in layouts if all(one.allows(each) for one in named))

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the layouts that all conditions allow."""
        named = [one for one in self.each if tensor in one.tensors]
        return tuple(each for each in layouts if all(one.allows(each) for one in named))

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Return the rules whose result has a layout that all conditions on the value allow."""
        named = [one for one in self.each if node.result in one.computed]
        if not named:
            return rules
        return tuple([each for each in rules if all(one.allows(_made(each)) for one in named)])

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations share if the same conditions name their results."""
        return tuple([number for number, one in enumerate(self.each) if node.result in one.computed])


def _made(rules: Rules) -> Layouts:
    layouts = [layout_of(rule.result) for rule in rules]
    return tuple([layout for layout in layouts if layout is not None])


def _asks_for_sums(condition: Condition) -> bool:
    return condition.kind == "partial" and not condition.negated


@dataclass(frozen=True, slots=True)
class OneAxisOf:
    """The restriction of one mesh axis that conditions imply, whatever the other axes do.

    Partial is among the layouts if a condition requires it.
    """

    conditions: Conditions
    axis: int

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return the layouts on this axis that are part of some layouts allowed on all axes."""
        named = [one for one in self.conditions.each if tensor in one.tensors]
        if any(map(_asks_for_sums, named)):
            layouts = (*layouts, Partial())
        return tuple(each for each in layouts if all(one.may_have(each, self.axis) for one in named))

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return the output layouts on this axis that are part of some layouts allowed on all axes."""
        named = [one for one in self.conditions.each if tensor in one.tensors]
        return tuple(each for each in layouts if all(one.may_have(each, self.axis) for one in named))

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Return the rules whose result on this axis is part of some allowed layouts."""
        named = [one for one in self.conditions.each if node.result in one.computed]
        if not named:
            return rules
        made = [(rule, layout_of(rule.result)) for rule in rules]
        return tuple(
            [rule for rule, each in made if each is not None and all(one.may_have(each, self.axis) for one in named)]
        )

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations share if the same conditions name their results."""
        return self.conditions.alike(node)


def split_caps(texts: Sequence[str]) -> tuple[int | None, tuple[str, ...]]:
    """Return the least SIZE of all `at most SIZE` conditions (the memory limit of a device), and the other conditions.

    The size is None if there is no such condition. Raises ProblemError for sizes that do not parse or are 0.
    """
    caps, others = [], []
    for text in texts:
        match = _CAP.fullmatch(text.strip())
        if match is None:
            others.append(text)
            continue
        try:
            caps.append(parse_bytes(match[1]))
        except ProblemError as cause:
            raise ProblemError(f"condition {printable(text[:80])!r}: {cause}") from cause
    return min(caps, default=None), tuple(others)


def named_in(texts: Sequence[str], names: Collection[str]) -> frozenset[str]:
    """Return the names that these conditions match."""
    matches = (_CONDITION.fullmatch(text.strip()) for text in texts)
    patterns = [match[1] for match in matches if match is not None]
    return frozenset(name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns))


def parse_conditions(texts: Sequence[str], graph: Graph, axes: Sequence[str] = (DEVICE,)) -> Conditions:
    """Parse conditions for a mesh with these axes.

    Raises ProblemError with the text, the valid forms, and the nearest known name.
    """
    return Conditions(tuple(_condition(text, graph, axes) for text in texts))


def _condition(text: str, graph: Graph, axes: Sequence[str]) -> Condition:
    match = _CONDITION.fullmatch(text.strip())
    if match is None or (match[4] is not None and match[3] != "sliced"):
        raise ProblemError(f"condition {printable(text[:80])!r} does not parse; write {FORMS}")
    tensors, computed = _tensors(match[1], graph)
    dimension = None if match[4] is None else int(match[4])
    for tensor in sorted(tensors | computed):
        if dimension is not None and dimension >= len(graph.tensors[tensor].shape):
            shape, name = list(graph.tensors[tensor].shape), graph.tensors[tensor].name
            raise ProblemError(
                f"condition {text.strip()!r}: {name} has the shape {shape}; name one of its dimensions, numbered from 0"
            )
    if match[5] is not None and match[5] not in axes:
        raise ProblemError(
            f"condition {printable(text[:80])!r}: the mesh has no axis {match[5][:40]}; its axes are {', '.join(axes)} "
            f"(--mesh data=2,tensor=4 names them){did_you_mean(match[5], axes)}"
        )
    axis = None if match[5] is None else list(axes).index(match[5])
    return Condition(" ".join(text.split()), tensors, match[3], dimension, computed, match[2] is not None, axis)


def _tensors(name: str, graph: Graph) -> tuple[frozenset[int], frozenset[int]]:
    """Return the sources and outputs that a name or pattern matches, and the other computed values."""
    sources = {
        tensor.name: (number, tensor.source.kind)
        for number, tensor in enumerate(graph.tensors)
        if tensor.source is not None
    }
    # A tensor of that name takes precedence over the word for all of a kind.
    if name in _ALL and name not in sources:
        return frozenset(number for number, kind in sources.values() if kind is _ALL[name]), frozenset()
    ends = {number for number, _ in sources.values()} | set(graph.outputs)
    known = {**graph.named, **{each: number for each, (number, _) in sources.items()}}
    found = {number for each, number in known.items() if fnmatchcase(each, name)}
    if not found:
        raise ProblemError(f"{name[:80]!r} is not a tensor of the program{did_you_mean(name, known)}; write {FORMS}")
    return frozenset(found & ends), frozenset(found - ends)
