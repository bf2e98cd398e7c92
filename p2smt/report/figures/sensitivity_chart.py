"""Chart of sensitivity: the time of each placement's best program against the payload size."""

from collections.abc import Sequence

from p2smt.cost.crossovers import Crossover, program_changes
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.content.content import PlacementResult, Report
from p2smt.report.content.naming import PlacementNames, naming_of
from p2smt.report.figures.chart_rows import WIDE
from p2smt.report.figures.palette import SERIES
from p2smt.report.figures.pills import LINE, pills
from p2smt.report.figures.scale import LogarithmicScale, decades
from p2smt.report.figures.shapes import Dot, Drawing, Polyline, Shape, TextLabel

_HEIGHT = 400.0
_LEFT, _TOP, _BOTTOM = 66.0, 16.0, 44.0
_KEY, _RIGHT = 42.0, 14.0
_DASHES: tuple[tuple[float, ...], ...] = ((), (8, 4), (2, 3), (10, 3, 2, 3), (5, 2), (12, 5))
_LETTERS_OF_SIZE = 62.0
"""Width in pixels reserved for a payload size below the chart."""
_POINTS = 60
_LEAST, _MOST = 2.0**10, 2.0**36


def seconds_at(crossovers: Sequence[Crossover], size: float) -> float:
    """Return the time in seconds of the best program for `size` bytes."""
    return [crossover for crossover in crossovers if crossover.least_bytes <= size][-1].seconds(size)


def sensitivity_drawing(report: Report, width: float = WIDE) -> Drawing:
    """Return the log-log chart: a line per placement, with a dot where another program becomes the fastest."""
    naming = naming_of(report.system, report.axes)
    payload = report.problem.payload.bytes
    results = [one for one in report.results if one.crossovers and one.programs[0].seconds > 0][:SERIES]
    # At least four powers of two around the payload itself.
    sizes = LogarithmicScale(min(_LEAST, payload / 16), max(_MOST, payload * 16.0), _LEFT, width - _RIGHT)
    ends = [seconds_at(result.crossovers or (), size) for result in results for size in (sizes.least, sizes.most)]
    times = LogarithmicScale(*decades(min(ends, default=1e-6), max(ends, default=1.0)), _HEIGHT - _BOTTOM, _TOP)
    shapes: list[Shape] = [*_grid(sizes, times), *_now(payload, sizes)]
    for number, result in enumerate(results):
        shapes += _curve(result.crossovers or (), number, sizes, times)
    names, height = _names(results, naming, width)
    title = "Time of the best program over the payload"
    return Drawing(width, height, (*shapes, *names), title, _described(results, naming))


def _grid(sizes: LogarithmicScale, times: LogarithmicScale) -> list[Shape]:
    found: list[Shape] = []
    steps = sizes.powers(32)
    every = 1 if (sizes.end - sizes.begin) / len(steps) > _LETTERS_OF_SIZE else 2
    for number, size in enumerate(steps):
        x = sizes.place(size)
        found.append(Polyline(((x, _TOP), (x, _HEIGHT - _BOTTOM)), "line"))
        if number % every == 0:
            found.append(TextLabel(x, _HEIGHT - _BOTTOM + 16, format_bytes(size), 11, "muted", "middle"))
    for time in times.ticks:
        y = times.place(time)
        found.append(Polyline(((sizes.begin, y), (sizes.end, y)), "line"))
        found.append(TextLabel(sizes.begin - 8, y + 4, format_seconds(time), 11, "muted", "end"))
    return [
        *found,
        TextLabel((sizes.begin + sizes.end) / 2, _HEIGHT - 8, "payload per device", 11.5, "muted", "middle"),
    ]


def _now(payload: int, sizes: LogarithmicScale) -> list[Shape]:
    x = sizes.place(payload)
    left = x > (sizes.begin + sizes.end) / 2
    return [
        Polyline(((x, _TOP), (x, _HEIGHT - _BOTTOM)), "edge", 1.2, (3, 3)),
        TextLabel(
            x - 6 if left else x + 6,
            _TOP + 10,
            f"here {format_bytes(payload)}",
            11,
            "muted",
            "end" if left else "start",
        ),
    ]


def _curve(
    crossovers: Sequence[Crossover], number: int, sizes: LogarithmicScale, times: LogarithmicScale
) -> list[Shape]:
    stroke = f"series{number}"
    crossings = [
        crossover.least_bytes
        for crossover in program_changes(crossovers)
        if sizes.least < crossover.least_bytes < sizes.most
    ]
    ratio = (sizes.most / sizes.least) ** (1 / _POINTS)
    xs = sorted([*(sizes.least * ratio**place for place in range(_POINTS)), sizes.most, *crossings])

    def place(size: float) -> tuple[float, float]:
        return sizes.place(size), times.place(seconds_at(crossovers, size))

    line = Polyline(tuple(map(place, xs)), stroke, 2.0, _DASHES[number])
    return [line, *(Dot(*place(size), 4, "surface", stroke, 2) for size in crossings)]


def _names(results: Sequence[PlacementResult], naming: PlacementNames, width: float) -> tuple[list[Shape], float]:
    """Return the key below the chart, with every line's placement, and the y coordinate of its end."""
    found: list[Shape] = []
    y = _HEIGHT + 10
    for number, result in enumerate(results):
        found.append(Polyline(((4, y + 8), (34, y + 8)), f"series{number}", 2.0, _DASHES[number]))
        named = pills(result.matrix, naming, width - _KEY)
        found += named.shapes(_KEY, y)
        y += LINE * named.lines + 3
    return found, y


def _described(results: Sequence[PlacementResult], naming: PlacementNames) -> str:
    if not results:
        return "No placement has a program that takes time."
    changes = []
    for result in results:
        sizes = [change.least_bytes for change in program_changes(result.crossovers or ())[1:]]
        changes.append(f"{naming.words(result.matrix)} ({result.matrix}): {_change_text(sizes)}")
    return (
        "On logarithmic scales, one line per placement: the time of its best program for every payload. "
        f"{'. '.join(changes)}."
    )


def _change_text(sizes: Sequence[float]) -> str:
    if not sizes:
        return "one program is best throughout"
    return f"another program begins to win at {', '.join(map(format_bytes, sizes))}"
