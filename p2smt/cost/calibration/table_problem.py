"""The least-squares problem of a fit to tables: its unknowns, its residuals and its minimum.

The unknowns are logarithms of factors on the initial rates and latencies, and the overlap itself. Minimise

    sum over rows of  rho(weight * ln(predicted / measured))  +  sum over unknowns of  rho(pull * (x - initial x)),
    rho(r) = 2 (sqrt(1 + (r / s)^2) - 1),   s = `USUAL_ERROR`,

a robust regression (soft L1: quadratic for small residuals, linear for outliers) with a weak prior, which decides where
rows say nothing. The prediction is a maximum over links and so not smooth, therefore the search has two phases:
coordinate search on a grid of factors, one unknown at a time, then a trust-region Gauss-Newton method (scipy's
`least_squares`; Branch, Coleman and Li, 1999). Standard errors are those of linear regression at the minimum, from the
inverse of J'WJ.
Complexity: 4 x unknowns x 30 predictions of all rows, then some tens of Gauss-Newton steps.

Example: one link, one row that takes twice as long as predicted: the factor of its bandwidth becomes nearly 1/2.
"""

from dataclasses import dataclass
from math import exp, inf, log

import numpy as np
from scipy.optimize import Bounds, least_squares

from p2smt.cost.calibration.carrying import Hypothesis
from p2smt.cost.calibration.fit import USUAL_ERROR
from p2smt.cost.calibration.parameters import LAUNCH, OVERLAP
from p2smt.cost.calibration.prediction import Array

LATENCY = "latency"
"""The name of the common factor of all latencies; with `INNER_LATENCY`, of those between machines."""

INNER_LATENCY = "inner latency"
"""The name of the common factor of the latencies inside machines, if tables tell it from those between machines."""

LEAST_LATENCY, MOST_LATENCY = 5e-7, 1e-3
"""The range of a hop's latency during the search, in seconds."""

LEAST_LAUNCH, MOST_LAUNCH = 1e-7, 2e-4
"""The range of the launch time during the search, in seconds."""

_PULL, _LATENCY_PULL = 0.01, 0.03
_FACTORS = tuple(2.0 ** (step / 2) for step in range(-14, 15))


@dataclass(frozen=True)
class TableProblem:
    """A least-squares problem: a hypothesis, weights of rows, free parameters in order, and fixed values."""

    carried: Hypothesis
    measured: Array
    weights: Array
    names: tuple[str, ...]
    start: dict[str, float]

    def values(self, point: Array) -> dict[str, float]:
        """Return all parameters at a point, whose coordinates are logarithms of factors (for overlap, its value)."""
        found = dict(self.start)
        for name, inner in zip(self.names, point.tolist(), strict=True):
            if name == OVERLAP:
                found[OVERLAP] = inner
            elif name in (LATENCY, INNER_LATENCY):
                found |= {one: self.start[one] * exp(inner) for one in self.scaled_by(name)}
            else:
                found[name] = self.start[name] * exp(inner)
        return found

    @property
    def latencies(self) -> list[str]:
        """The latencies of links on which rows have hops."""
        main = self.carried.main
        hopped = (f"{link}.{LATENCY}" for place, link in enumerate(main.links) if main.hops[:, place].any())
        return [name for name in hopped if name in self.start]

    def scaled_by(self, factor: str) -> list[str]:
        """Return the latencies that a factor scales."""
        if INNER_LATENCY not in self.names:
            return self.latencies if factor == LATENCY else []
        system = self.carried.system
        outside = {level.name for level in system.levels[: system.machine + 1]}
        inner = {f"{link.name}.{LATENCY}" for link in system.network.links if link.level not in outside}
        return [one for one in self.latencies if (one in inner) == (factor == INNER_LATENCY)]

    @property
    def origin(self) -> Array:
        """The point of the initial values."""
        return np.array([self.start[name] if name == OVERLAP else 0.0 for name in self.names])

    @property
    def pulls(self) -> Array:
        """The strength of the prior that pulls each parameter to its initial value."""
        return np.array([_LATENCY_PULL if name in (LATENCY, INNER_LATENCY) else _PULL for name in self.names])

    def residuals(self, points: Array) -> Array:
        """Return one row of residuals per point."""
        predicted = self.carried.predict([self.values(point) for point in points])
        return np.hstack([self.weights * np.log(predicted / self.measured), self.pulls * (points - self.origin)])

    def losses(self, points: Array) -> Array:
        """Return the loss at every point."""
        lost: Array = 2 * (np.sqrt(1 + (self.residuals(points) / USUAL_ERROR) ** 2) - 1).sum(axis=1)
        return lost

    @property
    def bounds(self) -> Bounds:
        """The bounds of the search: overlap between 0 and 1, latencies and launch in their ranges."""
        latencies = [self.start[name] for name in self.latencies]
        least = min(0.0, log(LEAST_LATENCY / min(latencies))) if latencies else -1.0
        most = max(1e-3, log(MOST_LATENCY / max(latencies))) if latencies else 1.0
        # Logarithms of factors on the old value: 0 is always inside the bounds.
        begun = self.start.get(LAUNCH, LEAST_LAUNCH)
        low = {OVERLAP: 0.0, LATENCY: least, INNER_LATENCY: least, LAUNCH: min(0.0, log(LEAST_LAUNCH / begun))}
        high = {OVERLAP: 1.0, LATENCY: most, INNER_LATENCY: most, LAUNCH: max(1e-3, log(MOST_LAUNCH / begun))}
        return Bounds([low.get(name, -inf) for name in self.names], [high.get(name, inf) for name in self.names])


