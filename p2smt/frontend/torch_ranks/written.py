"""Facts about an operation's results beside their shapes: elements that it counts, or that nobody wrote."""

from collections.abc import Sequence

import numpy as np
import torch
from torch._ops import OpOverload

_UNWRITTEN = ("empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided")


def counted(name: str, results: Sequence[object]) -> list[bytes | None]:
    """The elements of what counts 0, 1, ...; none of others."""
    (first, *rest) = results or (None,)
    if name != "aten.arange.default" or not isinstance(first, torch.Tensor) or rest:
        return []
    return [np.arange(len(first), dtype=np.float64).tobytes()]


def is_unwritten(operation: OpOverload) -> bool:
    """Return true for memory that nothing is written into."""
    return operation.namespace == "aten" and operation.overloadpacket.__name__ in _UNWRITTEN
