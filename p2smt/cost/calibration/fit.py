"""Fit of a network's parameters to measured times: robust least squares on the logarithm of the error.

The unknowns x are the logarithms of the parameters, and `overlap` itself. Minimise, with s = `USUAL_ERROR`,
    sum over rows of  rho(ln(predicted(x) / measured))  +  sum over unknowns of  rho(`_PULL` (x - x0)),
    rho(r) = sqrt(1 + (r / s)^2) - 1.
Predictions are maxima over links, so the loss has kinks and plateaus. Hence coordinate search on a grid of factors from
1/64 to 64 comes first, at most 4 rounds, then a trust-region Gauss-Newton method (scipy's `least_squares`).

Identification is backward elimination: with J the slopes of ln(predicted) and v the squared spread of the errors,
    standard error of parameter i = sqrt(inverse(J'J / v)[i, i]).
While the largest one exceeds its limit, that parameter is fixed, and the others are fitted again.
Complexity: one fit for each parameter that is fixed, and the same again for each group left out (cross-validation).
Reference: Hartley and Zisserman, "Multiple View Geometry in Computer Vision", 2004, appendix 6 (this loss).

Example: rows of one size alone. Latency and bandwidth can be traded for each other, so the less certain is fixed at its
old value.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, inf, log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, least_squares

from p2smt.cost.calibration.measurement import Measurement, least_bytes
from p2smt.cost.calibration.parameters import LAUNCH, OVERLAP, measured_bandwidths, parameters, with_parameters
from p2smt.cost.calibration.prediction import Array, Predictor, predictor
from p2smt.errors import CalibrationError
from p2smt.problem.system.build import check_alike
from p2smt.problem.system.link_origin import with_measured
from p2smt.problem.system.network import System

USUAL_ERROR = 0.1
"""The value of |ln(predicted / measured)| up to which errors count squared, and beyond which linearly."""

SHORTEST, LONGEST = 1e-9, 1e9
"""The range of seconds that a measurement may take."""

LOOSE = 0.4
"""The largest standard error of a parameter's logarithm; beyond it the parameter is unidentified and unchanged."""

LOOSE_OVERLAP = 0.2
"""The largest standard error of `overlap`, which lies between 0 and 1; its logarithm is not used."""

CONTRADICTED = 1.25
"""The increase of the mean error, as a factor, from which rows contradict a parameter's old value."""

APART = 16
"""The ratio of payloads needed to separate fixed times from times per byte."""

UNTOLD = 1e4
"""The standard error of a parameter's logarithm if nothing is known about it."""

_PULL = 1e-3

_LARGEST = 700.0
"""A bound on logarithms during the search; above 709 the exponential overflows."""

_FACTORS = tuple(2.0 ** (step / 2) for step in range(-12, 13) if step)


@dataclass(frozen=True, slots=True)
class Figure:
    """One parameter of the network, before and after the fit.

    `error`: standard error of its logarithm (of `overlap` itself), fitted together with all identified parameters. If
    not `identified`, the measurements do not determine it; it keeps its value unless they contradict that.
    """

    name: str
    before: float
    after: float
    error: float
    identified: bool


@dataclass(frozen=True, slots=True)
class FitRow:
    """One measurement with its predicted time; `unseen` is the one of a fit without its group (None: not fitted)."""

    measurement: Measurement
    predicted: float
    unseen: float | None

    @property
    def log_error(self) -> float:
        """ln(predicted / measured)."""
        return log(self.predicted / self.measurement.seconds)


@dataclass(frozen=True, slots=True)
class Fit:
    """The system with its fitted parameters, and their errors on the measurements."""

    system: System
    figures: tuple[Figure, ...]
    rows: tuple[FitRow, ...]

    @property
    def mean_abs_log_error(self) -> float:
        """Mean of |ln(predicted / measured)| over all rows."""
        return sum(abs(row.log_error) for row in self.rows) / len(self.rows)

    @property
    def unseen_mean_abs_log_error(self) -> float | None:
        """The mean |ln(unseen / measured)| over all rows; None if no group was left out."""
        errors = [abs(log(row.unseen / row.measurement.seconds)) for row in self.rows if row.unseen is not None]
        return sum(errors) / len(errors) if errors else None


