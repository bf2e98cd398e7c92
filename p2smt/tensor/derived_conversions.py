"""Checks of conversions for the derivation checker: the axis roles and intervals before and after."""

from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.holdings import RankIntervals, roles_of
from p2smt.tensor.layout import ReductionOp

Role = tuple[str, object]
_SAME: Role = ("same", None)


def _needed(conversion: Conversion, before: Role) -> Role:
    """Return the role that the converted axis must have before the conversion."""
    match conversion:
        case AllReduce(reduction) | ReduceScatter(reduction=reduction) | Reduce(reduction=reduction):
            role: Role = ("summand", reduction)
        case AllGather(dimension) | AllToAll(dimension) | Rebalance(dimension):
            role = ("cut", dimension)
        case Slice() | Keep():
            role = _SAME
        case Broadcast(root):
            role = ("on rank", root)
        case Send():
            role = ("on rank", before[1])
    return role


def _made(conversion: Conversion, before: Role) -> Role:
    """Return the role that the converted axis must have after the conversion."""
    match conversion:
        case AllReduce() | AllGather() | Broadcast():
            role = _SAME
        case ReduceScatter(dimension) | AllToAll(_, dimension) | Rebalance(dimension) | Slice(dimension):
            role = ("cut", dimension)
        case Keep():
            role = ("summand", ReductionOp.SUM)
        case Reduce(root):
            role = ("on rank", root)
        case Send():
            role = ("on rank", before[1] + 1 if isinstance(before[1], int) else None)
    return role


def conversion_fault(
    conversion: Conversion, before: RankIntervals, after: RankIntervals, axis: int, mesh: tuple[int, ...]
) -> str | None:
    """Return a fault of the claimed conversion; None if it holds.

    The converted axis must have the roles that the conversion requires before and after, other axes must not
    change, dimensions that neither layout cuts must keep their intervals, and explicit block sizes must
    match.
    """
    mine = roles_of(before.layouts[axis])
    if mine != _needed(conversion, mine) or roles_of(after.layouts[axis]) != _made(conversion, mine):
        return f"{type(conversion).__name__} does not lead from {mine} to {roles_of(after.layouts[axis])}"
    if any(old != new for number, (old, new) in enumerate(_pairs(before, after)) if number != axis):
        return "another axis changes its layout"
    named = {value for kind, value in (mine, roles_of(after.layouts[axis])) if kind == "cut"}
    if isinstance(conversion, Reduce | Keep) and conversion.root >= mesh[axis]:
        return f"there is no rank {conversion.root}"
    if isinstance(conversion, Send) and roles_of(after.layouts[axis]) == ("on rank", mesh[axis]):
        return "the last rank sends to nobody"
    for old, new in zip(before.intervals, after.intervals, strict=True):
        for dimension, (left, right) in enumerate(zip(old, new, strict=True)):
            if dimension not in named and left != right:
                return f"dimension {dimension} changes"
    return _blocks_fault(conversion, after, axis)


def _pairs(before: RankIntervals, after: RankIntervals) -> list[tuple[object, object]]:
    return list(zip(before.layouts, after.layouts, strict=True))


def _blocks_fault(conversion: Conversion, after: RankIntervals, axis: int) -> str | None:
    match conversion:
        case ReduceScatter(_, sizes) | AllToAll(_, _, sizes) | Rebalance(_, sizes) | Slice(_, sizes):
            made = getattr(after.layouts[axis], "sizes", None)
            return "the blocks are not those that are written" if sizes is not None and sizes != made else None
        case _:
            return None
