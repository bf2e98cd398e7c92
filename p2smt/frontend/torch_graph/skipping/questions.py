"""Truth values that say whether a mask is true anywhere, as `mask.any()` and `mask.sum() > 0` do.

The nodes of a tape are followed back from the truth value, through what keeps the answer, to a tensor of truth values:
    any, sum, casts, views, a product with a positive number      "some" stays "some"
    x > 0, x != 0, x >= 1   of a single number                    likewise
    x == 0, x < 1, not x    of a single number                    "some" becomes "none"
Values are compared by how the tape made them, some operations deep; nodes of a tape are never written.
Complexity: the length of the way back, for each question.

Example: of `mask.sum() == 0` the mask is the origin, and it is true if no element of the mask is.
"""

from collections.abc import Mapping, Sequence

from p2smt.frontend.torch_graph.graph import Argument, Reference, TorchNode

_DEEP = 6
"""Operations of a value that its key goes back; the key has a part for every path, which may be exponentially many."""
_KEEPING = ("any", "sum", "_to_copy", "view", "reshape", "_unsafe_view", "unsqueeze", "squeeze", "expand", "clone")
_EXACT = ("bool", "int32", "int64", "float32", "float64")
"""Types in which a count of one or more is never rounded or wrapped to 0."""
_SOME: Mapping[str, Sequence[Argument]] = {"gt": (0,), "ne": (0,), "ge": (1,)}
"""Comparisons with these numbers are true if a count is not 0."""
_NONE: Mapping[str, Sequence[Argument]] = {"eq": (0,), "lt": (1,), "le": (0,)}
_NOT = ("logical_not", "bitwise_not")


class Values:
    """Values of a tape's results as keys: equal keys are of equal values."""

    def __init__(self, nodes: Sequence[TorchNode]) -> None:
        self._tape = nodes
        self._read = 0
        self._nodes: dict[str, TorchNode] = {}

    def node(self, reference: Reference) -> TorchNode | None:
        """The node that made a result; None for sources."""
        for node in self._tape[self._read :]:
            self._nodes[node.name] = node
        self._read = len(self._tape)
        return self._nodes.get(reference.node)

    def key(self, argument: Argument, deep: int = _DEEP) -> object:
        """The operations that made a value, some deep."""
        if isinstance(argument, list):
            return tuple(self.key(each, deep) for each in argument)
        if not isinstance(argument, Reference):
            return type(argument), argument
        node = self.node(argument)
        if node is None or deep == 0 or node.drawn:
            return argument
        if node.operation == "constant":
            return (node.operation, *node.results, *node.elements) if node.elements and node.elements[0] else argument
        given = tuple(self.key(each, deep - 1) for each in node.arguments)
        named = tuple((key, self.key(each, deep - 1)) for key, each in sorted(node.keywords.items()))
        return node.operation, argument.result, given, named, *node.results


def selecting(values: Values, truth: Reference) -> object:
    """Return the key of the mask that has a true element if, and only if, a single truth value is true; or None."""
    some, reference = True, truth
    while (node := values.node(reference)) is not None:
        following = _following(node, reference)
        if following is None:
            break
        reference, turned = following
        some = some != turned
    result = None if node is None else node.results[reference.result]
    is_mask = result is not None and result.dtype == "bool" and some
    return values.key(reference) if is_mask else None


def telling(values: Values, truth: Reference) -> list[str]:
    """Return the nodes of single numbers that a truth value is computed from: where it is false they may be 0."""
    names, reference = [], truth
    while (node := values.node(reference)) is not None:
        result = node.results[reference.result]
        if result is None or result.shape != ():
            break
        names.append(node.name)
        following = _following(node, reference)
        if following is None:
            break
        reference, _ = following
    return names


def _following(node: TorchNode, of: Reference) -> tuple[Reference, bool] | None:
    """The operand that a result tells of, and whether it tells the opposite; None where the way ends."""
    name = node.operation.removeprefix("aten.").partition(".")[0]
    first, *others = node.arguments or [None]
    result = node.results[of.result]
    if not isinstance(first, Reference) or result is None or result.dtype not in _EXACT:
        return None
    turned: bool | None = None
    match others:
        case _ if name in _KEEPING:
            turned = False
        case _ if result.shape != ():
            pass  # a comparison of each element makes a mask: that is where the way ends
        case [] if name in _NOT:
            turned = True
        case [bool() | int() | float() as number] if name == "mul" and number >= 1:
            turned = False
        case [number] if number in _SOME.get(name, ()):
            turned = False
        case [number] if number in _NONE.get(name, ()):
            turned = True
        case _:
            pass
    return None if turned is None else (first, turned)
