"""The layouts of all ranks after a conversion, for the checker of derivations alone."""

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
from p2smt.tensor.layout import Reduction

Role = tuple[str, object]
_SAME: Role = ("same", None)


def _needed(conversion: Conversion, before: Role) -> Role:
    """The role that the axis must have before."""
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
    """The role that it must have afterwards."""
    match conversion:
        case AllReduce() | AllGather() | Broadcast():
            role = _SAME
        case ReduceScatter(dimension) | AllToAll(_, dimension) | Rebalance(dimension) | Slice(dimension):
            role = ("cut", dimension)
        case Keep():
            role = ("summand", Reduction.SUM)
        case Reduce(root):
            role = ("on rank", root)
        case Send():
            role = ("on rank", before[1] + 1 if isinstance(before[1], int) else None)
    return role


def conversion_fault(
    conversion: Conversion, before: RankIntervals, after: RankIntervals, axis: int, mesh: tuple[int, ...]
) -> str | None:
    """A fault of the claim; None if it holds.

    The axis does what the conversion needs before and gives after, all others do what they did, a dimension that the
    conversion does not name keeps its intervals, and where blocks are written they are those.
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
