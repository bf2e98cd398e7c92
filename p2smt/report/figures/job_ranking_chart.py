"""Chart of a job's placements: a bar per placement, divided into the consecutive phases of a training step."""

from collections.abc import Sequence
from unicodedata import east_asian_width

from p2smt.job.job_pricer import Phase, PlacementTime
from p2smt.problem.quantity import format_seconds
from p2smt.report.content.content import JobReport
from p2smt.report.content.naming import PlacementNames, naming_of
from p2smt.report.figures.chart_rows import TIME_WIDTH, WIDE, ChartRows, rows_of
from p2smt.report.figures.palette import GROUPS
from p2smt.report.figures.ranking_chart import axis_shapes, cut_mark
from p2smt.report.figures.scale import LinearScale
from p2smt.report.figures.shapes import Box, Drawing, Shape, TextLabel

MOST_OF_BEST = 10.0
"""Bars longer than this multiple of the best are cut off."""
_BAR, _BOTTOM = 16.0, 30.0
_LINE, _KEY, _LETTER = 19.0, 20.0, 6.4
_LONGEST_NAME = 60
_ROOM_FOR_NUMBER = 16.0


def phase_name(phase: Phase) -> str:
    """Return the names of a phase's reductions on one line, shortened if it is too long."""
    name = " + ".join(" ".join(one.reduction.name.split()) for one in phase.reductions)
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def job_ranking_drawing(report: JobReport, width: float = WIDE) -> Drawing:
    """Return the chart, fastest placement first; each part of a bar is one phase, numbered as in the legend."""
    times, naming = report.times, naming_of(report.system, report.axes)
    legend, top = _legend(list(map(phase_name, times[0].phases)), width)
    rows = rows_of([one.matrix for one in times], naming, width, top)
    height = rows.tops[-1] + _BOTTOM
    scale = _scale(times, rows)
    shapes: list[Shape] = [*legend, *axis_shapes(scale, [(top - 4, height - _BOTTOM)])]
    for number, time in enumerate(times):
        shapes += _row(time, scale, rows, number)
    title = "Predicted time of a training step by placement"
    return Drawing(width, height, tuple(shapes), title, _described(times, naming))


def _scale(times: Sequence[PlacementTime], rows: ChartRows) -> LinearScale:
    best, longest = times[0].seconds, times[-1].seconds
    most = min(longest, MOST_OF_BEST * best) if best else longest
    return LinearScale(most or 1.0, rows.left, rows.right)


def _legend(names: Sequence[str], most: float) -> tuple[list[Shape], float]:
    """Return the legend with the numbers and names of the phases, and the y coordinate of the space below it."""
    shapes: list[Shape] = []
    x = y = 0.0
    for number, name in enumerate(names):
        width = _KEY + _LETTER * _letters(name) + 18
        if x and x + width > most:
            x, y = 0.0, y + _LINE
        shapes += _part(number, x, y + 2, 15)
        shapes.append(TextLabel(x + _KEY, y + 14, name, 11.5, "muted"))
        x += width
    return shapes, y + _LINE + 14


def _letters(name: str) -> int:
    """Return the width of a text in letters; East Asian wide characters count twice."""
    return sum(1 + (east_asian_width(letter) in "WF") for letter in name)


def _part(number: int, x: float, y: float, width: float) -> list[Shape]:
    """Return the part of a bar for phase `number`, labelled with that number if it fits."""
    box = Box(x, y, width, _BAR, f"group{number % GROUPS}", "edge", weight=0.8, role="phase")
    label = TextLabel(x + width / 2, y + 12, str(number + 1), 10.5, anchor="middle")
    return [box, label] if width >= _ROOM_FOR_NUMBER - 1 else [box]


def _row(time: PlacementTime, scale: LinearScale, rows: ChartRows, row: int) -> list[Shape]:
    middle, first = rows.middle(row), not row
    shapes: list[Shape] = [*rows.names[row].shapes(0, rows.name_top(row))]
    passed, end = 0.0, scale.end
    for number, phase in enumerate(time.phases):
        x, passed = scale.place(passed), passed + phase.seconds
        width = min(scale.place(passed), end) - x
        if width > 0:
            shapes += _part(number, x, middle - _BAR / 2, width)
    if passed > scale.most * (1 + 1e-9):
        shapes += cut_mark(end, middle)
    label = TextLabel(end + TIME_WIDTH, middle + 4, format_seconds(time.seconds), 12, anchor="end", bold=first)
    return [*shapes, label]


def _described(times: Sequence[PlacementTime], naming: PlacementNames) -> str:
    best, *others = times
    parts = "; ".join(
        f"{number} {phase_name(phase)} {format_seconds(phase.seconds)}"
        for number, phase in enumerate(best.phases, start=1)
    )
    rest = ". ".join(f"{_named(one, naming)} {format_seconds(one.seconds)}" for one in others)
    return (
        f"One bar per placement, its parts the phases of a step. {_named(best, naming)} takes "
        f"{format_seconds(best.seconds)}: {parts}.{f' The others: {rest}.' if rest else ''}"
    )


def _named(time: PlacementTime, naming: PlacementNames) -> str:
    return f"{naming.words(time.matrix)} ({time.matrix})"
