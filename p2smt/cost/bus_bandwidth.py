"""Bus bandwidth as nccl-tests defines it: it is comparable with the link rate for any number of ranks.

    bus bandwidth = factor x bytes / seconds
`bytes` is the size of the whole tensor (for an all-gather, of the output). The factor for n ranks is (nccl-tests,
doc/PERFORMANCE.md)
    AllReduce 2(n - 1)/n,   ReduceScatter, AllGather and AllToAll (n - 1)/n,   Reduce, Broadcast and sends 1.
"""

from math import prod
from typing import assert_never

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.network.cost import Work
from p2smt.problem.model import Problem
from p2smt.problem.workload import Goal, Reduction, Workload

HEAD = "busbw GB/s"
"""The heading of a column of `rate_cell` values."""


def bus_bandwidth(goal: Goal, ranks: int, payload: float, seconds: float) -> float | None:
    """Return the bus bandwidth, in bytes/s, of a collective of `payload` bytes among `ranks` that takes `seconds`.

    None for a single rank or for a time of 0.

    >>> bus_bandwidth(Collective.ALL_REDUCE, 8, 1000, 1.0), bus_bandwidth(Collective.BROADCAST, 8, 1000, 2.0)
    (1750.0, 500.0)
    """
    return _factor(goal, ranks) * payload / seconds if ranks > 1 and seconds > 0 else None


def _factor(goal: Goal, ranks: int) -> float:
    match goal:
        case Collective.ALL_REDUCE:
            return 2 * (ranks - 1) / ranks
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER | Exchange.ALL_TO_ALL:
            return (ranks - 1) / ranks
        case Collective.REDUCE | Collective.BROADCAST | Exchange.SEND:
            return 1.0
        case NeighbourSend.NEXT | NeighbourSend.AROUND:
            return 1.0
        case _:
            assert_never(goal)


def work_bus_bandwidth(work: Work, seconds: float) -> float | None:
    """Return the bus bandwidth of a step, in bytes/s; an all-gather's roots hold 1/n of its output."""
    ranks = work.pattern.group_size
    gathers = work.collective is Collective.ALL_GATHER  # only: the others hold all of it before
    return bus_bandwidth(work.collective, ranks, work.held * (ranks if gathers else 1), seconds)


def problem_bus_bandwidth(problem: Problem, seconds: float) -> float | None:
    """Return the bus bandwidth of a problem's reduction; None on systems with units of different sizes."""
    ranks = prod(problem.axes[axis].size for axis in problem.reduce)
    return None if problem.system.is_uneven else bus_bandwidth(problem.goal, ranks, problem.payload.bytes, seconds)


def reduction_bus_bandwidth(workload: Workload, reduction: Reduction, seconds: float) -> float | None:
    """Return the bus bandwidth of one call of a job's reduction; None on systems with units of different sizes."""
    ranks = prod(workload.axes[axis].size for axis in reduction.axes)
    uneven = workload.system.is_uneven
    return None if uneven else bus_bandwidth(reduction.goal, ranks, reduction.payload.bytes, seconds)


RATE = "Busbw, GB/s"
"""The heading of the same column in HTML reports."""


def rate_cell(rate: float | None) -> str:
    """Return a rate in GB/s as text without a unit; empty for None.

    >>> rate_cell(4.1237e10), rate_cell(None)
    ('41.2', '')
    """
    return "" if rate is None else f"{rate / 1e9:.3g}" if rate < 1e12 else f"{rate / 1e9:.0f}"
