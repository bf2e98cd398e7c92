"""Fit of a device's model to measured operations.

Five parameters are fitted per kind of operation and data type: the minimum time, the fractions of peak and bandwidth
that are reached, the time of a row, and the fraction of the float32 peak for lengths that tensor cores do not support.
Most kinds have few rows, so the fit is hierarchical: a family of kinds around the usual values, each kind around its
family, each data type of a kind around the kind (maximum a posteriori of

    sum over rows of rho(ln(predicted / measured) / 0.12) + sum over parameters of (ln(value / centre) / width)^2 / 2

with rho(z) = sqrt(1 + z^2) - 1, which is linear for outliers). Parameters that no row depends on stay at their centre,
and are reported as not identified. Method: trust-region Gauss-Newton (scipy's `least_squares`) on this robust loss, a
pseudo-Huber function (Charbonnier et al., "Deterministic edge-preserving regularization", 1997).
Complexity: at most 60 fits of five parameters each; about 1 s for 400 rows.

Example: a row is 20 % slower than its family predicts: the kind's rate falls by most of that, the family's by less.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import exp, log
from statistics import median

import numpy as np
from scipy.optimize import least_squares

from p2smt.cost.calibration.operation_table import OperationRow, TimedPart
from p2smt.cost.calibration.overlap_loss import overlap_loss
from p2smt.cost.computing.roofline import adds_up, terms
from p2smt.errors import CalibrationError
from p2smt.problem.system.device_model import (
    LEAST_TIME,
    STRIDED,
    USUAL,
    WINOGRAD,
    DeviceModel,
    OperationFigures,
    OperationKind,
    check_model,
)

NAMES = ("least", "computing", "memory", "row", "unaligned")
_SIGMA = 0.12
_FAMILY_WIDTHS = np.array([0.3, 0.6, 0.5, 0.7, 0.5])
_KIND_WIDTHS = np.array([0.3, 0.5, 0.4, 0.4, 0.3])
_TYPE_WIDTHS = np.array([0.3, 0.5, 0.5, 0.5, 0.3])
_SHARPEST = 0.03
"""The prior's width for the minimum time of elementwise operations, which is observed directly."""
_SMALL = 4.0
"""The ratio to the quickest row's time below which a row counts as small."""
_LEAST_ROW = 1e-13
_UNKNOWN_MEMORY = 16 * 10**9
_TELLING = 0.05
_REACHED_COMPUTING, _REACHED_MEMORY = 0.8, 0.9
"""Fractions of the peaks that the fastest rows are assumed to reach, without a data sheet."""
_MOST_OVER_PEAK = 3.0

_ROWWISE = (
    OperationKind.SOFTMAX,
    OperationKind.LOG_SOFTMAX,
    OperationKind.LAYER_NORM,
    OperationKind.CROSS_ENTROPY,
    OperationKind.MAX_ROWS,
    OperationKind.SUM_ROWS,
)
_SHARED: tuple[tuple[OperationKind, ...], ...] = (
    _ROWWISE,
    (*STRIDED, *STRIDED.values()),
    (OperationKind.ATTENTION, OperationKind.ATTENTION_BACKWARD),
    (OperationKind.ELEMENTWISE, OperationKind.ACTIVATION),
)
# Every other kind is a family of its own, except views, which have no kernel but only a launch.
_ALONE = tuple((kind,) for kind in OperationKind if kind not in (*chain(*_SHARED), OperationKind.VIEW))
_FAMILIES = (*_SHARED, *_ALONE)

Vector = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationFit:
    """A fitted device, its rows, and the unidentified parameters as (kind, data type, name).

    `assumes_memory` tells that the size of the memory is a default, since no row depends on it.
    """

    model: DeviceModel
    rows: tuple[OperationRow, ...]
    unidentified: tuple[tuple[OperationKind, str, str], ...]
    assumes_memory: bool

    @property
    def beside(self) -> int:
        """The number of contractions measured beside communication, to which the overlap loss is fitted."""
        return sum(row.timing is TimedPart.BESIDE for row in self.rows)


