"""Time line of a chunked plan.

Each step has a row with a box per chunk; below, each link or memory has a row with its utilisation.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.cost.chunk_time_line import ChunkTimeLine, SlotRange, numbers_text, time_line_words
from p2smt.problem.quantity import format_seconds
from p2smt.report.figures.chart_rows import WIDE
from p2smt.report.figures.palette import GROUPS
from p2smt.report.figures.shapes import Box, Drawing, Polyline, Shape, TextLabel

_ROW, _GAP, _HEAD, _FOOT = 22.0, 6.0, 44.0, 24.0
_LETTER, _SMALL = 7.0, 6.2
"""Letter widths in pixels: in labels, and in the numbers inside boxes."""
_TIME = 56.0
"""Width reserved for a time below the rows."""
_LEFT_OUT = 58.0
"""Width of the gap that stands for omitted slots."""
_EDGE = 2
"""Number of slots drawn at each end of a run of equal slots."""


@dataclass(frozen=True, slots=True)
class _PlacedSlot:
    """The slot number `number` of a run of equal slots, with its left edge and the scale in pixels per second."""

    run: SlotRange
    number: int
    left: float
    scale: float

    @property
    def width(self) -> float:
        return self.run.seconds * self.scale

    @property
    def begin(self) -> float:
        return self.run.begin + (self.number * self.run.seconds)


def chunks_drawing(line: ChunkTimeLine, width: float = WIDE) -> Drawing:
    """Return the time line; long runs of equal slots are abbreviated and their omitted slots counted.

    A chunk's box spans the time in which its step processes it. In a resource's row, the height of a box is the
    fraction of the slot during which the resource is busy.
    """
    label = min(200.0, 0.31 * width)
    placed, left_out = _across(line, label, width)
    resources = list(line.resources)
    rows = len(line.stages) + len(resources)
    bottom = _HEAD + (rows * (_ROW + _GAP))
    shapes: list[Shape] = [TextLabel(0, 14, "Which chunk is in which step when", 13, bold=True)]
    for one in placed:
        shapes.append(Polyline(((one.left, _HEAD - 4), (one.left, bottom)), "line"))
    for number, (own, text) in enumerate(zip(line.numbers, line.stages, strict=True)):
        shapes.append(_label(f"{numbers_text(own)} {text}", number, label, "ink"))
        shapes += _stage(placed, number)
    for number, resource in enumerate(resources):
        share = line.resources[resource] / line.seconds if line.seconds else 0.0
        row = len(line.stages) + number
        shapes.append(_label(f"{resource} {share:.0%}", row, label, "muted"))
        shapes.append(Polyline(((label, _top(row) + _ROW), (width, _top(row) + _ROW)), "line"))
        shapes += _resource(placed, resource, row)
    shapes += left_out
    if line.joining_s:
        left = placed[-1].left + placed[-1].width if placed else label
        shapes.append(Box(left, _HEAD, width - left, bottom - _HEAD, "soft"))
        shapes.append(TextLabel(width, 14, "last: joining", 10, "muted", "end"))
    shapes += _times(line, placed, label, bottom, width)
    title = f"Time line of {line.chunks} chunks" if line.chunks > 1 else "Time line of the payload in one piece"
    return Drawing(width, bottom + _FOOT, tuple(shapes), title, time_line_words(line))


def _across(line: ChunkTimeLine, label: float, width: float) -> tuple[list[_PlacedSlot], list[Shape]]:
    """Return the slots to draw, from left to right, and labels with the numbers of omitted slots."""
    many = [run.count > 2 * _EDGE + 1 for run in line.slots]
    drawn = sum(run.seconds * (2 * _EDGE if cut else run.count) for run, cut in zip(line.slots, many, strict=True))
    drawn += line.joining_s
    # Slots that are left out take a fixed gap; all that is drawn shares the rest in proportion to time.
    room = width - label - (_LEFT_OUT * sum(many))
    scale, x = room / (drawn or 1.0), label
    placed: list[_PlacedSlot] = []
    shapes: list[Shape] = []
    for run, cut in zip(line.slots, many, strict=True):
        for number in range(run.count):
            if cut and number == _EDGE:
                text = f"{run.count - 2 * _EDGE} more"
                shapes.append(TextLabel(x + (_LEFT_OUT / 2), _HEAD - 10, text, 11, "muted", "middle"))
                x += _LEFT_OUT
            if not cut or not _EDGE <= number < run.count - _EDGE:
                placed.append(_PlacedSlot(run, number, x, scale))
                x += run.seconds * scale
    return placed, shapes


def _top(row: int) -> float:
    return _HEAD + (row * (_ROW + _GAP))


def _label(text: str, row: int, room: float, ink: str) -> TextLabel:
    letters = int((room - 8) / _LETTER)
    shown = text if len(text) <= letters else f"{text[: letters - 1]}…"
    return TextLabel(0, _top(row) + 15, shown, 11, ink, mono=True)


def _stage(placed: list[_PlacedSlot], stage: int) -> Iterator[Shape]:
    """Yield the boxes of a step, labelled with chunk numbers where they fit."""
    for one in placed:
        for work in (work for work in one.run.work if work.stage == stage):
            box = Box(
                one.left + (work.start * one.scale),
                _top(stage),
                work.seconds * one.scale,
                _ROW,
                f"group{stage % GROUPS}",
                "edge",
                2.0,
            )
            yield box
            text = str(work.chunk + one.number + 1)
            if len(text) * _SMALL + 2 <= box.width:
                yield TextLabel(box.centre[0], _top(stage) + 15, text, 10, anchor="middle")


def _resource(placed: list[_PlacedSlot], resource: str, row: int) -> Iterator[Shape]:
    for one in placed:
        busy = dict(one.run.busy).get(resource, 0.0)
        part = min(1.0, busy / one.run.seconds) if one.run.seconds else 0.0
        if part:
            high = _ROW * part
            yield Box(one.left, _top(row) + _ROW - high, one.width, high, "muted")


def _times(
    line: ChunkTimeLine, placed: list[_PlacedSlot], label: float, bottom: float, width: float
) -> Iterator[Shape]:
    """Yield the time axis, with the start times of slots where they fit, and the end time."""
    yield Polyline(((label, bottom), (width, bottom)), "edge")
    yield TextLabel(width, bottom + 17, format_seconds(line.seconds), 11, "muted", "end")
    free = label - 1
    for one in placed:
        if one.left >= free and one.left + _TIME <= width - _TIME:
            yield Polyline(((one.left, bottom), (one.left, bottom + 4)), "edge")
            yield TextLabel(one.left, bottom + 17, format_seconds(one.begin), 11, "muted")
            free = one.left + _TIME
