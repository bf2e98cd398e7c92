"""The price of a single conversion along one mesh axis."""

from collections.abc import Callable

from p2smt.spmd.devices.network import CollectivePrice, NetworkModel
from p2smt.spmd.devices.shares import Parts
from p2smt.tensor.layout import Layout, Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.way import Way

FREE = CollectivePrice(0, Way.PLAIN)


def conversion_price(
    network: NetworkModel, old: Layout, new: Layout, count: int, parts: Callable[[int], Parts]
) -> CollectivePrice | None:
    """Return the price of converting `count` bytes; None if there is no such conversion.

    `parts` maps the sharded dimension to the fraction on each rank.
    """
    # only Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
    match old, new:
        case Replicated(), (Sliced() | Partial(ReductionOp.SUM)):
            return FREE
        case Partial(), Replicated():
            return network.all_reduce(count)
        case Partial(), Sliced(dimension):
            return network.reduce_scatter(count, parts(dimension))
        case Sliced(dimension), Replicated():
            return network.all_gather(count, parts(dimension))
        case Sliced(source), Sliced(target):
            return network.all_to_all(count, parts(source), parts(target))
        case _:
            return None