def fit_operations(
    rows: Sequence[OperationRow], name: str, source: str, sheet: DeviceModel | None = None, *, memory: int | None = None
) -> OperationFit:
    """Fit a device to rows, with the peaks of `sheet`, or with peaks that the fastest rows nearly reach.

    `memory` is the size of the device's memory in bytes, if known. Raises CalibrationError without contractions or
    element-wise operations in float32, and for rows that are faster than the device's peaks allow.
    """
    device = [row for row in rows if row.timing is TimedPart.KERNEL]
    model = _peaks(device, name, source) if sheet is None else sheet
    for row in device:
        _refuse_faster(model, row)
    launches = _launches(rows)
    usual = median(launches.values()) if launches else model.launch
    measured: list[tuple[OperationKind, str, OperationFigures]] = []
    unidentified: list[tuple[OperationKind, str, str]] = []
    for family in _FAMILIES:
        for kind, dtype, figures, unknown in _fitted(model, family, device):
            measured.append((kind, dtype, figures))
            unidentified += [(kind, dtype, each) for each in unknown]
    loss = overlap_loss(rows)
    launched = tuple((kind, dtype, replace(each, launch=launches.get(kind))) for kind, dtype, each in measured)
    view = launches.get(OperationKind.VIEW)
    views = () if view is None else ((OperationKind.VIEW, "float32", OperationFigures(launch=view)),)
    least = min(figures.least or model.least for _, _, figures in measured)
    fitted = replace(
        model,
        name=name,
        source=source,
        memory=model.memory if memory is None else memory,
        launch=_rounded(usual),
        least=least,
        overlap_loss=model.overlap_loss if loss is None else loss,
        measured=(*launched, *views),
    )
    check_model(fitted)
    assumes_memory = sheet is None and memory is None
    return OperationFit(model=fitted, rows=tuple(rows), unidentified=tuple(unidentified), assumes_memory=assumes_memory)


def _launches(rows: Sequence[OperationRow]) -> dict[OperationKind, float]:
    """Return the host's launch seconds by kind."""
    found: dict[OperationKind, list[float]] = {}
    for row in rows:
        if row.timing is TimedPart.LAUNCH:
            found.setdefault(row.work.kind, []).append(row.seconds)
    return {kind: _rounded(median(each)) for kind, each in found.items()}


def _peaks(rows: Sequence[OperationRow], name: str, source: str) -> DeviceModel:
    """Return a device whose peaks the fastest rows nearly reach."""
    rates: dict[str, float] = {}
    bandwidth = 0.0
    for row in rows:
        work = row.work
        if work.kind in (OperationKind.MATMUL, OperationKind.BATCHED_MATMUL):
            rates[work.dtype] = max(rates.get(work.dtype, 0.0), work.flops / row.seconds)
        if work.kind is OperationKind.ELEMENTWISE:
            bandwidth = max(bandwidth, work.bytes / row.seconds)
    if "float32" not in rates or not bandwidth:
        raise CalibrationError(
            "the rows lack a float32 matmul or an element-wise operation, which give the device's peak rates; "
            "measure both, or give --system with the device"
        )
    peaks = tuple((dtype, _rounded(rate / _REACHED_COMPUTING)) for dtype, rate in sorted(rates.items()))
    least = min(row.seconds for row in rows)
    return DeviceModel(
        name=name,
        source=source,
        peaks=peaks,
        memory=_UNKNOWN_MEMORY,
        bandwidth=_rounded(bandwidth / _REACHED_MEMORY),
        launch=max(least, LEAST_TIME),
        least=max(least, LEAST_TIME),
    )


def _refuse_faster(model: DeviceModel, row: OperationRow) -> None:
    """Raise CalibrationError for a row that is faster than three times what the device's peaks allow.

    Memory may seem faster than its peak if a cache holds the data, and Winograd convolutions need fewer operations.
    """
    each = terms(model, row.work)
    most = max(each.computing, each.memory / 2) / row.seconds
    if most > _MOST_OVER_PEAK:
        shape = "x".join(map(str, row.shape))
        raise CalibrationError(
            f"{row.kind} {row.work.dtype} {shape} in {row.seconds * 1e6:.4g} us is {most:.3g} times as fast as the "
            f"peaks of {model.name} allow; check the table, or give --system with the right device"
        )


def _fitted(
    model: DeviceModel, family: Sequence[OperationKind], rows: Sequence[OperationRow]
) -> list[tuple[OperationKind, str, OperationFigures, list[str]]]:
    """Return the parameters of each kind and data type of a family with rows, and the names of unidentified ones."""
    own = [row for row in rows if row.work.kind in family]
    if not own:
        return []
    quickest = min(row.seconds for row in rows)
    shared = _fit(model, own, _centre(family, own, quickest), _widths(_FAMILY_WIDTHS, family))
    found = []
    for kind in family:
        of_kind = [row for row in own if row.work.kind is kind]
        middle = _fit(model, of_kind, shared, _widths(_KIND_WIDTHS, family)) if of_kind and len(family) > 1 else shared
        for dtype in dict.fromkeys(row.work.dtype for row in own):
            of_type = [row for row in of_kind if row.work.dtype == dtype]
            vector = _fit(model, of_type, middle, _widths(_TYPE_WIDTHS, family)) if of_type else middle
            found.append((kind, dtype, _figures(vector), _unidentified(model, of_type, vector)))
    return found


