"""Axis orders as placements of a job: the time of each, and the best one.

    seconds(order) = seconds of its matrix, unless the numbering within a unit matters (rings, several ports);
                     then those of the same job with its axes listed in that order,
    best = argmin of seconds over the orders that are matrices (`placement/order.py`).
Complexity: n! orders of n axes at most, limited by `MOST_ORDERS`; unless numbering matters, one order for each matrix
is enough, and `order_of` finds it without listing them.
Reference: Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021,
for orders of axes.

Example: dp of 2 and tp of 8 on 2 nodes of 8 GPUs. The order (dp, tp) has tp inside nodes; (tp, dp) splits tp over
nodes.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from p2smt.cost.network.cost import Cost
from p2smt.cost.ranking import competition_ranks
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order, matrix_of_order, order_of, orders_of
from p2smt.problem.condition import ProgramCondition
from p2smt.problem.system.link import Wiring
from p2smt.problem.system.network import System
from p2smt.problem.workload import Workload

MOST_ORDERS = 1000


@dataclass(frozen=True, slots=True)
class OrderTime:
    """An axis order, its matrix, and the communication time per step with devices numbered by the order."""

    order: Order
    matrix: ParallelismMatrix
    seconds: float


@dataclass(frozen=True, slots=True)
class BestOrder:
    """The placements that axis orders can express, and the fastest order; None if none satisfies the conditions.

    `complete` is false if not every order was considered, because there are too many or time ran out.
    """

    expressible: tuple[ParallelismMatrix, ...]
    best: OrderTime | None
    complete: bool


def numbering_matters(system: System) -> bool:
    """True if the numbering of devices within a unit affects costs, as on a ring or with several ports."""
    return any(link.wiring is Wiring.RING or link.count > 1 for link in system.network.links)


def order_seconds(workload: Workload, cost: Cost, order: Order, matrix: ParallelismMatrix) -> float | None:
    """Return the seconds per step of an order with its own device numbering.

    Return None if no programs satisfy the limits on communicators. p2smt numbers devices within a level by the
    axes in their listed order, so this prices the same job with its axes listed in the given order.
    """
    listed = _listed(workload, order)
    found = JobPricer(listed, cost).placement(ParallelismMatrix(tuple(matrix.rows[axis] for axis in order)))
    return None if found is None else found.seconds


def best_order(
    optimum: Optimum, cost: Cost, deadline: float | None = None, preferred: Order | None = None
) -> BestOrder:
    """Return the fastest order that yields one of the placements; ties prefer `preferred`, then the first.

    Unless `numbering_matters`, an order takes the time of its matrix. Otherwise orders with the same matrix can
    differ, and each of the first 1,000 is priced. `deadline` is a time of `time.monotonic`.
    """
    times = {one.matrix: one.seconds for one in optimum.placements}
    expressible = tuple(matrix for matrix in times if order_of(matrix) is not None)
    priced, complete = [], optimum.proved
    matters = numbering_matters(cost.system)
    for number, (order, matrix) in enumerate(_orders(expressible, optimum.workload, preferred, every=matters)):
        if matters and number and (number == MOST_ORDERS or (deadline is not None and time.monotonic() >= deadline)):
            complete = False
            break
        seconds = order_seconds(optimum.workload, cost, order, matrix) if matters else times[matrix]
        priced += [] if seconds is None else [OrderTime(order, matrix, seconds)]
    ranking, _ = competition_ranks([one.seconds for one in priced])
    return BestOrder(expressible, priced[ranking[0]] if ranking else None, complete)


def _orders(
    matrices: Sequence[ParallelismMatrix], workload: Workload, preferred: Order | None, *, every: bool
) -> Iterator[tuple[Order, ParallelismMatrix]]:
    """Yield the preferred order if it yields one of the matrices; then all orders, or one order, of each matrix."""
    if preferred is not None:
        sizes, shards = [level.size for level in workload.levels], [axis.size for axis in workload.axes]
        found = matrix_of_order(preferred, shards, sizes)
        if found in matrices:
            assert isinstance(found, ParallelismMatrix)
            yield preferred, found
    for matrix in matrices:
        yield from ((order, matrix) for order in islice(orders_of(matrix), None if every else 1))


def _listed(workload: Workload, order: Order) -> Workload:
    """Return the job with its axes listed in this order.

    Placement conditions are left out, as they do not affect prices.
    """
    place = {axis: number for number, axis in enumerate(order)}
    return replace(
        workload,
        axes=tuple(workload.axes[axis] for axis in order),
        reductions=tuple(
            replace(reduction, axes=tuple(sorted(place[axis] for axis in reduction.axes)))
            for reduction in workload.reductions
        ),
        conditions=tuple(one for one in workload.conditions if isinstance(one, ProgramCondition)),
    )
