"""The chart of sensitivity: the time of the best program of a placement over the payload."""

from collections.abc import Sequence

from p2smt.cost.crossovers import Crossover, program_changes
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.content.content import PlacementResult, Report
from p2smt.report.figures.palette import SERIES
from p2smt.report.figures.scale import Logarithmic, decades
from p2smt.report.figures.shapes import Dot, Drawing, Label, Line, Shape

_WIDTH, _HEIGHT = 860.0, 400.0
_LEFT, _TOP, _BOTTOM = 66.0, 16.0, 44.0
_KEY = 34.0
_DASHES: tuple[tuple[float, ...], ...] = ((), (8, 4), (2, 3), (10, 3, 2, 3), (5, 2), (12, 5))
_POINTS = 60
_LEAST, _MOST = 2.0**10, 2.0**36


def seconds_at(crossovers: Sequence[Crossover], size: float) -> float:
    """What the best program takes for `size` bytes."""
    return [crossover for crossover in crossovers if crossover.least_bytes <= size][-1].seconds(size)


def sensitivity_drawing(report: Report) -> Drawing:
    """Time over payload, both logarithmic: a line per placement, a dot where another program begins to win."""
    payload = report.problem.payload.bytes
    results = [result for result in report.results if result.crossovers and result.programs[0].seconds > 0][:SERIES]
    right = _WIDTH - _KEY - 10 - 7.4 * max((len(str(result.matrix)) for result in results), default=0)
    sizes = Logarithmic(min(_LEAST, payload / 16), max(_MOST, payload * 16.0), _LEFT, right)
    ends = [seconds_at(result.crossovers, size) for result in results for size in (sizes.least, sizes.most)]
    times = Logarithmic(*decades(min(ends, default=1e-6), max(ends, default=1.0)), _HEIGHT - _BOTTOM, _TOP)
    shapes: list[Shape] = [*_grid(sizes, times), *_now(payload, sizes)]
    for number, result in enumerate(results):
        shapes += _curve(result.crossovers, number, sizes, times)
    shapes += _names(results, sizes, times)
    return Drawing(_WIDTH, _HEIGHT, tuple(shapes), "Time of the best program over the payload", _described(results))


def _grid(sizes: Logarithmic, times: Logarithmic) -> list[Shape]:
    found: list[Shape] = []
    for size in sizes.powers(32):
        x = sizes.place(size)
        found.append(Line(((x, _TOP), (x, _HEIGHT - _BOTTOM)), "line"))
        found.append(Label(x, _HEIGHT - _BOTTOM + 16, format_bytes(size), 11, "muted", "middle"))
    for time in times.ticks:
        y = times.place(time)
        found.append(Line(((sizes.begin, y), (sizes.end, y)), "line"))
        found.append(Label(sizes.begin - 8, y + 4, format_seconds(time), 11, "muted", "end"))
    return [*found, Label((sizes.begin + sizes.end) / 2, _HEIGHT - 8, "payload per device", 11.5, "muted", "middle")]


def _now(payload: int, sizes: Logarithmic) -> list[Shape]:
    x = sizes.place(payload)
    return [
        Line(((x, _TOP), (x, _HEIGHT - _BOTTOM)), "edge", 1.2, (3, 3)),
        Label(x - 6, _TOP + 10, f"here {format_bytes(payload)}", 11, "muted", "end"),
    ]


def _curve(crossovers: Sequence[Crossover], number: int, sizes: Logarithmic, times: Logarithmic) -> list[Shape]:
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

    line = Line(tuple(map(place, xs)), stroke, 2.0, _DASHES[number])
    return [line, *(Dot(*place(size), 4, "surface", stroke, 2) for size in crossings)]


def _names(results: Sequence[PlacementResult], sizes: Logarithmic, times: Logarithmic) -> list[Shape]:
    """The names of the lines at their right ends, moved apart where they would meet."""
    ends = [(times.place(seconds_at(result.crossovers, sizes.most)), n) for n, result in enumerate(results)]
    found: list[Shape] = []
    below = _TOP
    for y, number in sorted(ends):
        at = max(y, below)
        below = at + 15
        found.append(Label(sizes.end + _KEY, at + 4, str(results[number].matrix), 12, mono=True))
        key = ((sizes.end + 4, y), (sizes.end + 12, at), (sizes.end + 30, at))
        found.append(Line(key, f"series{number}", 2.0, _DASHES[number]))
    return found


def _described(results: Sequence[PlacementResult]) -> str:
    if not results:
        return "No placement has a program that takes time."
    changes = (
        f"{result.matrix}: {_change_text([change.least_bytes for change in program_changes(result.crossovers)[1:]])}"
        for result in results
    )
    return (
        "On logarithmic scales, one line per placement: the time of its best program for every payload. "
        f"{'; '.join(changes)}."
    )


def _change_text(sizes: Sequence[float]) -> str:
    if not sizes:
        return "one program is best throughout"
    return f"another program begins to win at {', '.join(map(format_bytes, sizes))}"
