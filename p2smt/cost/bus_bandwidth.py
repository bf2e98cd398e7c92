"""Bus bandwidth, as nccl-tests counts it: what a link at the same rate would show, however many ranks there are.

    bus bandwidth = factor x bytes / seconds
with the bytes of the whole tensor (of an all-gather what comes out) and the factor of n ranks (its doc/PERFORMANCE.md)
    AllReduce 2(n - 1)/n,   ReduceScatter and AllGather (n - 1)/n,   Reduce and Broadcast 1.
"""

from p2smt.collective import Collective


def bus_bandwidth(collective: Collective, ranks: int, payload: int, seconds: float) -> float:
    """Bytes/s of bus bandwidth of a collective of `payload` bytes among `ranks` that takes `seconds`, more than 0.

    >>> bus_bandwidth(Collective.ALL_REDUCE, 8, 1000, 1.0), bus_bandwidth(Collective.BROADCAST, 8, 1000, 2.0)
    (1750.0, 500.0)
    """
    return _factor(collective, ranks) * payload / seconds


def _factor(collective: Collective, ranks: int) -> float:
    match collective:
        case Collective.ALL_REDUCE:
            return 2 * (ranks - 1) / ranks
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER:
            return (ranks - 1) / ranks
        case Collective.REDUCE | Collective.BROADCAST:
            return 1.0