def _widths(usual: Vector, family: Sequence[OperationKind]) -> Vector:
    widths: Vector = usual.copy()
    if OperationKind.ELEMENTWISE in family:
        widths[0] = _SHARPEST
    return widths


def _centre(family: Sequence[OperationKind], rows: Sequence[OperationRow], quickest: float) -> Vector:
    """Return the usual parameters of a family's first kind, with the least measured time of a small one."""
    usual = USUAL[family[0]]
    least = min(*(row.seconds for row in rows), _SMALL * quickest)
    figures = (least * 1.05, usual.computing, usual.memory, max(usual.row, _LEAST_ROW), usual.unaligned)
    centre: Vector = np.log(np.array(figures))
    return centre


def _bounds(kind: OperationKind) -> tuple[Vector, Vector]:
    # Winograd's convolutions need fewer operations than counted, so they may exceed the peak.
    most = WINOGRAD if adds_up(kind) else 1.0
    low = np.log(np.array([LEAST_TIME, 1e-4, 1e-4, _LEAST_ROW / 10, 1e-3]))
    high = np.log(np.array([0.9, most, 1.0, 1e-3, 10.0]))
    return low, high


def _fit(model: DeviceModel, rows: Sequence[OperationRow], centre: Vector, widths: Vector) -> Vector:
    """Return the logarithms of the parameters, fitted with a prior around a centre."""
    seen = np.log(np.array([row.seconds for row in rows]))
    each = [terms(model, row.work) for row in rows]
    columns = np.array([[one.computing, one.unaligned, one.memory, one.rows] for one in each])
    together = adds_up(rows[0].work.kind)

    def off(vector: Vector) -> Vector:
        least, computing, memory, row, unaligned = np.exp(vector)
        parts = np.stack(
            [columns[:, 0] / computing + columns[:, 1] / unaligned, columns[:, 2] / memory, columns[:, 3] * row]
        )
        time = least + (parts.sum(axis=0) if together else parts.max(axis=0))
        error = (np.log(time) - seen) / _SIGMA
        # The square root of a pseudo-Huber loss, with its sign, for least squares.
        robust = np.sign(error) * np.sqrt(2 * (np.sqrt(1 + error**2) - 1))
        return np.concatenate([robust, (vector - centre) / widths])

    low, high = _bounds(rows[0].work.kind)
    start = np.clip(centre, low + 1e-9, high - 1e-9)
    found: Vector = least_squares(off, start, bounds=(low, high)).x
    return found


def _figures(vector: Vector) -> OperationFigures:
    least, computing, memory, row, unaligned = (exp(each) for each in vector)
    return OperationFigures(
        least=_rounded(least),
        computing=min(_rounded(computing), WINOGRAD),
        memory=min(_rounded(memory), 1.0),
        row=_rounded(row),
        unaligned=_rounded(unaligned),
    )


def _unidentified(model: DeviceModel, rows: Sequence[OperationRow], vector: Vector) -> list[str]:
    """Return the parameters that no row depends on: doubling one changes no prediction by more than 5 %."""
    if not rows:
        return list(NAMES)
    found = []
    for number, name in enumerate(NAMES):
        moved = vector.copy()
        # Doubling a time, or halving a rate, slows the prediction down if anything depends on it.
        moved[number] += log(2) if name in ("least", "row") else -log(2)
        if name == "computing" and not any(terms(model, row.work).computing for row in rows):
            continue
        if name == "unaligned" and not any(terms(model, row.work).unaligned for row in rows):
            continue
        if name == "row" and not any(row.work.rows for row in rows):
            continue
        if max(abs(log(_time(model, row, moved) / _time(model, row, vector))) for row in rows) < _TELLING:
            found.append(name)
    return found


def _time(model: DeviceModel, row: OperationRow, vector: Vector) -> float:
    figures = _figures(vector)
    each, most = terms(model, row.work), adds_up(row.work.kind)
    parts = (
        each.computing / figures.computing + each.unaligned / figures.unaligned,
        each.memory / figures.memory,
        each.rows * figures.row,
    )
    return (figures.least or 0.0) + (sum(parts) if most else max(parts))


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
