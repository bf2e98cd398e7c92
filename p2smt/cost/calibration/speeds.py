"""Fit of the speeds of devices, and of the cost weights of operations, to the times of small programs.

With n[p][k] the operations of kind k in program p, b[p] the number of launches, and weights w >= 0,
    seconds[p] = sum over k of w[k] n[p][k] + w[launch] b[p].
Every row is divided by its seconds, so residuals are relative errors, and solved as nonnegative least squares (Lawson
and Hanson, "Solving Least Squares Problems", 1974, chapter 23; scipy's `nnls`). Iteratively reweighted, with 1 /
max(|residual|, 0.05), it minimises a Huber loss. The weight of a contraction's elements enters by a maximum, so it is
found by a search on a geometric grid around this.
Complexity: some 75 weights of elements times `_ROUNDS` solutions of a problem with a column for each kind.

Example: programs of 100 products and of 100 products with 50 sums take 1.0 and 1.5 s: a sum costs as much as a product.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log
from statistics import fmean

import numpy as np
from scipy.optimize import nnls

from p2smt.cost.calibration.probes import STEPS, Probe
from p2smt.errors import CalibrationError
from p2smt.problem.system.build import build_system
from p2smt.problem.system.devices import ELEMENT, DeviceKind, Effort
from p2smt.problem.system.network import System
from p2smt.tensor.operation import Kind

CONTRACT = Kind.CONTRACT.value
BEGIN = "begin"

_ROUNDS = 30

_USUAL = 0.05
_FIRST, _COARSE, _EACH_SIDE, _REFINED = 50.0, 1.25, 12, 3
"""The search for an element's weight (in operations) in a contraction: from 3 to 700, then refined."""

_STEP_COUNTS = 3.0
"""The weight of a whole training step relative to a program dominated by one kind of operation."""


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """A program on a kind of device: measured and predicted seconds."""

    program: str
    kind: str
    seconds: float
    predicted: float

    @property
    def log_error(self) -> float:
        """ln(predicted / measured)."""
        return log(self.predicted / self.seconds)


@dataclass(frozen=True, slots=True)
class SpeedFit:
    """A system with fitted speeds of its kinds of devices and cost weights of operations, and the fit's errors."""

    system: System
    rows: tuple[SpeedRow, ...]

    @property
    def mean_abs_log_error(self) -> float:
        """Mean of |ln(predicted / measured)| over all rows."""
        return fmean(abs(row.log_error) for row in self.rows)


def check_kinds_there(system: System) -> None:
    """Raise CalibrationError for a system without kinds of devices."""
    if not system.kinds:
        raise CalibrationError(
            "speeds are measured per kind of device, and the system has no kinds; give quotas such as lab:2x2@0.5/0.25"
        )


def fit_speeds(system: System, probes: Sequence[Probe], seconds: Sequence[Sequence[float]]) -> SpeedFit:
    """Fit speeds and cost weights to the seconds of every probe on every device.

    All devices of a kind are alike, and kinds differ by a factor, with the same cost weights on all. A probe takes the
    weighted sum of its operations by kind, plus a launch time per operation; a contraction takes the time of its
    elements if that is longer. All parameters are nonnegative, and errors are relative. Raises CalibrationError for a
    system without kinds of devices, and for probes that do not identify contractions.
    """
    check_kinds_there(system)
    of_kind = _by_kind(system, seconds)
    slowness = [exp(fmean(log(mine / first) for mine, first in zip(row, of_kind[0], strict=True))) for row in of_kind]
    times = [
        exp(fmean(log(row[number] / slow) for row, slow in zip(of_kind, slowness, strict=True)))
        for number in range(len(probes))
    ]
    cost, element = _fitted(probes, times)
    if not cost.get(CONTRACT, 0) > 0:
        raise CalibrationError(
            "the measured programs do not determine the speed of contractions; measure again on a quieter machine"
        )
    weights = tuple(
        (name, float(f"{each / cost[CONTRACT]:.4g}"))
        for name, each in cost.items()
        if name not in (CONTRACT, BEGIN) and each > 0
    )
    if element:
        weights = (*weights, (ELEMENT, float(f"{element:.4g}")))
    effort = Effort(start=float(f"{cost.get(BEGIN, 0.0) / cost[CONTRACT]:.4g}"), weights=weights)
    kinds = tuple(
        replace(kind, speed=float(f"{1 / (cost[CONTRACT] * slow):.4g}"), speeds=(), efficiency=1.0)
        for kind, slow in zip(system.kinds, slowness, strict=True)
    )
    fitted = build_system(replace(system, kinds=kinds, effort=effort))
    rows = tuple(
        SpeedRow(probe.name, kind.name, mine, probe_seconds(probe, kind, effort))
        for kind, row in zip(kinds, of_kind, strict=True)
        for probe, mine in zip(probes, row, strict=True)
    )
    return SpeedFit(fitted, rows)