def check_seconds(place: str, seconds: float) -> None:
    """Raise CalibrationError for a time outside the possible range."""
    if not SHORTEST <= seconds <= LONGEST:
        raise CalibrationError(
            f"{place}: time {seconds} s is not between {SHORTEST:g} and {LONGEST:g}; correct it or leave it out"
        )


def check_measurements(system: System, measurements: Sequence[Measurement]) -> None:
    """Raise CalibrationError if nothing can be fitted: units of different sizes, no rows, or impossible times."""
    check_alike(system, "figures are fitted to patterns of groups")
    if not measurements:
        raise CalibrationError("no measurement to fit to; give rows with a time")
    for one in measurements:
        check_seconds(one.place, one.seconds)


def fit_system(
    system: System,
    measurements: Sequence[Measurement],
    progress: Callable[[int, int], None] | None = None,
    leave_out: bool = True,
    held: frozenset[str] = frozenset(),
) -> Fit:
    """Fit the network's parameters to the measurements; deterministic.

    With `leave_out`, every group of rows is also predicted by a fit to all others. Parameters in `held` do not change.
    `progress` gets the number of fits begun and their total: one over all rows, then one per group left out. Raises
    CalibrationError without measurements, for impossible times, and if no parameter is identified.
    """
    check_measurements(system, measurements)
    table = predictor(system, measurements)
    for one, seconds in zip(measurements, table.predict(parameters(system.network)).tolist(), strict=True):
        if not seconds > 0:
            raise CalibrationError(f"{one.place}: no group has two devices, so nothing moves; leave the row out")
    measured = np.array([one.seconds for one in measurements])
    start = parameters(system.network)
    groups = list(dict.fromkeys(one.group for one in measurements))
    folds = groups if leave_out and len(groups) > 1 else []
    tell = progress or (lambda done, total: None)
    tell(1, len(folds) + 1)
    kept = _untold(measurements) | held
    values, errors = _fitted(table, measured, start, kept)
    if not errors.keys() - _loose(errors):
        raise CalibrationError(
            f"{len(measurements)} rows determine none of {', '.join(start)}; "
            "add rows with other groups and sizes (p2smt calibrate --commands lists some)"
        )
    unseen: list[float | None] = [None] * len(measurements)
    for number, group in enumerate(folds):
        tell(number + 2, len(folds) + 1)
        used = np.array([one.group != group for one in measurements])
        predicted = table.predict(_fitted(table.only(used), measured[used], start, kept)[0])
        for place in np.flatnonzero(~used).tolist():
            unseen[place] = float(predicted[place])
    loose = _loose(errors)
    return Fit(
        with_measured(
            system,
            with_parameters(system.network, values),
            least_bytes(measurements),
            measured_bandwidths(system.network, start.keys() - loose),
        ),
        tuple(Figure(name, start[name], values[name], errors[name], name not in loose) for name in start),
        tuple(FitRow(*row) for row in zip(measurements, table.predict(values).tolist(), unseen, strict=True)),
    )


def _loose(errors: dict[str, float]) -> set[str]:
    return {name for name, error in errors.items() if error > _most(name)}


def _untold(measurements: Sequence[Measurement]) -> frozenset[str]:
    """Return the parameters that no row identifies: the launch time, if all payloads are about the same."""
    sizes = [one.most_bytes for one in measurements]
    return frozenset() if max(sizes) >= APART * min(sizes) else frozenset({LAUNCH})


