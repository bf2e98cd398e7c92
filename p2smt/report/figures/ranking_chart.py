"""Chart of a ranking: for each placement its best program, all other programs, and one plain AllReduce."""

from collections.abc import Sequence
from math import inf

from p2smt.problem.quantity import format_seconds
from p2smt.report.content.content import PlacementResult, Report
from p2smt.report.content.naming import PlacementNames, naming_of
from p2smt.report.figures.chart_rows import TIME_WIDTH, WIDE, ChartRows, rows_of
from p2smt.report.figures.scale import LinearScale
from p2smt.report.figures.shapes import Box, Dot, Drawing, Polyline, Shape, TextLabel, Ticks
from p2smt.wording import counted

MOST_OF_BEST = 200.0
"""Bars longer than this multiple of the best are cut off; ticks and rings beyond it are omitted."""
_LEGEND_LINE, _BOTTOM = 20.0, 30.0
_HALF_TIME = 24.0
"""Half of the width of a time below the axis."""


def ranking_drawing(report: Report, width: float = WIDE) -> Drawing:
    """Return the chart, fastest placement first: bar for the best program, ticks for others, ring for AllReduce."""
    results = [result for result in report.results if result.programs]
    naming = naming_of(report.system, report.axes)
    legend, top = _legend(width)
    rows = rows_of([result.matrix for result in results], naming, width, top)
    height = rows.tops[-1] + _BOTTOM
    scale = _scale(results, rows)
    fastest = min(results, key=lambda result: result.programs[0].seconds, default=None)
    shapes: list[Shape] = [*legend, *axis_shapes(scale, [(top - 4, height - _BOTTOM)])]
    for number, result in enumerate(results):
        shapes += _row(result, scale, rows, number, first=result is fastest)
    title = "Predicted times of all programs by placement"
    return Drawing(width, height, tuple(shapes), title, _described(results, naming))


def is_cut(report: Report) -> bool:
    """True if some times are too long to be drawn."""
    times = [time for result in report.results for time in (*result.seconds, result.allreduce_seconds)]
    least = min((result.programs[0].seconds for result in report.results if result.programs), default=0.0)
    return max(times, default=0.0) > MOST_OF_BEST * least > 0


def axis_shapes(scale: LinearScale, spans: Sequence[tuple[float, float]], room: float = inf) -> list[Shape]:
    """Return thin vertical lines at round times across these spans of height, with the times below the last one.

    `room` is where the drawing ends on the right.
    """
    shapes: list[Shape] = []
    for value in scale.ticks:
        x = scale.place(value)
        shapes += [Polyline(((x, top), (x, bottom)), "line") for top, bottom in spans]
        anchor = "start" if x < _HALF_TIME else "end" if x + _HALF_TIME > room else "middle"
        shapes.append(TextLabel(x, spans[-1][1] + 16, format_seconds(value), 11, "muted", anchor))
    return shapes


def cut_mark(end: float, middle: float) -> list[Shape]:
    """Return two strokes across the end of a bar that is cut off."""
    return [Polyline(((end - x - 3, middle + 11), (end - x + 3, middle - 11)), "surface", 2.5) for x in (8, 13)]


def _scale(results: Sequence[PlacementResult], rows: ChartRows) -> LinearScale:
    """Return a scale from zero to the longest time, capped at `MOST_OF_BEST` times the best."""
    bests = [result.programs[0].seconds for result in results]
    times = [time for result in results for time in (*result.seconds, result.allreduce_seconds)]
    least = min((best for best in bests if best > 0), default=1.0)
    most = min(max(times, default=1.0), MOST_OF_BEST * least)
    return LinearScale(1.02 * most or 1.0, rows.left, rows.right)


def _legend(width: float) -> tuple[list[Shape], float]:
    """Return the legend of bar, tick and ring, wrapped to the width, and the y coordinate of the space below it."""
    shapes: list[Shape] = []
    x, y = 0.0, 8.0
    for text, wide in (("best program", 118.0), ("every other program", 160.0), ("one AllReduce", 110.0)):
        if x and x + wide > width:
            x, y = 0.0, y + _LEGEND_LINE
        match text:
            case "best program":
                shapes.append(Box(x, y, 22, 10, "accent", radius=2))
            case "every other program":
                shapes.append(Ticks(x, y - 1, 12, (8.0, 12.0, 14.0), "edge", 0.8))
            case _:
                shapes.append(Dot(x + 11, y + 5, 4.5, "surface", "ink", 1.5))
        shapes.append(TextLabel(x + 28, y + 9, text, 11.5, "muted"))
        x += wide
    return shapes, y + _LEGEND_LINE + 8


def _row(result: PlacementResult, scale: LinearScale, rows: ChartRows, number: int, *, first: bool) -> list[Shape]:
    best, left, middle = result.programs[0].seconds, rows.left, rows.middle(number)
    end = min(scale.place(best), scale.end)
    # Rounded to pixels: thousands of programs become a few hundred ticks.
    places = sorted({float(round(scale.place(time) - left)) for time in result.seconds[1:]})
    others = tuple(place for place in places if left + place <= scale.end)
    shapes: list[Shape] = [
        *rows.names[number].shapes(0, rows.name_top(number)),
        Box(left, middle - 6, max(end - left, 1.0), 12, "accent" if first else "soft", "accent", radius=2),
        Ticks(left, middle - 6, 12, others, "edge", 0.8),
    ]
    # The scale ends at the longest bar shown, so equality is not a cut.
    if best > scale.most * (1 + 1e-9):
        shapes += cut_mark(end, middle)
    elif (ring := scale.place(result.allreduce_seconds)) <= scale.end:
        shapes.append(Dot(ring, middle, 4.5, "surface", "ink", 1.5))
    shapes.append(TextLabel(scale.end + TIME_WIDTH, middle + 4, format_seconds(best), 12, anchor="end", bold=first))
    return shapes


def _described(results: Sequence[PlacementResult], naming: PlacementNames) -> str:
    if not results:
        return "No placement has a program."
    rows = (
        f"{naming.words(result.matrix)} ({result.matrix}): best {format_seconds(result.programs[0].seconds)}, "
        f"one AllReduce {format_seconds(result.allreduce_seconds)}, {counted(result.count, 'program')}"
        for result in results
    )
    return f"On a linear scale of seconds, one row per placement. {'. '.join(rows)}."
