"""Charts of a sharded step: each device's stages (collectives, computing, waiting), and a comparison of programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2smt.problem.quantity import format_seconds
from p2smt.report.content.stages import Stages, StageWork
from p2smt.report.figures.chart_rows import TIME_WIDTH, WIDE
from p2smt.report.figures.ranking_chart import axis_shapes, cut_mark
from p2smt.report.figures.scale import LinearScale
from p2smt.report.figures.shapes import Box, Drawing, Shape, TextLabel
from p2smt.wording import counted

_LEGEND, _NAME, _BAR, _GAP, _BOTTOM = 30.0, 17.0, 20.0, 9.0, 30.0
_LEAST = 5.0
"""Stages narrower than this many pixels are merged with the following ones."""
_MOST_OF_BEST = 10.0


def stage_drawing(stages: Stages, width: float = WIDE) -> Drawing:
    """Return the time line, with one bar per device from the beginning of the step to its end."""
    scale = LinearScale(stages.total or 1.0, 0.0, width)
    bottom = _LEGEND + (len(stages.devices) * (_NAME + _BAR + _GAP))
    shapes: list[Shape] = [
        *_legend(("collectives", "computing", "waiting")),
        *axis_shapes(scale, _bars(len(stages.devices)), width),
    ]
    for number, work in enumerate(stages.devices):
        top = _LEGEND + (number * (_NAME + _BAR + _GAP))
        shapes.append(TextLabel(0, top + 13, work.name, 12, "ink"))
        shapes += _bar(stages, work, scale, top + _NAME)
    said = "; ".join(
        f"{work.name}: computes {format_seconds(sum(work.computing))}, waits {format_seconds(sum(work.waiting))}"
        for work in stages.devices
    )
    description = (
        f"{counted(len(stages.collectives), 'stage')}, {format_seconds(stages.total)} in all, of which collectives "
        f"{format_seconds(sum(stages.collectives))}. {said}."
    )
    return Drawing(width, bottom + _BOTTOM, tuple(shapes), "What devices do in a step", description)


def _bars(rows: int) -> list[tuple[float, float]]:
    """Return the heights between which the bars lie, without their names, which no line of the axis crosses."""
    tops = [_LEGEND + (row * (_NAME + _BAR + _GAP)) + _NAME for row in range(rows)]
    return [(top - 2, top + _BAR + 2) for top in tops] or [(_LEGEND, _LEGEND)]


def _bar(stages: Stages, work: StageWork, scale: LinearScale, top: float) -> Iterator[Shape]:
    start = 0.0
    for sent, computed, waited in _together(stages, work, scale):
        for seconds, fill in ((sent, "sending"), (computed, "computing"), (waited, "inset")):
            if seconds > 0:
                left, right = scale.place(start), scale.place(start + seconds)
                yield Box(left, top, max(0.4, right - left), _BAR, fill)
            start += seconds
    yield Box(0, top, scale.place(start), _BAR, "", "edge", weight=0.8)


def _together(stages: Stages, work: StageWork, scale: LinearScale) -> Iterator[tuple[float, float, float]]:
    """Yield the seconds of collectives, computing and waiting per stage, merging stages too short to draw."""
    sums = [0.0, 0.0, 0.0]
    for parts in zip(stages.collectives, work.computing, work.waiting, strict=True):
        sums = [old + new for old, new in zip(sums, parts, strict=True)]
        if scale.place(sum(sums)) >= _LEAST:
            yield sums[0], sums[1], sums[2]
            sums = [0.0, 0.0, 0.0]
    yield sums[0], sums[1], sums[2]


@dataclass(frozen=True, slots=True)
class ProgramBar:
    """A program in the comparison: its seconds of collectives and of computing."""

    name: str
    collectives: float
    computing: float

    @property
    def seconds(self) -> float:
        """The time of the step in seconds."""
        return self.collectives + self.computing


def contender_drawing(contenders: Sequence[ProgramBar], width: float = WIDE) -> Drawing:
    """Return the comparison, with one bar per program and the answer first."""
    best = contenders[0].seconds
    most = min(max(each.seconds for each in contenders), _MOST_OF_BEST * best)
    scale = LinearScale(most or 1.0, 0.0, width - TIME_WIDTH)
    bottom = _LEGEND + (len(contenders) * (_NAME + _BAR + _GAP))
    shapes: list[Shape] = [*_legend(("collectives", "computing")), *axis_shapes(scale, _bars(len(contenders)))]
    for number, each in enumerate(contenders):
        top = _LEGEND + (number * (_NAME + _BAR + _GAP))
        shapes.append(TextLabel(0, top + 13, each.name, 12, "ink", bold=number == 0))
        sent, end = (min(scale.place(value), scale.end) for value in (each.collectives, each.seconds))
        shapes.append(Box(0, top + _NAME, sent, _BAR, "sending"))
        shapes.append(Box(sent, top + _NAME, end - sent, _BAR, "computing"))
        if each.seconds > most:
            shapes += cut_mark(end, top + _NAME + (_BAR / 2))
        shapes.append(TextLabel(end + 6, top + _NAME + 14, format_seconds(each.seconds), 12, "ink"))
    said = "; ".join(f"{each.name} {format_seconds(each.seconds)}" for each in contenders)
    return Drawing(width, bottom + _BOTTOM, tuple(shapes), "The answer beside others", f"Seconds of a step: {said}.")


def _legend(names: Sequence[str]) -> Iterator[Shape]:
    fills = {"collectives": "sending", "computing": "computing", "waiting": "inset"}
    for number, name in enumerate(names):
        yield Box(number * 110.0, 6, 22, 12, fills[name], "edge", radius=2)
        yield TextLabel((number * 110.0) + 28, 16, name, 11.5, "muted")
