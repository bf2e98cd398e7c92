"""Whether the first step of an optimizer, which makes its states, is what the others are where states are zeros."""

from collections.abc import Mapping, Sequence

from p2smt.frontend.torch_graph.graph import Argument, Node, Reference, Stepped

_ZEROS = ("aten.zeros", "aten.zeros_like", "aten.new_zeros")
_FULL = ("aten.full", "aten.full_like", "aten.new_full")
_Pair = tuple[Reference, Reference]


def is_as_the_others(first: Stepped, other: Stepped) -> bool:
    """The same operations on the same operands, with zeros for states and a number for the number of the step."""
    if [name for name, _ in first.kept] != [name for name, _ in other.kept]:
        return False
    return _Comparison(first, other).holds()


class _Comparison:
    def __init__(self, first: Stepped, other: Stepped) -> None:
        self._pairs = [
            (one, another)
            for (_, one), (_, another) in zip((*first.updated, *first.kept), (*other.updated, *other.kept), strict=True)
        ]
        self._first = {node.name: node for node in first.nodes}
        self._other = {node.name: node for node in other.nodes}
        sources = zip((*first.parameters, *first.gradients), (*other.parameters, *other.gradients), strict=True)
        self._sources = {one.node: another.node for one, another in sources}
        self._states = {given.node: given.meta for given in other.states}
        self._numbers = set(other.counters)
        for node in other.nodes:
            inputs = _references(node)
            if inputs and all(each.node in self._numbers for each in inputs):
                self._numbers.add(node.name)

    def holds(self) -> bool:
        """Goes down from what is observed, each pair of results once."""
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
        """What has to be the same for two results to be; None: they are not."""
        if other.node in self._states:
            node = self._first.get(one.node)
            return [] if node is not None and _is_zero(node) and node.results == [self._states[other.node]] else None
        if one.node in self._sources:
            return [] if self._sources[one.node] == other.node else None
        left, right = self._first.get(one.node), self._other.get(other.node)
        if left is None or right is None or one.result != other.result or not _alike(left, right):
            return None
        pairs = []
        for mine, its in (*zip(left.arguments, right.arguments, strict=True),
                          *((left.keywords[key], right.keywords[key]) for key in left.keywords)):  # fmt: skip
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


def _alike(left: Node, right: Node) -> bool:
    same_results = left.results == right.results and len(left.arguments) == len(right.arguments)
    return _called(left) == _called(right) and same_results and left.keywords.keys() == right.keywords.keys()


def _called(node: Node) -> str:
    return node.operation.rpartition(".")[0] or node.operation


def _is_zero(node: Node) -> bool:
    if node.operation == "constant":
        return bool(node.arguments) and isinstance(node.arguments[0], list) and not any(node.arguments[0])
    filled = _called(node) in _FULL and _value(node) == 0
    return _called(node) in _ZEROS or filled


def _value(node: Node) -> Argument:
    position = 2 if _called(node) == "aten.new_full" else 1
    return node.arguments[position] if position < len(node.arguments) else node.keywords.get("fill_value")


def _references(node: Node) -> Sequence[Reference]:
    given: Mapping[str, Argument] = node.keywords
    found = []
    for argument in (*node.arguments, *given.values()):
        found += [item for item in (argument if isinstance(argument, list) else [argument])
                  if isinstance(item, Reference)]  # fmt: skip
    return found
