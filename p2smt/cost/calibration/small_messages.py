"""The second step of a fit to tables: latencies and launch time from all rows, with NCCL's protocols.

Large messages determine the bandwidths, which are kept. Small ones use the protocols LL and LL128 (`protocol.py`). One
factor of all latencies and the launch time are fitted to all rows. The result is used if it explains small messages
clearly better and large ones well; otherwise nothing changes.

The fit is that of `table_problem.py` with two unknowns, over the rows that fixed the bandwidths and the small ones, the
former with `LARGE_COUNT` times the weight. It is accepted if all of these hold, where e is the mean |ln(predicted /
measured)|:
    e(small, after) <= min(`CLEARLY` * e(small, before), `EXPLAINED`),
    e(large, after) <= max(e(large, before) + `AS_WELL`, `GOOD`),
and the worst of the tables' largest messages stays within its limit.
Complexity: one fit of two unknowns.
Reference: Huber, "Robust estimation of a location parameter", 1964 (the loss of `table_problem.py`).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.calibration.carrying import Hypothesis, hypotheses
from p2smt.cost.calibration.fit import LOOSE
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import LAUNCH
from p2smt.cost.calibration.prediction import Array
from p2smt.cost.calibration.table_problem import LATENCY, TableProblem, TableSolution, least_loss, standard_errors
from p2smt.cost.calibration.table_rows import row_weights
from p2smt.cost.network.backend import cost_of
from p2smt.cost.network.cost import Work
from p2smt.problem.system.algorithm import NcclProtocol
from p2smt.problem.system.file import resized
from p2smt.problem.system.network import SIMPLE_FROM, System

BASE_LAUNCH = 8.4e-6
"""The launch time, in seconds, if a system has none: NCCL's own value for Simple (`baseLatencies`)."""

CLEARLY = 0.7
"""The largest ratio of the error of small messages with protocols to the error without."""

EXPLAINED = 0.4
"""The largest mean error of small messages at which protocols count as an explanation."""

AS_WELL = 0.05
"""The largest allowed increase of the mean error of large messages."""

GOOD = 0.1
"""A mean error of large messages that is always acceptable."""

LARGE_COUNT = 3.0
"""The weight of a large message relative to a small one."""

FEWEST = 4
"""The fewest small messages that identify latencies."""


def with_small_messages(
    solution: TableSolution, carried: Hypothesis, used: NDArray[np.bool_], kept: NDArray[np.bool_], far: float
) -> TableSolution:
    """Return the solution with protocols if the rows of `kept` below 1 MiB call for it; else the solution unchanged.

    `carried` is the same hypothesis with protocols, `used` masks the rows that the solution was fitted to, and `far` is
    the largest acceptable |ln(predicted / measured)| of a table's largest message.
    """
    measurements = carried.measurements
    small = kept & np.array([one.size < SIMPLE_FROM for one in measurements])
    if small.sum() < FEWEST:
        return solution
    rows = used | small
    weights = row_weights(measurements, rows) * np.where(small, 1.0, LARGE_COUNT**0.5)
    start = {LAUNCH: BASE_LAUNCH} | solution.values
    problem = TableProblem(carried, solution.problem.measured, weights, (LATENCY, LAUNCH), start)
    found = least_loss(problem)
    if standard_errors(found)[LAUNCH] > LOOSE:  # rows do not tell it from the latencies
        found = least_loss(replace(problem, names=(LATENCY,)))
    before, after = _errors(solution), _errors(found)
    better = after[small].mean() <= min(CLEARLY * before[small].mean(), EXPLAINED)
    as_well = after[used].mean() <= max(before[used].mean() + AS_WELL, GOOD)
    worst = _worst_largest(after, measurements, used)
    return found if better and as_well and worst <= max(far, _worst_largest(before, measurements, used)) else solution


def small_errors(solution: TableSolution, before: TableSolution) -> tuple[float, float]:
    """Return the mean |ln(predicted / measured)| of rows below 1 MiB, for a solution and for the one before it."""
    small = np.array([one.size < SIMPLE_FROM for one in solution.problem.carried.measurements])
    return float(_errors(solution)[small].mean()), float(_errors(before)[small].mean())


def protocols_of(system: System, rows: Sequence[Measurement]) -> tuple[tuple[NcclProtocol, int], ...]:
    """Return the protocols of some rows, with the bytes of each one's largest message; smallest first."""
    largest: dict[NcclProtocol, int] = {}
    # Ascending sizes, so the last assignment is the largest message.
    for one in sorted(rows, key=lambda row: row.size):
        for work in one.works:
            cost = cost_of(resized(system, one.sizes), one.backend)
            protocol = cost.work_cost(work).protocol if isinstance(work, Work) else None
            if protocol is not None:
                largest[protocol] = one.size
    return tuple(sorted(largest.items(), key=lambda item: item[1]))


def _errors(solution: TableSolution) -> Array:
    found: Array = np.abs(np.log(solution.problem.carried.predict([solution.values])[0] / solution.problem.measured))
    return found


def _worst_largest(errors: Array, measurements: Sequence[Measurement], used: NDArray[np.bool_]) -> float:
    """Return the largest error among the tables' largest messages."""
    largest: dict[str, int] = {}
    for place in np.flatnonzero(used).tolist():
        table = measurements[place].table
        if table not in largest or measurements[place].size > measurements[largest[table]].size:
            largest[table] = place
    return max(float(errors[place]) for place in largest.values())


def priced_with_protocols(system: System, measurements: Sequence[Measurement], carried: Hypothesis) -> Hypothesis:
    """Return the hypothesis on a system whose calls may use any protocol."""
    described = replace(system, network=replace(system.network, protocols=True))
    wanted = carried.inside, carried.between
    return next(one for one in hypotheses(described, measurements) if (one.inside, one.between) == wanted)
