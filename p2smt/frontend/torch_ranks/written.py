"""Facts about an operation's results beside their shapes: elements that it counts, or that nobody wrote."""

from collections.abc import Sequence

import numpy as np
import torch
from torch._ops import OpOverload

from p2smt.frontend.torch_graph.effects import Effects

_UNWRITTEN = ("empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided")


_COUNTING = ("aten.arange.default", "aten.arange.start", "aten.arange.start_step")


def counted(name: str, arguments: Sequence[object], results: Sequence[object]) -> list[bytes | None]:
    """The elements of what counts from one whole number by another; none of others."""
    (first, *rest) = results or (None,)
    if name not in _COUNTING or not isinstance(first, torch.Tensor) or rest:
        return []
    start = 0 if name == _COUNTING[0] else arguments[0]
    step = arguments[2] if len(arguments) > 2 else 1
    if not isinstance(start, int) or not isinstance(step, int):
        return []
    return [(start + step * np.arange(len(first), dtype=np.float64)).tobytes()]


def is_unwritten(operation: OpOverload) -> bool:
    """Return true for memory that nothing is written into."""
    return operation.namespace == "aten" and operation.overloadpacket.__name__ in _UNWRITTEN


def why_unmodelled(operation: OpOverload, found: Effects) -> str:
    """Why the values of an operation are not known."""
    if is_unwritten(operation):
        return f"{operation}: what lies in memory that nothing was written into"
    if found.random:
        return f"{operation}: it draws random numbers, which are each rank's own (dropout: the rest shows with p=0)"
    return f"{operation}: it writes into what it is given, which is not modelled"
