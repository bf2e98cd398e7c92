"""Comparison of an optimizer's first step, which creates its states, with a later one from zero states."""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.frontend.torch_graph.graph import Argument, OptimizerGraph, Reference, TorchNode, references

_ZEROS = ("aten.zeros", "aten.zeros_like", "aten.new_zeros")
_FULL = ("aten.full", "aten.full_like", "aten.new_full")
_Pair = tuple[Reference, Reference]


def is_as_the_others(first: OptimizerGraph, other: OptimizerGraph, offsets: Mapping[str, float]) -> bool:
    """Return True if both run the same operations on the same operands, up to states and the step number.

    `offsets` are the nonzero initial values of states, by name; such a state is stored as its difference from
    that value.
    """
    if [name for name, _ in first.kept] != [name for name, _ in other.kept]:
        return False
    return _Comparison(first, other, offsets).holds()


class _Comparison:
    def __init__(self, first: OptimizerGraph, other: OptimizerGraph, offsets: Mapping[str, float]) -> None:
        self._pairs = [
            (one, another)
            for (_, one), (_, another) in zip((*first.updated, *first.kept), (*other.updated, *other.kept), strict=True)
        ]
        self._first = {node.name: node for node in first.nodes}
        self._other = {node.name: node for node in other.nodes}
        sources = zip((*first.parameters, *first.gradients), (*other.parameters, *other.gradients), strict=True)
        self._sources = {one.node: another.node for one, another in sources}
        self._states = {given.node: (0.0, given.meta) for given in other.states if given.name not in offsets}
        shifted = {given.node: (offsets[given.name], given.meta) for given in other.states if given.name in offsets}
        for node in other.nodes:
            match node.arguments:
                case [Reference(name), float() | int()] if name in shifted and _called(node) == "aten.add":
                    self._states[node.name] = shifted[name]
        self._numbers = set(other.counters)
        for node in other.nodes:
            inputs = references(node)
            if inputs and all(each.node in self._numbers for each in inputs):
                self._numbers.add(node.name)

    def holds(self) -> bool:
        """True if all observed results agree; each pair of results is compared once."""
        seen: set[_Pair] = set()
        rest = list(self._pairs)
        while rest:
            pair = rest.pop()
            if pair in seen:
                continue
            seen.add(pair)
            more = self._operands(*pair)
            if more is None:
                return False
            rest += more
        return True

    def _operands(self, one: Reference, other: Reference) -> list[_Pair] | None:
        """Return the pairs of operands that must agree for two results to agree; None if the results differ."""
        if other.node in self._states:
            node = self._first.get(one.node)
            value, wanted = self._states[other.node]
            return [] if node is not None and _is_filled(node, value) and node.results == [wanted] else None
        if one.node in self._sources:
            return [] if self._sources[one.node] == other.node else None
        left, right = self._first.get(one.node), self._other.get(other.node)
        if left is None or right is None or one.result != other.result or not _alike(left, right):
            return None
        pairs = []
        for mine, its in (
            *zip(left.arguments, right.arguments, strict=True),
            *((left.keywords[key], right.keywords[key]) for key in left.keywords),
        ):
            own = self._agree(mine, its)
            if own is None:
                return None
            pairs += own
        return pairs

    def _agree(self, mine: Argument, its: Argument) -> list[_Pair] | None:
        match mine, its:
            case list(), list():
                found = [self._agree(*pair) for pair in zip(mine, its, strict=False)]
                whole = [each for each in found if each is not None]
                return [pair for each in whole for pair in each] if len(mine) == len(its) == len(whole) else None
            case Reference(), Reference():
                return [(mine, its)]
            case ((int() | float()), Reference(node)):
                return [] if node in self._numbers else None
            case _:
                return [] if type(mine) is type(its) and mine == its else None


def _alike(left: TorchNode, right: TorchNode) -> bool:
    same_results = left.results == right.results and len(left.arguments) == len(right.arguments)
    return _called(left) == _called(right) and same_results and left.keywords.keys() == right.keywords.keys()


def _called(node: TorchNode) -> str:
    return node.operation.rpartition(".")[0] or node.operation


def _is_filled(node: TorchNode, value: float) -> bool:
    """True if all elements are known and equal to this number."""
    known = node.elements[0] if node.elements else None
    if known is not None:
        return bool(known) and set(memoryview(known).cast("d")) == {value}
    return (_called(node) in _ZEROS and value == 0) or (_called(node) in _FULL and _value(node) == value)


def _value(node: TorchNode) -> Argument:
    position = 2 if _called(node) == "aten.new_full" else 1
    return node.arguments[position] if position < len(node.arguments) else node.keywords.get("fill_value")


def with_differences(step: OptimizerGraph, offsets: Mapping[str, float]) -> OptimizerGraph:
    """Return the step with states renamed to mark them as differences, so that no torch checkpoint has them."""
    named = {name: f"{name}_difference" for name in offsets}
    states = [replace(each, name=named.get(each.name, each.name)) for each in step.states]
    kept = [(named.get(name, name), reference) for name, reference in step.kept]
    return replace(step, states=states, kept=kept, offsets={named[name]: number for name, number in offsets.items()})
