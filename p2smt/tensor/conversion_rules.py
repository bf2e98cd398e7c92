"""Layout rules of conversions: the layout that each produces along its axis, or the reason why it does not apply."""

from typing import assert_never

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
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout, OnRank, Partial, ReductionOp, Replicated, Sliced, layout_text
from p2smt.tensor.placing import Mesh, cut, cutting
from p2smt.tensor.reason import Reason, Refusal


def converted(
    conversion: Conversion, layouts: Layouts, mesh: Mesh, axis: int, shape: tuple[int, ...]
) -> Layout | Refusal:
    """Return the layout along `axis` after the conversion, or a refusal.

    Layouts along other axes do not change.
    """
    match conversion:
        case AllReduce(reduction) | ReduceScatter(reduction=reduction) | Reduce(reduction=reduction):
            refused = _summand(layouts[axis], reduction)
        case AllGather(dimension) | AllToAll(dimension) | Rebalance(dimension):
            refused = _sliced(layouts, axis, dimension)
        case Slice() | Keep():
            refused = _replicated(layouts[axis])
        case Broadcast(root):
            refused = None if layouts[axis] == OnRank(root) else _not_there(layouts[axis])
        case Send():
            # only OnRank, Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
            refused = None if isinstance(layouts[axis], OnRank) else _not_there(layouts[axis])
        case _:
            assert_never(conversion)
    return refused or _after(conversion, layouts, mesh, axis, shape)


def _after(conversion: Conversion, layouts: Layouts, mesh: Mesh, axis: int, shape: tuple[int, ...]) -> Layout | Refusal:
    """Return the layout after a conversion whose input layout is valid.

    Refuse ranks, dimensions or block sizes that do not exist.
    """
    match conversion:
        case AllReduce() | AllGather() | Broadcast():
            return Replicated()
        case ReduceScatter(dimension, sizes) | Rebalance(dimension, sizes) | Slice(dimension, sizes):
            return cut(layouts, mesh, axis, shape, dimension, sizes)
        case AllToAll(source, target, sizes):
            same = Refusal(Reason.OTHER_DIMENSION, f"from {source} to {target}; Rebalance keeps the dimension")
            return same if source == target else cut(layouts, mesh, axis, shape, target, sizes)
        case Reduce(root) | Keep(root):
            there = _root(root, mesh, axis)
            return Partial(ReductionOp.SUM) if isinstance(conversion, Keep) and isinstance(there, OnRank) else there
        case Send():
            return _next(layouts[axis], mesh, axis)


def _summand(before: Layout, reduction: ReductionOp) -> Refusal | None:
    if not isinstance(before, Partial):
        return Refusal(Reason.NOT_PARTIAL, f"it is {layout_text(before)}")
    if before.reduction is not reduction:
        return Refusal(Reason.OTHER_REDUCTION, f"it is {layout_text(before)}, the collective reduces with {reduction}")
    return None


def _sliced(layouts: Layouts, axis: int, dimension: int) -> Refusal | None:
    before = layouts[axis]
    if not isinstance(before, Sliced):
        return Refusal(Reason.NOT_SLICED, f"it is {layout_text(before)}")
    if before.dimension != dimension:
        return Refusal(Reason.OTHER_DIMENSION, f"it is {layout_text(before)}, not sliced along {dimension}")
    if cutting(layouts, dimension)[-1] != axis:
        return Refusal(Reason.CUT_FURTHER, f"it is {layout_text(before)}")
    return None


def _replicated(before: Layout) -> Refusal | None:
    if isinstance(before, Replicated):
        return None
    return Refusal(Reason.NOT_REPLICATED, f"it is {layout_text(before)}")


def _root(root: int, mesh: Mesh, axis: int) -> OnRank | Refusal:
    if root < mesh[axis].size:
        return OnRank(root)
    return Refusal(Reason.NOT_ON_RANK, f"rank {root} does not exist on an axis of {mesh[axis].size}")


def _not_there(before: Layout) -> Refusal:
    return Refusal(Reason.NOT_ON_RANK, f"it is {layout_text(before)}")


def _next(before: Layout, mesh: Mesh, axis: int) -> OnRank | Refusal:
    assert isinstance(before, OnRank)
    if before.rank + 1 >= mesh[axis].size:
        return Refusal(Reason.NO_NEXT, f"it is {layout_text(before)} of {mesh[axis].size}")
    return OnRank(before.rank + 1)
