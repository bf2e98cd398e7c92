"""Robust fit of a network to tables of nccl-tests: bandwidths from large messages, latencies from the rest.

Only rows from 1 MiB on count, with the highest weights on the largest messages. With p the predicted and m the measured
seconds, the fit minimises
    sum over rows of w rho(ln(p / m))  +  sum over parameters of (pull (ln f - ln f0))^2
where rho is quadratic up to `USUAL_ERROR` and linear beyond it, so outliers count little. One factor scales all
latencies, because a table only determines their sum. Launch and memory keep their values, and so do links that no table
loads. Of several hypotheses about the algorithm of all-reduces (`carrying.py`), the one with the least sum plus penalty
is used; the penalty is needed because a table of one test hardly distinguishes rings from trees.
Complexity: one fit for each hypothesis.
Reference: Huber, "Robust estimation of a location parameter", 1964.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.calibration.carrying import Hypothesis, hypotheses
from p2smt.cost.calibration.fit import LOOSE, UNTOLD, Figure, Fit, FitRow, check_measurements
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import LAUNCH, MEMORY, parameters
from p2smt.cost.calibration.small_messages import priced_with_protocols, small_errors, with_small_messages
from p2smt.cost.calibration.table_problem import (
    INNER_LATENCY,
    LATENCY,
    TableProblem,
    TableSolution,
    least_loss,
    standard_errors,
)
from p2smt.cost.calibration.table_rows import free_figures, loaded_rates, row_weights, used_rows
from p2smt.cost.calibration.table_system import written_system
from p2smt.problem.system.algorithm import COLLNET, OUTSIDE, SWITCHED, Algorithm
from p2smt.problem.system.network import System

SURE = 3.0
"""The margin in loss by which the best hypothesis counts as certain: that of one row 20 % off."""

PENALTY = {
    Algorithm.RING: 0.0,
    Algorithm.TREE: 6.0,
    Algorithm.NVLS: 2.0,
    Algorithm.NVLS_TREE: 2.0,
    Algorithm.COLLNET_DIRECT: 8.0,
    Algorithm.COLLNET_CHAIN: 10.0,
    Algorithm.PAT: 0.0,
}
"""The penalty of unlikely hypotheses.

NCCL rarely uses trees for large messages, few systems have NVLS, and CollNet is off by default.
"""

ABOVE_LINE = 12.0
"""The penalty of a link above its line rate."""

NOMINAL = 1.15
"""The ratio of a link's line rate to its parameter, with a small margin for the clock."""

LACKING = 20.0
"""The penalty of reducing switches on a named system without them, such as one of A100."""

INSISTING = (4.0, 16.0, 64.0)
"""Factors on the weight of the largest messages while they are off by more than `FAR`."""

MEMORY_SHARE = 10
"""The reciprocal of memory's largest share of a row's time if the memory rate is unknown."""

FAR = 0.09
"""The error of the largest message beyond which more parameters are fitted."""

LINE = 1.25
"""The largest ratio of a link's rate to its parameter, which is 0.9 of the line rate."""


@dataclass(frozen=True)
class TableFit(Fit):
    """A fit to tables, and the algorithms that it assumes for their all-reduces.

    `notes` list the tables that were left out. `sure` is the increase in loss, penalties included, from this hypothesis
    to the next best. `small` holds the mean |ln(predicted / measured)| of rows below 1 MiB with NCCL's protocols and
    with Simple alone; None if the system prices Simple alone, because protocols explain nothing.
    """

    inside: Algorithm | None
    between: Algorithm | None
    sure: float
    used: tuple[bool, ...]
    small: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()


def fit_tables(
    system: System,
    measurements: Sequence[Measurement],
    progress: Callable[[int, int], None] | None = None,
    leave_out: bool = True,
) -> TableFit:
    """Fit the parameters of a network to tables of nccl-tests; deterministic.

    With `leave_out`, every group of tables is also predicted by a fit to the others. Raises CalibrationError without
    measurements, and for impossible times.
    """
    check_measurements(system, measurements)
    groups = list(dict.fromkeys(one.group for one in measurements))
    folds = groups if leave_out and len(groups) > 1 else []
    tell = progress or (lambda done, total: None)
    tell(1, len(folds) + 1)
    used = used_rows(measurements)
    hidden = _with_fast_memory(system, measurements, used)
    tried = [_solved(carried, used) for carried in hypotheses(hidden, measurements)]
    # Hypotheses beyond a link's line rate, or far off at the largest messages, count only if there
    # are no others.
    possible = [one for one in tried if not _is_beyond(one, system) and worst_largest(one, used) <= FAR] or tried
    scores = [one.loss + _penalty(one, system) for one in possible]
    best = possible[scores.index(min(scores))]
    others = sorted(scores)[1:]
    carried = best.problem.carried
    everything = np.ones(len(measurements), dtype=bool)
    small = priced_with_protocols(hidden, measurements, carried)
    # `large` is kept for its standard errors; the second step changes latencies alone.
    large, best = best, with_small_messages(best, small, used, everything, FAR)
    has_protocols = best is not large
    unseen: list[float | None] = [None] * len(measurements)
    for number, group in enumerate(folds):
        tell(number + 2, len(folds) + 1)
        rest = np.array([one.group != group for one in measurements])
        kept = used & rest
        if kept.any():
            left = _solved(carried, kept)
            if has_protocols:
                left = with_small_messages(left, small, kept, rest, FAR)
            predicted = left.problem.carried.predict([left.values])[0]
            for place in np.flatnonzero([one.group == group for one in measurements]).tolist():
                unseen[place] = float(predicted[place])
    carried, values = best.problem.carried, best.values
    predicted = carried.predict([values])[0]
    figures = _figures(best, system, standard_errors(large) | standard_errors(best))
    identified = {figure.name for figure in figures if figure.identified}
    return TableFit(
        system=written_system(system, carried, values, measurements, predicted, identified),
        figures=figures,
        rows=tuple(FitRow(*row) for row in zip(carried.measurements, predicted.tolist(), unseen, strict=True)),
        inside=carried.inside,
        between=carried.between,
        sure=others[0] - min(scores) if others else inf,
        used=tuple(used.tolist()),
        small=small_errors(best, large) if has_protocols else None,
    )


