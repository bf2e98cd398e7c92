"""Chart of a calibration: measured, fitted and previously predicted bus bandwidth against message size."""

from collections.abc import Sequence

from p2smt.cost.calibration.answer import expected_seconds
from p2smt.cost.calibration.fit import Fit, FitRow
from p2smt.problem.quantity import format_bytes
from p2smt.problem.system.network import System
from p2smt.report.figures.chart_rows import WIDE
from p2smt.report.figures.palette import SERIES
from p2smt.report.figures.scale import LinearScale, LogarithmicScale
from p2smt.report.figures.shapes import Dot, Drawing, Polyline, Shape, TextLabel

_HEIGHT = 400.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 66.0, 14.0, 16.0, 44.0
_KEY_LINE = 20.0
_GIGA = 1e9
_FEW = 2**14
"""Largest ratio between sizes for which every second power of two has a grid line; beyond it, every fourth."""

_BEFORE = (6.0, 4.0)
"""Dash pattern of the curves predicted before the fit."""


def calibration_drawing(fit: Fit, before: System, width: float = WIDE) -> Drawing:
    """Return the chart: dots for measurements, solid lines for the fit, dashed lines for a named system's parameters.

    Each test has its own colour. Rows without a message size (from CSV tables) are not drawn, nor are tests
    beyond the number of colours.
    """
    groups: dict[str, list[FitRow]] = {}
    for row in sorted(fit.rows, key=lambda row: row.measurement.size):
        if row.measurement.size and row.measurement.busbw:
            groups.setdefault(row.measurement.group, []).append(row)
    shown = list(groups.items())[:SERIES]
    rows = [row for _, found in shown for row in found]
    least = min((row.measurement.size for row in rows), default=1)
    most = max((row.measurement.size for row in rows), default=1)
    # A single size would make an empty scale.
    sizes = LogarithmicScale(least, max(most, 2 * least), _LEFT, width - _RIGHT)
    expected = {row.measurement.place: expected_seconds(row.measurement, before) for row in rows if before.name}
    fastest = [max(_rate(row, row.predicted), row.measurement.busbw / _GIGA) for row in rows]
    fastest += [_rate(row, expected[row.measurement.place]) for row in rows if expected]
    rates = LinearScale(max(fastest, default=1.0), _HEIGHT - _BOTTOM, _TOP)
    shapes = _grid(sizes, rates)
    for number, (_, found) in enumerate(shown):
        shapes += _curves(found, expected, f"series{number}", sizes, rates)
    key = _key([group for group, _ in shown], before.name)
    height = _HEIGHT + 10 + _KEY_LINE * (len(shown) + 1)
    return Drawing(width, height, (*shapes, *key), "Bus bandwidth over message size", _described(shown, before.name))


def _rate(row: FitRow, seconds: float) -> float:
    """Return the bus bandwidth in GB/s of a row if it takes `seconds`."""
    return row.measurement.busbw * row.measurement.seconds / seconds / _GIGA


def _grid(sizes: LogarithmicScale, rates: LinearScale) -> list[Shape]:
    found: list[Shape] = []
    for size in sizes.powers(4 if sizes.most <= _FEW * sizes.least else 16):
        x = sizes.place(size)
        found.append(Polyline(((x, _TOP), (x, _HEIGHT - _BOTTOM)), "line"))
        found.append(TextLabel(x, _HEIGHT - _BOTTOM + 16, format_bytes(size), 11, "muted", "middle"))
    for rate in rates.ticks:
        y = rates.place(rate)
        found.append(Polyline(((sizes.begin, y), (sizes.end, y)), "line"))
        found.append(TextLabel(sizes.begin - 8, y + 4, f"{rate:.4g} GB/s", 11, "muted", "end"))
    return [*found, TextLabel((sizes.begin + sizes.end) / 2, _HEIGHT - 8, "message size", 11.5, "muted", "middle")]


def _curves(
    rows: Sequence[FitRow], expected: dict[str, float], stroke: str, sizes: LogarithmicScale, rates: LinearScale
) -> list[Shape]:
    def points(seconds: Sequence[float]) -> tuple[tuple[float, float], ...]:
        pairs = zip(rows, seconds, strict=True)
        return tuple((sizes.place(row.measurement.size), rates.place(_rate(row, each))) for row, each in pairs)

    found: list[Shape] = [Polyline(points([row.predicted for row in rows]), stroke, 2.0)]
    if expected:
        found.append(Polyline(points([expected[row.measurement.place] for row in rows]), stroke, 1.5, _BEFORE))
    measured = points([row.measurement.seconds for row in rows])
    return [*found, *(Dot(x, y, 3.5, "surface", stroke, 2) for x, y in measured)]


def _key(groups: Sequence[str], name: str) -> list[Shape]:
    """Return the key below the chart: the colour of every test, and the meaning of dots and lines."""
    found: list[Shape] = []
    for number, group in enumerate(groups):
        y = _HEIGHT + 10 + _KEY_LINE * number
        found += [Polyline(((4, y + 8), (34, y + 8)), f"series{number}", 2.0), TextLabel(42, y + 12, group, 12)]
    dashed = f"; dashed: the figures of {name}" if name else ""
    y = _HEIGHT + 22 + _KEY_LINE * len(groups)
    return [*found, TextLabel(4, y, f"Dots: measured; lines: fitted{dashed}.", 12, "muted")]


def _described(shown: Sequence[tuple[str, Sequence[FitRow]]], name: str) -> str:
    if not shown:
        return "No row has a message size."
    said = []
    for group, rows in shown:
        one = rows[-1].measurement
        fitted = _rate(rows[-1], rows[-1].predicted)
        said.append(f"{group} of {format_bytes(one.size)}: {one.busbw / _GIGA:.4g} GB/s measured, {fitted:.4g} fitted")
    beside = f" Dashed lines have the figures of {name}." if name else ""
    return f"A colour per test; sizes are logarithmic. {'. '.join(said)}.{beside}"
