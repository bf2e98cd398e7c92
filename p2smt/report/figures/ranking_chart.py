"""The chart of a ranking: per placement its best program, all its others, and one plain AllReduce."""

from collections.abc import Sequence

from p2smt.problem.quantity import format_seconds
from p2smt.report.content.content import PlacementResult, Report
from p2smt.report.figures.scale import Linear, Logarithmic, decades
from p2smt.report.figures.shapes import Box, Dot, Drawing, Label, Line, Shape, Ticks
from p2smt.wording import counted

WIDTH = 860.0
_ROW, _TOP, _BOTTOM, _RIGHT = 24.0, 34.0, 30.0, 78.0
_LOG_FROM = 20.0


def ranking_drawing(report: Report) -> Drawing:
    """One row per placement, fastest first: a bar for the best program, a tick per program, a ring for AllReduce."""
    results = [result for result in report.results if result.programs]
    left = 24 + 7.4 * max((len(str(result.matrix)) for result in results), default=0)
    height = _TOP + _ROW * len(results) + _BOTTOM
    scale = _scale(results, left)
    fastest = min(results, key=lambda result: result.programs[0].seconds, default=None)
    shapes: list[Shape] = [*_legend(left)]
    for value in scale.ticks:
        x = scale.place(value)
        shapes.append(Line(((x, _TOP - 4), (x, height - _BOTTOM)), "line"))
        shapes.append(Label(x, height - _BOTTOM + 16, format_seconds(value), 11, "muted", "middle"))
    for number, result in enumerate(results):
        shapes += _row(result, scale, _TOP + number * _ROW, left, first=result is fastest)
    how = "logarithmic" if isinstance(scale, Logarithmic) else "linear"
    return Drawing(
        WIDTH, height, tuple(shapes), "Predicted times of all programs by placement", _described(results, how)
    )


def _scale(results: Sequence[PlacementResult], left: float) -> Linear | Logarithmic:
    times = [time for result in results for time in (*result.seconds, result.allreduce_seconds)]
    positive = [time for time in times if time > 0]
    if not positive:
        return Linear(1.0, left, WIDTH - _RIGHT)
    if max(positive) / min(positive) < _LOG_FROM:
        return Linear(max(positive) * 1.02, left, WIDTH - _RIGHT)
    return Logarithmic(*decades(min(positive) * 0.9, max(positive)), left, WIDTH - _RIGHT)


def _legend(left: float) -> tuple[Shape, ...]:
    return (
        Box(left, 8, 22, 10, "accent", radius=2),
        Label(left + 28, 17, "best program", 11.5, "muted"),
        Ticks(left + 126, 7, 12, (0.0, 4.0, 6.0), "edge", 0.8),
        Label(left + 138, 17, "every other program", 11.5, "muted"),
        Dot(left + 274, 13, 4.5, "surface", "ink", 1.5),
        Label(left + 284, 17, "one AllReduce", 11.5, "muted"),
    )


def _row(
    result: PlacementResult, scale: Linear | Logarithmic, top: float, left: float, *, first: bool
) -> tuple[Shape, ...]:
    best = result.programs[0].seconds
    middle, end = top + _ROW / 2, scale.place(best)
    others = tuple(sorted({float(round(scale.place(time) - left)) for time in result.seconds[1:]}))
    return (
        Label(left - 10, middle + 4, str(result.matrix), 12, anchor="end", bold=first, mono=True),
        Box(left, middle - 6, max(end - left, 1.0), 12, "accent" if first else "soft", "accent", radius=2),
        Ticks(left, middle - 6, 12, others, "edge", 0.8),
        Dot(scale.place(result.allreduce_seconds), middle, 4.5, "surface", "ink", 1.5),
        Label(WIDTH - _RIGHT + 10, middle + 4, format_seconds(best), 12, bold=first),
    )


def _described(results: Sequence[PlacementResult], how: str) -> str:
    if not results:
        return "No placement has a program."
    rows = (
        f"{result.matrix}: best {format_seconds(result.programs[0].seconds)}, "
        f"one AllReduce {format_seconds(result.allreduce_seconds)}, {counted(result.count, 'program')}"
        for result in results
    )
    return f"On a {how} scale of seconds, one row per placement. {'; '.join(rows)}."
