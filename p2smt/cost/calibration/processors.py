"""Processor time of calls and messages on shared cores, fitted to times of plans in chunks.

A few bytes in many chunks wait only for cores, so their times identify these parameters. Without chunks, messages wait
for one another, which is latency.

Least squares on predicted / measured - 1, in two stages: first squared errors from a start at which every prediction is
too long, then the robust soft L1 loss from there (scipy's `least_squares`, bounded below by 0). From a start that
predicts too little, the derivative would be 0, because another resource decides the time. The result is refused if the
Jacobian is rank deficient, or if a standard error exceeds `LOOSE` of the largest parameter.

    minimise  sum over rows of rho(predicted(x) / measured - 1)  over x >= 0,    rho(r) = 2 (sqrt(1 + r^2) - 1).

Complexity: two fits of as many unknowns as there are kinds of processor work.
Reference: Triggs et al., "Bundle adjustment: a modern synthesis", 2000, section 3 (robust loss functions and why starts
matter).
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.optimize import least_squares

from p2smt.cost.calibration.fit import LOOSE, USUAL_ERROR, check_seconds
from p2smt.cost.calibration.prediction import Array
from p2smt.cost.network.gloo import GlooCost
from p2smt.errors import CalibrationError
from p2smt.problem.system.network import System
from p2smt.problem.system.processors import Processors
from p2smt.reduction.plan.model import Plan

_FIGURES = len(fields(Processors)) - 1
_MICROSECOND = 1e-6
_STARTS = tuple(np.full(_FIGURES, 2.0**power) for power in range(40))
_STEP = (1e-3,) * _FIGURES
_LEAST_SPREAD = 0.01


@dataclass(frozen=True, slots=True)
class ChunkedTime:
    """The seconds of a plan in chunks, run by gloo on a system whose links are known."""

    system: System
    plan: Plan
    seconds: float


def fit_processors(times: Sequence[ChunkedTime], cores: int) -> Processors:
    """Fit the processor parameters that minimise the relative errors of predicted times; large errors count linearly.

    Raises CalibrationError for impossible times, and if the times do not identify all parameters.
    """
    for one in times:
        check_seconds(f"{one.plan.program} in {one.plan.chunks} chunks", one.seconds)
    untold = CalibrationError(
        f"{len(times)} times of chunked plans do not determine the core time of calls, messages and ports; "
        "add plans of a few bytes in many chunks, inside machines and between them"
    )
    measured = np.array([one.seconds for one in times])

    def errors(figures: Array) -> Array:
        found: Array = _seconds(times, Processors(cores, *(figures * _MICROSECOND).tolist())) / measured - 1
        return found

    # From above: a plan that waits for something else than cores tells nothing of how to change the figures.
    start = next((start for start in _STARTS if (errors(start) >= 0).all()), None)
    if len(times) < _FIGURES or start is None:
        raise untold
    near = least_squares(errors, start, bounds=(0, np.inf), diff_step=_STEP).x
    found = least_squares(errors, near, bounds=(0, np.inf), diff_step=_STEP, loss="soft_l1", f_scale=USUAL_ERROR)
    spread = max(1.4826 * float(np.median(np.abs(found.fun))), _LEAST_SPREAD)
    slopes = np.array(found.jac, dtype=np.float64) / spread
    if np.linalg.matrix_rank(slopes) < _FIGURES:
        raise untold
    wrong = np.sqrt(np.diag(np.linalg.inv(slopes.T @ slopes)))
    if wrong.max() > LOOSE * found.x.max():
        raise untold
    return Processors(cores, *(found.x * _MICROSECOND).tolist())


def _seconds(times: Sequence[ChunkedTime], processors: Processors) -> Array:
    """Return the predicted times of the plans on devices that share these cores."""
    costs = {
        system: GlooCost(replace(system, network=replace(system.network, processors=processors)))
        for system in {one.system for one in times}
    }
    return np.array([costs[one.system].plan_seconds(one.plan) for one in times])
