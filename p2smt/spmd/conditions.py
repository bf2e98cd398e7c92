"""Conditions on what may be chosen, from their texts: `w1 replicated`, `x sliced(0)`, `parameters sliced`."""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product

from p2smt.errors import ProblemError
from p2smt.problem.quantity import parse_bytes
from p2smt.problem.text import printable
from p2smt.spmd.graph import Graph, Node
from p2smt.spmd.pricing import Rules
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout, Partial, Replicated, Sliced
from p2smt.tensor.program import SourceKind
from p2smt.tensor.rule import Rule
from p2smt.wording import did_you_mean

FORMS = (
    "NAME replicated, NAME sliced, NAME sliced(DIMENSION) or NAME partial; NAME can be parameters, states or inputs; "
    "or at most SIZE"
)
_CONDITION = re.compile(r"([\w.]+)\s+(replicated|sliced|partial)(?:\((\d{1,3})\))?", re.ASCII)
_CAP = re.compile(r"at most\s+(\S.*)", re.ASCII)
_ALL = {f"{kind}s": kind for kind in SourceKind}
"""All sources of a kind."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A source or output has a layout of a kind; of a dimension, if it is sliced and one is named."""

    text: str
    tensors: frozenset[int]
    kind: str
    dimension: int | None

    def allows(self, tensor: int, layout: Layout) -> bool:
        """Whether a tensor may have a layout."""
        if tensor not in self.tensors:
            return True
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
    """All of several conditions.

    Replicated is so on every axis of a mesh; sliced, and a summand, on at least one, and whole on the others.
    """

    each: tuple[Condition, ...]

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Those that all conditions allow. An input may be a summand where a condition says so."""
        named = [one for one in self.each if tensor in one.tensors]
        if layouts and any(one.kind == "partial" for one in named):
            layouts = tuple(product((Partial(), Replicated()), repeat=len(layouts[0])))
        return tuple(each for each in layouts if all(_allows(one, tensor, each) for one in named))

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Those that all conditions allow."""
        return tuple(each for each in layouts if all(_allows(one, tensor, each) for one in self.each))

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """All: conditions speak of what is stored and of outputs."""
        return rules

    def alike(self, node: Node) -> Hashable:
        """All are."""
        return None


@dataclass(frozen=True, slots=True)
class OneAxisOf:
    """What conditions leave an axis of several: everything, and summands where they ask for them."""

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


def _allows(condition: Condition, tensor: int, layouts: Layouts) -> bool:
    if tensor not in condition.tensors or condition.kind == "replicated":
        return all(condition.allows(tensor, layout) for layout in layouts)
    some = any(condition.allows(tensor, layout) for layout in layouts)
    # only Replicated: others are refused, or match no rule and no conversion
    return some and all(condition.allows(tensor, each) or isinstance(each, Replicated) for each in layouts)


def split_caps(texts: Sequence[str]) -> tuple[int | None, tuple[str, ...]]:
    """The least of the sizes of `at most SIZE`, what a device may hold, and the conditions that are not of this form.

    None where there is no such condition. ProblemError for sizes that are none, or 0.
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


def named_in(texts: Sequence[str]) -> frozenset[str]:
    """Names of the tensors that these conditions mention."""
    return frozenset(text.split()[0] for text in texts if _CONDITION.fullmatch(text.strip()))


def parse_conditions(texts: Sequence[str], graph: Graph) -> Conditions:
    """The conditions of texts. ProblemError with the text, the forms that there are, and the nearest known name."""
    return Conditions(tuple(_condition(text, graph) for text in texts))


def _condition(text: str, graph: Graph) -> Condition:
    match = _CONDITION.fullmatch(text.strip())
    if match is None or (match[3] is not None and match[2] != "sliced"):
        raise ProblemError(f"condition {printable(text[:80])!r} does not parse; write {FORMS}")
    tensors = _tensors(match[1], graph)
    dimension = None if match[3] is None else int(match[3])
    for tensor in tensors:
        if dimension is not None and dimension >= len(graph.tensors[tensor].shape):
            shape = list(graph.tensors[tensor].shape)
            raise ProblemError(f"condition {text.strip()!r}: {graph.tensors[tensor].name} has the shape {shape}")
    return Condition(" ".join(text.split()), tensors, match[2], dimension)


def _tensors(name: str, graph: Graph) -> frozenset[int]:
    sources = {tensor.name: (number, tensor.source.kind) for number, tensor in enumerate(graph.tensors)
               if tensor.source is not None}  # fmt: skip
    if name in _ALL and name not in sources:
        return frozenset(number for number, kind in sources.values() if kind is _ALL[name])
    known = {**{each: number for each, (number, _) in sources.items()},
             **{output.name: graph.named[output.name] for output in graph.program.outputs}}  # fmt: skip
    if name not in known:
        raise ProblemError(f"{name[:80]!r} is no source or output of the program{did_you_mean(name, known)}; {FORMS}")
    return frozenset({known[name]})
