"""Time line of a schedule.

Each unit or stage has a row with a box per chunk; below, each resource has a row with its utilisation.
"""

from collections.abc import Iterator

from p2smt.problem.quantity import format_seconds
from p2smt.report.figures.palette import GROUPS
from p2smt.report.figures.shapes import Box, Drawing, Polyline, Shape, TextLabel
from p2smt.report.figures.time_axis import time_axis
from p2smt.schedule.cost.time_line import StageSpan, TimeLine
from p2smt.wording import counted

_ROW, _GAP, _HEAD, _FOOT = 22.0, 6.0, 30.0, 26.0
_LABEL, _LETTERS = 190.0, 26


def time_line_drawing(line: TimeLine, width: float) -> Drawing:
    """Return the time line; the height of a resource's box is the fraction of time for which it is busy."""
    stages = list(dict.fromkeys(span.stage for span in line.spans))
    rows = len(stages) + len(line.busy)
    height = _HEAD + (rows * (_ROW + _GAP)) + _GAP + _FOOT
    scale = (width - _LABEL) / (line.seconds or 1.0)
    shapes: list[Shape] = [TextLabel(0, 16, "When what runs, and below how busy what is", 13, bold=True)]
    for row, stage in enumerate(stages):
        shapes += _stage(line, stage, row, scale)
    for row, (resource, seconds) in enumerate(line.busy, start=len(stages)):
        shapes += _resource(line, resource, seconds, row, scale)
    shapes += time_axis(line.seconds, _LABEL, width, height - _FOOT)
    busy = ", ".join(f"{name} {seconds / line.seconds:.0%}" for name, seconds in line.busy if line.seconds)
    description = f"{format_seconds(line.seconds)} in {counted(len(stages), 'row')}: {', '.join(stages)}. Busy: {busy}."
    return Drawing(width, height, tuple(shapes), "Time line", description)


def _top(row: int) -> float:
    return _HEAD + (row * (_ROW + _GAP)) + (_GAP / 2)


def _label(text: str, row: int, ink: str) -> TextLabel:
    shown = text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
    return TextLabel(0, _top(row) + 15, shown, 12, ink, mono=True)


def _stage(line: TimeLine, stage: str, row: int, scale: float) -> Iterator[Shape]:
    yield _label(stage, row, "ink")
    for span in line.spans:
        if span.stage == stage:
            paint = f"group{row % GROUPS}"
            yield Box(_LABEL + (span.start * scale), _top(row), _long(span, scale), _ROW, paint, "edge", 2.0)


def _resource(line: TimeLine, resource: str, seconds: float, row: int, scale: float) -> Iterator[Shape]:
    yield _label(f"{resource} {seconds / line.seconds:.0%}", row, "muted")
    yield Polyline(((_LABEL, _top(row) + _ROW), (_LABEL + (line.seconds * scale), _top(row) + _ROW)), "line")
    for span in line.spans:
        used, length = dict(span.busy).get(resource, 0.0), span.end - span.start
        part = min(1.0, used / length) if length else 0.0
        if part:
            high = _ROW * part
            yield Box(_LABEL + (span.start * scale), _top(row) + _ROW - high, _long(span, scale), high, "muted")


def _long(span: StageSpan, scale: float) -> float:
    return max(0.5, (span.end - span.start) * scale)
