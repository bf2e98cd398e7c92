"""Gantt chart of a step, with rows of boxes for the host's launches, computing and collectives.

A step has thousands of kernels; boxes of a row less than half a pixel apart are merged.
"""

from collections.abc import Sequence

from p2smt.cost.computing.time_line import Queue, StepTimeLine
from p2smt.problem.quantity import format_seconds
from p2smt.report.figures.shapes import Box, Drawing, Shape, TextLabel
from p2smt.report.figures.time_axis import time_axis

_ROW, _GAP, _HEAD, _FOOT, _LABEL = 26.0, 8.0, 30.0, 26.0, 130.0
_LEAST = 0.5
_PICO = 1e12

Interval = tuple[float, float]


def step_drawing(line: StepTimeLine, width: float) -> Drawing:
    """Return the chart; communication is exposed where the computing row is empty at the same time."""
    rows = [("host", "muted", _launches(line)), *((str(queue), paint, _busy(line, queue)) for queue, paint in _PAINTS)]
    height = _HEAD + len(rows) * (_ROW + _GAP) + _FOOT
    scale = (width - _LABEL) / (line.makespan or 1)
    shapes: list[Shape] = [TextLabel(0, 16, "When the host and both queues are busy", 13, bold=True)]
    for number, (name, paint, intervals) in enumerate(rows):
        top = _HEAD + number * (_ROW + _GAP)
        shapes.append(TextLabel(0, top + 17, name, 12, "ink"))
        shapes += (
            Box(_LABEL + start, top, max(_LEAST, end - start), _ROW, paint) for start, end in _merged(intervals, scale)
        )
    shapes += time_axis(line.makespan / _PICO, _LABEL, width, height - _FOOT)
    parts = [f"{name} {format_seconds(sum(end - start for start, end in each) / _PICO)}" for name, _, each in rows]
    return Drawing(
        width,
        height,
        tuple(shapes),
        "Time line of the step",
        f"{format_seconds(line.makespan / _PICO)}; busy: {', '.join(parts)}.",
    )


_PAINTS = ((Queue.COMPUTING, "computing"), (Queue.COMMUNICATION, "sending"))


def _launches(line: StepTimeLine) -> list[Interval]:
    return [(span.launched - span.task.launch, span.launched) for span in line.spans if span.task.launch]


def _busy(line: StepTimeLine, queue: Queue) -> list[Interval]:
    return [(span.start, span.end) for span in line.spans if span.task.queue is queue and span.end > span.start]


def _merged(intervals: Sequence[Interval], scale: float) -> list[Interval]:
    """Return the intervals in pixels, merging those that touch or nearly touch."""
    found: list[Interval] = []
    for start, end in intervals:
        # Boxes closer than half a pixel look like one; merging them keeps the file small.
        if found and start * scale - found[-1][1] < _LEAST:
            found[-1] = found[-1][0], max(found[-1][1], end * scale)
        else:
            found.append((start * scale, end * scale))
    return found
