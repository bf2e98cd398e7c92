"""Special results: known elements of counting operations, and uninitialized memory."""

from collections.abc import Sequence

import numpy as np
import torch
from torch._ops import OpOverload

from p2smt.frontend.torch_graph.effects import Effects

_UNWRITTEN = ("empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided")


_COUNTING = ("aten.arange.default", "aten.arange.start", "aten.arange.start_step")


def counted(name: str, arguments: Sequence[object], results: Sequence[object]) -> list[bytes | None]:
    """The elements of an integer progression; None for other operations."""
    (first, *rest) = results or (None,)
    if name not in _COUNTING or not isinstance(first, torch.Tensor) or rest:
        return []
    start = 0 if name == _COUNTING[0] else arguments[0]
    step = arguments[2] if len(arguments) > 2 else 1
    if not isinstance(start, int) or not isinstance(step, int):
        return []
    return [(start + step * np.arange(len(first), dtype=np.float64)).tobytes()]


def is_unwritten(operation: OpOverload) -> bool:
    """True for operations that return uninitialized memory."""
    return operation.namespace == "aten" and operation.overloadpacket.__name__ in _UNWRITTEN


def why_unmodelled(operation: OpOverload, found: Effects) -> str:
    """The reason why the values of an operation are not modelled."""
    if is_unwritten(operation):
        return f"{operation}: what lies in memory that nothing was written into"
    if found.random:
        return f"{operation}: it draws random numbers, which are each rank's own (dropout: the rest shows with p=0)"
    return f"{operation}: it writes into what it is given, which is not modelled"
