"""Whole numbers that the code itself keeps below a length, as those of `argmax` along a dimension are.

The nodes of a tape are followed back to what made the numbers:
    argmax, argmin, topk, sort, max and min along a dimension     the dimension's length
    x % n of whole numbers, clamp(0, n - 1), truth values         n, n, 2
    casts to whole numbers, views, parts, repetitions             as of their operand
All of them are 0 or more, so that no cast wraps them to a larger one. Floating-point numbers may be rounded up to n:
the remainder of -1e-20 by 3 is 3, and 299 is 300 in bfloat16. What the batch holds is not bounded by any code.
Complexity: the length of the way back.

Example: `gate.topk(2).indices.flatten()` of a gate with eight columns is below 8.
"""

from collections.abc import Sequence
from math import floor, inf, prod

from p2smt.frontend.torch_graph.graph import Argument, Meta, Reference, TorchNode

_KEEPING = frozenset(
    (
        "view",
        "reshape",
        "_unsafe_view",
        "unsqueeze",
        "squeeze",
        "expand",
        "clone",
        "permute",
        "transpose",
        "t",
        "select",
        "slice",
        "unbind",
        "split",
        "split_with_sizes",
        "index",
        "index_select",
        "gather",
        "repeat",
        "flip",
        "roll",
    )
)
"""Operations whose results have no other elements than their first operand."""
_ALONG = {"argmax": (0, 1), "argmin": (0, 1), "topk": (1, 2), "sort": (1, 1), "max": (1, 1), "min": (1, 1)}
"""Operations that give indices: which result that is, and the position of their argument `dim`."""
_LAST = ("topk", "sort")
"""Operations that work along the last dimension if none is named."""


def least_bound(nodes: Sequence[TorchNode], argument: Argument) -> float:
    """Return a number that is larger than all elements of a result; infinite if the code bounds none."""
    made = {node.name: node for node in nodes}
    metas = {(node.name, at): each for node in nodes for at, each in enumerate(node.results)}

    def shape(of: Argument) -> tuple[int, ...] | None:
        found = metas.get((of.node, of.result)) if isinstance(of, Reference) else None
        return None if found is None else found.shape

    def is_whole(result: Meta | None) -> bool:
        return result is not None and "int" in result.dtype

    def bound(of: Argument) -> float:
        node = made.get(of.node) if isinstance(of, Reference) else None
        if not isinstance(of, Reference) or node is None:
            return inf
        name = node.operation.removeprefix("aten.").partition(".")[0]
        result, first = node.results[of.result], (node.arguments or [None])[0]
        match name, node.arguments[1:]:
            case _ if result is not None and result.dtype == "bool":
                found: float = 2
            case _ if name in _ALONG and of.result == _ALONG[name][0]:
                found = _length(node, name, shape(first))
            case "remainder", [int() as by, *_] if by > 0 and is_whole(result):
                found = by
            case "clamp", [int() | float() as least, int() | float() as most, *_] if 0 <= least <= most:
                found = floor(most) + 1
            case _ if name in _KEEPING or (name == "_to_copy" and is_whole(result)):
                found = bound(first)
            case _:
                found = inf
        return found

    return bound(argument)


def _length(node: TorchNode, name: str, shape: tuple[int, ...] | None) -> float:
    """The length of the dimension along which an operation gives indices."""
    if shape is None:
        return inf
    position = _ALONG[name][1]
    dim = node.arguments[position] if len(node.arguments) > position else node.keywords.get("dim")
    if dim is None and name not in _LAST:
        return prod(shape)
    return shape[dim if isinstance(dim, int) else -1] if shape else 1
