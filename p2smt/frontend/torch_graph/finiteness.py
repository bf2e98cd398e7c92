"""Conditions that hold for all finite numbers, as `torch.isfinite(x).all()`, by which models guard against overflow.

Programs are defined over real numbers: values computed from parameters, buffers and the batch are finite, unless
an infinite literal in the code reaches them. So such a condition is decided at capture:

    x == x, abs(x) != inf: true        x != x, abs(x) == inf: false        if x is finite
    boolean values: and, or, not, all, any, moves

A softmax, a sigmoid or a hyperbolic tangent turns infinite values into finite ones. Each operation is visited
once: O(operations) for all conditions of a step.
Reference: Cousot and Cousot, "Abstract interpretation", 1977, with the domain {finite, any}.

Example: `if not torch.isfinite(x).all(): x = x.clamp(-1e30, 1e30)` leaves x unchanged; if x is masked by -inf,
the condition is refused, because it depends on values.
"""

from collections.abc import Sequence
from math import inf, isinf, isnan

from p2smt.frontend.torch_graph.graph import Argument, Reference, TorchNode

_MOVES = (
    "_to_copy",
    "view",
    "reshape",
    "_unsafe_view",
    "expand",
    "squeeze",
    "unsqueeze",
    "permute",
    "transpose",
    "all",
    "any",
)
_ENDS = ("_softmax", "_safe_softmax", "sigmoid", "tanh", "erf", "gt", "ge", "lt", "le", "eq", "ne")
"""Operations of aten whose results are finite even for infinite operands."""
_OWN = "p2smt."
"""The prefix of p2smt's own operations, such as attention, whose results are finite like a softmax's."""


class Finiteness:
    """Known truth values of the results of a step's nodes; nodes may be added later."""

    def __init__(self, nodes: Sequence[TorchNode]) -> None:
        self._nodes = nodes
        self._known: dict[str, TorchNode] = {}
        self._finite: dict[str, bool] = {}

    def truth(self, reference: Reference) -> bool | None:
        """Return the truth value of all elements of a result, if finiteness decides it."""
        for node in self._nodes[len(self._known) :]:
            self._known[node.name] = node
        return self._truth(reference)

    def _truth(self, argument: Argument) -> bool | None:
        node = self._known.get(argument.node) if isinstance(argument, Reference) else None
        if node is None or not node.operation.startswith("aten."):
            return None
        found: bool | None = None
        match _name(node), node.arguments:
            case "eq" | "ne" as name, [first, second, *_] if self._is_decided(first, second):
                found = (name == "eq") == (first == second)
            case "isinf" | "isnan", [first, *_] if self._is_finite(first):
                found = False
            case "logical_not" | "bitwise_not", [first, *_]:
                truth = self._truth(first)
                found = None if truth is None else not truth
            case "mul" | "logical_and" | "bitwise_and" | "__and__", [first, second, *_]:
                found = _joined(self._truth(first), self._truth(second), False)
            case "logical_or" | "bitwise_or" | "__or__", [first, second, *_]:
                found = _joined(self._truth(first), self._truth(second), True)
            case name, [first, *_] if name in _MOVES:
                found = self._truth(first)
            case _:
                pass
        return found

    def _is_decided(self, first: Argument, second: Argument) -> bool:
        """Return True if a finite number is compared with itself, or its absolute value with infinity."""
        if first == second:
            return self._is_finite(first)
        node = self._known.get(first.node) if isinstance(first, Reference) else None
        return second == inf and node is not None and _name(node) == "abs" and self._is_finite(node.arguments[0])

    def _is_finite(self, argument: Argument) -> bool:
        """Return True if no infinite literal of the code reaches the value."""
        if not isinstance(argument, Reference):
            return False
        rest, reached = [argument.node], set[str]()
        while rest:
            node = self._known.get(rest.pop())
            if node is None or node.name in reached or self._finite.get(node.name):
                continue
            reached.add(node.name)
            if not _adds_nothing_infinite(node):
                return False
            if not node.operation.startswith(_OWN) and _name(node) not in _ENDS:
                rest += [each.node for each in _listed(node) if isinstance(each, Reference)]
        self._finite |= dict.fromkeys(reached, True)
        return True


def _joined(first: bool | None, second: bool | None, decisive: bool) -> bool | None:
    """Return the three-valued and/or: a `decisive` operand decides; otherwise both must be known."""
    if decisive in (first, second):
        return decisive
    return None if None in (first, second) else not decisive


def _adds_nothing_infinite(node: TorchNode) -> bool:
    """Return False if a literal argument, or an element of a constant, is infinite or NaN."""
    numbers = [each for each in _listed(node) if isinstance(each, float)]
    known = [number for each in node.elements if each for number in memoryview(each).cast("d")]
    return not any(isinf(each) or isnan(each) for each in (*numbers, *known))


def _listed(node: TorchNode) -> list[Argument]:
    given = (*node.arguments, *node.keywords.values())
    return [item for each in given for item in (each if isinstance(each, list) else [each])]


def _name(node: TorchNode) -> str:
    """Return the name without library and overload; constants have neither."""
    return node.operation.removeprefix("aten.").partition(".")[0]