def _with_fast_memory(system: System, measurements: Sequence[Measurement], used: NDArray[np.bool_]) -> System:
    """Return the system with memory that takes at most a tenth of each row, if its devices are unknown.

    The default memory rate is that of slow devices, and would leave little or no time for the links of an NVSwitch.
    """
    if system.name:
        return system
    moved = next(hypotheses(system, measurements)).main.memory
    seconds = np.array([one.seconds for one in measurements])
    least = MEMORY_SHARE * float((moved / seconds)[used].max())
    return replace(
        system, network=replace(system.network, memory_bandwidth=max(system.network.memory_bandwidth, least))
    )


def _penalty(solution: TableSolution, system: System) -> float:
    """Return the penalty of a hypothesis; none for switches that a named system has, a large one if it has none.

    There is another penalty for links above their line rates, which other algorithms may explain.
    """
    carried = solution.problem.carried
    outer = {level.name for level in system.levels[: system.machine + 1]}
    known = {(link.level in outer, algorithm) for link in system.network.links for algorithm in link.flow}
    between = carried.between
    inside = {one for one in (carried.inside, between) if one is not None and one not in COLLNET}
    asked = [one for one in inside if (False, one) not in known]
    lacking = LACKING * len(SWITCHED & {*asked}) if system.name else 0.0
    if between in OUTSIDE and (True, between) not in known:
        asked.append(Algorithm.COLLNET_DIRECT if between is Algorithm.NVLS else between)  # only: as likely as that
    above = ABOVE_LINE if _is_beyond(solution, system, NOMINAL) else 0.0
    return above + lacking + sum(PENALTY[one] for one in asked)


def _solved(carried: Hypothesis, used: NDArray[np.bool_]) -> TableSolution:
    """Fit the parameters to the rows; parameters inside machines are only fitted if the others do not suffice."""
    measured = np.array([one.seconds for one in carried.measurements])
    weights = row_weights(carried.measurements, used)
    start = parameters(carried.system.network)
    names = free_figures(carried, used, start)
    problem = TableProblem(carried, measured, weights, names, start)
    solution = least_loss(problem)
    if worst_largest(solution, used) > FAR:
        more = tuple(name for name in loaded_rates(carried, used, start) if name not in names)
        if more:
            wider = least_loss(replace(problem, names=(*names, *more)))
            # More parameters always fit better; they must pay by 30 %.
            if wider.loss < 0.7 * solution.loss:
                return wider
    for counts in INSISTING:
        if worst_largest(solution, used) <= FAR:
            break
        heavier = replace(problem, weights=row_weights(carried.measurements, used, counts))
        point = least_loss(heavier).point
        solution = TableSolution(problem, point, float(problem.losses(point[np.newaxis])[0]))
    return solution


def worst_largest(solution: TableSolution, used: NDArray[np.bool_]) -> float:
    """Return the largest |ln(predicted / measured)| among the tables' largest messages."""
    carried = solution.problem.carried
    errors = np.abs(np.log(carried.predict([solution.values])[0] / solution.problem.measured))
    largest: dict[str, tuple[int, float]] = {}
    for place in np.flatnonzero(used).tolist():
        one = carried.measurements[place]
        largest[one.table] = max(largest.get(one.table, (0, 0.0)), (one.size, float(errors[place])))
    return max(error for _, error in largest.values())


def _is_beyond(solution: TableSolution, system: System, line: float = LINE) -> bool:
    """True if a hypothesis needs a link beyond `line` times its parameter, which is 0.9 of its line rate."""
    if not system.name:
        return False
    before = parameters(system.network)
    return any(
        value > line * before[name]
        for name, value in solution.values.items()
        if name.endswith(".bandwidth") and name in before and name != MEMORY
    )


def _figures(solution: TableSolution, system: System, errors: dict[str, float]) -> tuple[Figure, ...]:
    """Return every parameter before and after the fit; latencies only of links on which rows have hops."""
    start, values = solution.problem.start, solution.values
    before = start | parameters(system.network)
    scaled = {one: factor for factor in (LATENCY, INNER_LATENCY) for one in solution.problem.scaled_by(factor)}
    found = []
    for name in start:
        error = errors.get(name, errors.get(scaled.get(name, ""), UNTOLD))
        told = error <= LOOSE and name != MEMORY and (name != LAUNCH or name in solution.problem.names)
        found.append(Figure(name, before[name], values[name], error, told))
    return tuple(found)
