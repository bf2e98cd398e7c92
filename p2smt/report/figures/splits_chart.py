"""Chart of the best splits of a training job: a bar per split, divided into the parts of its step."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from p2smt.job.step.search import SplitCandidate, StepSearch
from p2smt.job.step.split_words import split_words
from p2smt.job.step.step_time import StepTime
from p2smt.problem.quantity import format_seconds
from p2smt.problem.transformer.split import Split
from p2smt.report.figures.chart_rows import TIME_WIDTH, WIDE
from p2smt.report.figures.shapes import Box, Drawing, Shape, TextLabel

KINDS = {
    "matrix products": ("linear", "experts"),
    "attention": ("attention",),
    "other computing": ("elementwise", "output", "launches"),
    "communication in layers": ("tensor", "context", "dispatch"),
    "gradients, gathers, sends": ("gathers", "gradients", "sends"),
    "stages that wait": ("bubble",),
    "optimizer": ("optimizer",),
}
"""Map each category of the chart to the fields of `StepTime` that it adds up, in the order of a bar."""

PAINTS = ("group0", "group1", "group2", "group3", "group4", "inset", "group6")
"""The paint of each category; waiting is pale, as in other charts, and its neighbours differ clearly."""

_LINE, _BAR, _TOP = 14.0, 16.0, 8.0
_LETTER = 6.6
_KEY_WIDTH, _KEY_LINE = 172.0, 20.0


def splits_drawing(found: StepSearch, width: float = WIDE, own: Split | None = None) -> Drawing:
    """Return bars on a common scale, fastest first; communication hidden by computing is not included.

    The split is written above its bar, in several lines where the chart is narrow, and the step time to the right of
    it; the name of split `own` is in bold.
    """
    longest = max((one.seconds for one in found.best), default=1.0)
    scale = (width - TIME_WIDTH) / longest
    shapes: list[Shape] = []
    bottom = _TOP
    for one in found.best:
        words = wrap(split_words(one.split), int(width / _LETTER))
        shapes += _bar(one, words, bottom, scale, bold=one.split == own)
        bottom += len(words) * _LINE + _BAR + 10
    bottom += 8
    across = int(width // _KEY_WIDTH)
    for number, name in enumerate(KINDS):
        x, y = number % across * _KEY_WIDTH, bottom + number // across * _KEY_LINE
        shapes += [Box(x, y, 12, 12, PAINTS[number], "edge"), TextLabel(x + 18, y + 10, name, 11.5)]
    # `-(-a // b)` rounds up.
    height = bottom + -(-len(KINDS) // across) * _KEY_LINE
    return Drawing(width, height, tuple(shapes), "Where the steps of the best splits go", _described(found))


def seconds_by_kind(time: StepTime) -> dict[str, float]:
    """Return the seconds of a step in each category of `KINDS`."""
    return {kind: sum(getattr(time, part) for part in parts) for kind, parts in KINDS.items()}


def _bar(one: SplitCandidate, words: Sequence[str], top: float, scale: float, *, bold: bool) -> Iterator[Shape]:
    for number, line in enumerate(words):
        yield TextLabel(0, top + 11 + number * _LINE, line, 12, bold=bold)
    left, top = 0.0, top + len(words) * _LINE + 2
    for number, seconds in enumerate(seconds_by_kind(one.time).values()):
        if seconds:
            yield Box(left, top, seconds * scale, _BAR, PAINTS[number], "edge")
        left += seconds * scale
    yield TextLabel(left + 8, top + 12, format_seconds(one.seconds), 12, bold=True)


def _described(found: StepSearch) -> str:
    if not found.best:
        return "No split fits."
    rows = []
    for one in found.best:
        kinds = {kind: seconds for kind, seconds in seconds_by_kind(one.time).items() if seconds}
        said = ", ".join(f"{kind} {format_seconds(seconds)}" for kind, seconds in kinds.items())
        rows.append(f"{split_words(one.split)}: {format_seconds(one.seconds)} ({said})")
    return ". ".join(rows) + "."