@dataclass(frozen=True)
class TableSolution:
    """The fitted parameters of one hypothesis, and their loss."""

    problem: TableProblem
    point: Array
    loss: float

    @property
    def values(self) -> dict[str, float]:
        """All parameters."""
        return self.problem.values(self.point)


def least_loss(problem: TableProblem) -> TableSolution:
    """Return the point with the least loss, searched from the best point of a grid.

    The grid varies one parameter at a time, because the busiest link hides all others.
    """
    origin, bounds = problem.origin, problem.bounds
    best = np.clip(origin, bounds.lb, bounds.ub)
    for _ in range(4):
        before = best
        for place, name in enumerate(problem.names):
            points = np.tile(best, (len(_FACTORS) + 1, 1))
            steps = np.linspace(0, 1, len(_FACTORS)) if name == OVERLAP else np.log(_FACTORS)
            points[1:, place] = np.clip(steps, bounds.lb[place], bounds.ub[place])
            best = points[problem.losses(points).argmin()]
        if (best == before).all():
            break
    inside = np.clip(best, bounds.lb + 1e-9, bounds.ub - 1e-9)

    def of_one(point: Array) -> Array:
        row: Array = problem.residuals(point[np.newaxis])[0]
        return row

    found = least_squares(of_one, inside, bounds=bounds, loss="soft_l1", f_scale=USUAL_ERROR, xtol=1e-8).x
    both = np.array([found, best])
    losses = problem.losses(both)
    return TableSolution(problem, both[losses.argmin()], float(losses.min()))


def standard_errors(solution: TableSolution) -> dict[str, float]:
    """Return the standard error of every free parameter, from the slopes of the predictions."""
    problem = solution.problem
    slopes = np.empty((problem.measured.size, len(problem.names)))
    for place in range(len(problem.names)):
        step = np.zeros(len(problem.names))
        step[place] = 1e-4
        above, below = problem.carried.predict(
            [problem.values(solution.point + step), problem.values(solution.point - step)]
        )
        slopes[:, place] = np.log(above / below) / 2e-4
    predicted = problem.carried.predict([solution.values])[0]
    counted = problem.weights > 0
    off = np.abs(np.log(predicted / problem.measured))[counted]
    # 1.4826 times the median absolute deviation estimates the standard deviation without outliers.
    spread = max(1.4826 * float(np.median(off)), 0.01)
    weighted = slopes * problem.weights[:, np.newaxis]
    # The small multiple of the identity keeps the matrix invertible where a parameter has no
    # effect.
    information = weighted.T @ weighted / spread**2 + 1e-8 * np.eye(len(problem.names))
    return dict(zip(problem.names, np.sqrt(np.diag(np.linalg.inv(information))).tolist(), strict=True))
