"""The chart of a job's placements: per placement a bar, made of the phases of a training step one after the other."""

from collections.abc import Sequence
from unicodedata import east_asian_width

from p2smt.job.job_pricer import Phase, PlacementTime
from p2smt.problem.quantity import format_seconds
from p2smt.report.content.content import JobReport
from p2smt.report.figures.palette import GROUPS
from p2smt.report.figures.scale import Linear
from p2smt.report.figures.shapes import Box, Drawing, Label, Line, Shape

WIDTH = 860.0
MOST_OF_BEST = 10.0
"""Bars of placements that take longer than this many times the best are cut off."""
_ROW, _BAR, _BOTTOM, _RIGHT = 26.0, 16.0, 30.0, 78.0
_LINE, _KEY, _LETTER = 19.0, 20.0, 6.4
_LONGEST_NAME = 60
_ROOM_FOR_NUMBER = 16.0


def phase_name(phase: Phase) -> str:
    """The names of the reductions of a phase, on one line, which is cut off where it is too long."""
    name = " + ".join(" ".join(one.reduction.name.split()) for one in phase.reductions)
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def job_ranking_drawing(report: JobReport) -> Drawing:
    """One row per placement, fastest first; the parts of a bar are as long as the phases take, numbered as above."""
    times = report.times
    left = 24 + 7.4 * max(len(str(one.matrix)) for one in times)
    legend, top = _legend(list(map(phase_name, times[0].phases)))
    height = top + _ROW * len(times) + _BOTTOM
    scale = _scale(times, left)
    shapes: list[Shape] = [*legend]
    for value in scale.ticks:
        x = scale.place(value)
        shapes.append(Line(((x, top - 4), (x, height - _BOTTOM)), "line"))
        shapes.append(Label(x, height - _BOTTOM + 16, format_seconds(value), 11, "muted", "middle"))
    for number, time in enumerate(times):
        shapes += _row(time, scale, top + number * _ROW, left, first=not number)
    return Drawing(WIDTH, height, tuple(shapes), "Predicted time of a training step by placement", _described(times))


def _scale(times: Sequence[PlacementTime], left: float) -> Linear:
    best, longest = times[0].seconds, times[-1].seconds
    most = min(longest, MOST_OF_BEST * best) if best else longest
    return Linear(most or 1.0, left, WIDTH - _RIGHT)


def _legend(names: Sequence[str]) -> tuple[list[Shape], float]:
    """The numbers and names of the phases in lines, and where the room below them begins."""
    shapes: list[Shape] = []
    x = y = 0.0
    for number, name in enumerate(names):
        width = _KEY + _LETTER * _letters(name) + 18
        if x and x + width > WIDTH:
            x, y = 0.0, y + _LINE
        shapes += _part(number, x, y + 2, 15)
        shapes.append(Label(x + _KEY, y + 14, name, 11.5, "muted"))
        x += width
    return shapes, y + _LINE + 14


def _letters(name: str) -> int:
    """How many letters a text is as wide as: those of Chinese, Japanese and Korean count twice."""
    return sum(1 + (east_asian_width(letter) in "WF") for letter in name)


def _part(number: int, x: float, y: float, width: float) -> list[Shape]:
    """The part of a bar that is phase `number`, with its number where there is room."""
    box = Box(x, y, width, _BAR, f"group{number % GROUPS}", "edge", weight=0.8, role="phase")
    label = Label(x + width / 2, y + 12, str(number + 1), 10.5, anchor="middle")
    return [box, label] if width >= _ROOM_FOR_NUMBER - 1 else [box]


def _row(time: PlacementTime, scale: Linear, top: float, left: float, *, first: bool) -> list[Shape]:
    middle = top + _ROW / 2
    shapes: list[Shape] = [Label(left - 10, middle + 4, str(time.matrix), 12, anchor="end", bold=first, mono=True)]
    passed, end = 0.0, scale.end
    for number, phase in enumerate(time.phases):
        x, passed = scale.place(passed), passed + phase.seconds
        width = min(scale.place(passed), end) - x
        if width > 0:
            shapes += _part(number, x, middle - _BAR / 2, width)
    if passed > scale.most * (1 + 1e-9):
        shapes += [Line(((end - x - 3, middle + 11), (end - x + 3, middle - 11)), "surface", 2.5) for x in (8, 13)]
    label = Label(WIDTH - _RIGHT + 10, middle + 4, format_seconds(time.seconds), 12, bold=first)
    return [*shapes, label]


def _described(times: Sequence[PlacementTime]) -> str:
    best, *others = times
    parts = "; ".join(
        f"{number} {phase_name(phase)} {format_seconds(phase.seconds)}"
        for number, phase in enumerate(best.phases, start=1)
    )
    rest = "; ".join(f"{one.matrix} {format_seconds(one.seconds)}" for one in others)
    return (
        f"One bar per placement, its parts the phases of a step. {best.matrix} takes {format_seconds(best.seconds)}: "
        f"{parts}.{f' The others: {rest}.' if rest else ''}"
    )