def probe_seconds(probe: Probe, kind: DeviceKind, effort: Effort) -> float:
    """Return the predicted time of a probe on a kind of device."""
    weights = dict(effort.weights)
    work = sum(count * weights.get(name, 1.0) for name, count in probe.work)
    return (work + _contracted(probe, weights.get(ELEMENT, 0.0)) + probe.begun * effort.start) / kind.speed


def _contracted(probe: Probe, element: float) -> float:
    """Return the operations of contractions, or the weight of their elements if that is larger."""
    return sum(max(count, element * elements) for count, elements in probe.contractions)


def _by_kind(system: System, seconds: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return, for every kind, the seconds of each probe: the geometric mean over its devices."""
    sizes, found, first = iter(system.machine_sizes), [], 0
    for kind in system.kinds:
        count = sum(next(sizes) for _ in range(kind.machines))
        found.append([exp(fmean(map(log, row[first : first + count]))) for row in seconds])
        first += count
    return found


def _fitted(probes: Sequence[Probe], seconds: Sequence[float]) -> tuple[dict[str, float], float]:
    """Return the seconds per operation by name, including the launch, and the weight of a contraction's element.

    The weight is the one with the best fit, from a geometric grid that is refined repeatedly.
    """
    fits = {0.0: _per_unit(probes, seconds, 0.0)}
    middle, factor = _FIRST, _COARSE
    for _ in range(_REFINED):
        for step in range(-_EACH_SIDE, _EACH_SIDE + 1):
            element = middle * factor**step
            fits[element] = _per_unit(probes, seconds, element)
        middle = min(fits, key=lambda each: fits[each][1]) or middle
        # Each round narrows the grid around the best value to the distance of its neighbours.
        factor = factor ** (2 / _EACH_SIDE)
    best = min(fits, key=lambda each: fits[each][1])
    return fits[best][0], best


def _per_unit(probes: Sequence[Probe], seconds: Sequence[float], element: float) -> tuple[dict[str, float], float]:
    """Return the seconds per operation by name, including the launch, and the error of the fit.

    Errors are relative. For programs dominated by one kind of operation they count linearly beyond 5 %, so an outlier
    of a kind moves the fit little (iteratively reweighted least squares). For whole steps they count squared.
    """
    contracted = [CONTRACT] if any(probe.contractions for probe in probes) else []
    names = [*contracted, *dict.fromkeys([name for probe in probes for name, _ in probe.work])]
    work = [dict(probe.work) | {CONTRACT: _contracted(probe, element)} for probe in probes]
    table = np.array(
        [[*(mine.get(name, 0) for name in names), probe.begun] for probe, mine in zip(probes, work, strict=True)], float
    )
    # Rows divided by their time: a residual is then a relative error.
    table /= np.array(seconds)[:, None]
    # Columns of about equal size keep the solver well conditioned.
    scale = table.max(axis=0)
    is_step = np.array([probe.name in STEPS for probe in probes])
    errors = np.full(len(probes), _USUAL)
    for _ in range(_ROUNDS):
        root = np.sqrt(np.where(is_step, _STEP_COUNTS / _USUAL, 1 / np.maximum(errors, _USUAL)))
        # Nonnegative least squares: no operation can take negative time. Reweighting each round
        # turns squares into absolute errors beyond 5 % (iteratively reweighted least squares).
        found, _ = nnls((table / scale) * root[:, None], root)
        errors = np.abs((table / scale) @ found - 1)
    squares = errors**2 / (2 * _USUAL)
    linear = np.where(errors > _USUAL, errors - _USUAL / 2, squares)
    loss = float(np.where(is_step, _STEP_COUNTS * squares, linear).sum())
    return dict(zip([*names, BEGIN], (found / scale).tolist(), strict=True)), loss
