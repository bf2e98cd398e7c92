"""Operations on the memory of their first operand: the same bits, and no memory more."""

from collections.abc import Sequence

from p2smt.emit.torch.program.storage import IN_PLACE
from p2smt.emit.torch.program.value import Value


def in_place(operation: str, operands: Sequence[Value], made: Value) -> str:
    """The expression `made` as a change of its first operand; empty if that has no space for it.

    That is so where the result has another type, shape or layout. Of operands of two types torch makes a third, which
    would be rounded behind every operation, not behind the last.

    >>> from p2smt.tensor.program import DType
    >>> p = Value(text="p", layouts=(), dtype=DType.F32, in_place="p.mul_(0.9)")
    >>> in_place("add", [p, Value(text="g", layouts=(), dtype=DType.F32)], p)
    'p.mul_(0.9).add_(g)'
    """
    if operation not in IN_PLACE or not operands[0].in_place:
        return ""
    left, right = operands
    kept = (left.dtype, left.shape, left.layouts, left.chunked) == (made.dtype, made.shape, made.layouts, made.chunked)
    if not kept or right.dtype not in (None, left.dtype):
        return ""
    return f"{left.in_place}.{IN_PLACE[operation]}({right.text})"
