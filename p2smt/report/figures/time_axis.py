"""Axis of a time line, from the beginning of a step to its end."""

from collections.abc import Iterator

from p2smt.problem.quantity import format_seconds
from p2smt.report.figures.shapes import Polyline, Shape, TextLabel

_MOST = 4
_ROOM = 70.0
"""Least distance in pixels between two ticks, so that their labels do not overlap."""


def time_axis(seconds: float, left: float, right: float, y: float) -> Iterator[Shape]:
    """Yield the line from `left` to `right` at height `y`, with ticks and times below it; fewer on a narrow one."""
    yield Polyline(((left, y), (right, y)), "edge")
    ticks = max(1, min(_MOST, int((right - left) / _ROOM)))
    for tick in range(ticks + 1):
        x = left + (right - left) * tick / ticks
        yield Polyline(((x, y), (x, y + 5)), "edge")
        yield TextLabel(x, y + 18, format_seconds(seconds * tick / ticks), 11, "muted", _anchor(tick, ticks))


def _anchor(tick: int, ticks: int) -> str:
    # The last label would leave the figure if it stood around its tick.
    return "end" if tick == ticks else "middle"