def _fitted(
    table: Predictor, measured: Array, start: dict[str, float], kept: frozenset[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the values of all parameters and the standard errors of their logarithms; those in `kept` do not change.

    While some parameter is unidentified, the worst is fixed at its old value, or, if the rows contradict that, as
    fitted.
    """
    free, held = {name: value for name, value in start.items() if name not in kept}, dict(start)
    errors = {name: UNTOLD if name in kept else 0.0 for name in start}
    values = _least_squares(table, measured, held, free)
    while free:
        found = _standard_errors(table, measured, values, tuple(free))
        errors |= found
        worst = max(found, key=lambda name: found[name] / _most(name))
        if found[worst] <= _most(worst):
            break
        free.pop(worst)
        restored = _least_squares(table, measured, held, free)
        if _mean_error(table, measured, restored) > CONTRADICTED * _mean_error(table, measured, values) + 1e-3:
            held[worst] = values[worst]
            restored = _least_squares(table, measured, held, free)
        values = restored
    return values, errors


def _most(name: str) -> float:
    return LOOSE_OVERLAP if name == OVERLAP else LOOSE


def _mean_error(table: Predictor, measured: Array, values: dict[str, float]) -> float:
    return float(np.abs(np.log(table.predict(values) / measured)).mean())


def _least_squares(
    table: Predictor, measured: Array, held: dict[str, float], free: dict[str, float]
) -> dict[str, float]:
    """Return all parameters: those in `free` fitted from the values there, the others as in `held`.

    Least squares from the best point of a grid, searched by parameter because the busiest link hides all others.
    """
    if not free:
        return held
    names = tuple(free)
    origin = _inner(free)

    def residuals(points: Array) -> Array:
        """Return one row of residuals per point."""
        predicted = table.predict_all([held | _named(inner, names) for inner in points])
        return np.hstack([np.log(predicted / measured), _PULL * (points - origin)])

    def of_one(inner: Array) -> Array:
        row: Array = residuals(inner[np.newaxis])[0]
        return row

    def losses(points: Array) -> Array:
        lost: Array = (np.sqrt(1 + (residuals(points) / USUAL_ERROR) ** 2) - 1).sum(axis=1)
        return lost

    best = origin
    for _ in range(4):
        before = best
        for place, name in enumerate(names):
            points = np.array([best, *_moved(best, place, name, origin)])
            best = points[losses(points).argmin()]
        if (best == before).all():
            break
    lowest = np.array([0.0 if name == OVERLAP else -inf for name in names])
    highest = np.array([1.0 if name == OVERLAP else inf for name in names])
    inside = np.clip(best, lowest + 1e-9, highest - 1e-9)
    bounds = Bounds(lowest, highest)
    found = least_squares(of_one, inside, bounds=bounds, loss="soft_l1", f_scale=USUAL_ERROR, xtol=1e-10).x
    at_found, at_best = losses(np.array([found, best]))
    return held | _named(found if at_found <= at_best else best, names)


def _moved(inner: Array, place: int, name: str, origin: Array) -> list[Array]:
    steps = [part / 10 for part in range(11)] if name == OVERLAP else [origin[place] + log(f) for f in _FACTORS]
    found = []
    for step in steps:
        other = inner.copy()
        other[place] = step
        found.append(other)
    return found


def _standard_errors(
    table: Predictor, measured: Array, values: dict[str, float], names: tuple[str, ...]
) -> dict[str, float]:
    """Return standard errors from the slopes of the predictions; large if a parameter scales none or all of them."""
    inner = _inner({name: values[name] for name in names})
    slopes = np.empty((measured.size, len(names)))
    for place in range(len(names)):
        step = np.zeros(len(names))
        step[place] = 1e-4
        above, below = (np.log(table.predict(values | _named(inner + sign * step, names))) for sign in (1, -1))
        slopes[:, place] = (above - below) / 2e-4
    errors = np.log(table.predict(values) / measured)
    spread = max(1.4826 * float(np.median(np.abs(errors))), 0.01)  # as robust as the fit: no row far off counts
    information: NDArray[np.float64] = slopes.T @ slopes / spread**2 + 1e-8 * np.eye(len(names))
    return dict(zip(names, np.sqrt(np.diag(np.linalg.inv(information))).tolist(), strict=True))


def _inner(values: dict[str, float]) -> Array:
    return np.array([value if name == OVERLAP else log(value) for name, value in values.items()])


def _named(inner: Array, names: Sequence[str]) -> dict[str, float]:
    pairs = zip(names, inner.tolist(), strict=True)
    return {name: value if name == OVERLAP else exp(min(value, _LARGEST)) for name, value in pairs}
