"""Values of a graph that are computed together: frames around what is one kernel, and loops over chunks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2smt.report.figures.palette import SERIES
from p2smt.report.figures.shapes import Box, Polyline, Shape, TextLabel

Point = tuple[float, float]

ROW = 20.0
LANE = 12.0
"""Between the lines that go back from the ends of loops to their beginnings."""
_GAP, _LETTERS = 4.0, 32


@dataclass(frozen=True, slots=True)
class Together:
    """`stages` of names of values, one behind the other; with `chunks` a loop over so many, without one kernel."""

    name: str
    stages: tuple[tuple[str, ...], ...]
    chunks: int | None = None

    @property
    def text(self) -> str:
        """A description in words."""
        stages = [" and ".join(stage) for stage in self.stages]
        if self.chunks is None:
            return f"{self.name}: one kernel"
        return f"{self.name}: {self.chunks} chunks in turn, {', then '.join(stages)}"

    @property
    def members(self) -> tuple[str, ...]:
        """All names."""
        return tuple(name for stage in self.stages for name in stage)


def paint_of(number: int) -> str:
    """The paint of the n-th of them; the first is left out, which edges of collectives are close to."""
    return f"series{1 + (number % (SERIES - 1))}"


def legend(all_together: Sequence[Together], top: float) -> Iterator[Shape]:
    """A line for each."""
    for number, one in enumerate(all_together):
        y, paint = top + (number * ROW), paint_of(number)
        dash = () if one.chunks is None else (4.0, 3.0)
        yield Polyline(((0, y + 7), (14, y + 7)), paint, 2.4, dash)
        many = "one kernel" if one.chunks is None else f"{one.chunks} chunks in turn"
        name = one.name if len(one.name) <= _LETTERS else f"{one.name[: _LETTERS - 1]}…"
        yield TextLabel(22, y + 11, f"{name}: {many}", 12, mono=True)


def frames(
    all_together: Sequence[Together], corners: Mapping[str, Point], width: float, height: float
) -> Iterator[Shape]:
    """Around every value of one; from the end of a loop a line goes back to its beginning, left of all boxes."""
    nested: dict[str, int] = {}
    left = min((x for x, _ in corners.values()), default=0.0)
    for number, one in enumerate(all_together):
        members = [name for name in one.members if name in corners]
        for name in members:
            (x, y), gap = corners[name], _GAP * (1 + nested.get(name, 0))
            nested[name] = nested.get(name, 0) + 1
            yield Box(x - gap, y - gap, width + (2 * gap), height + (2 * gap), "", paint_of(number), 5 + gap, 2.0)
        if one.chunks is not None and members:
            yield from _back(members, corners, height, left - (LANE * (number + 1)), paint_of(number), one.chunks)


def _back(
    members: Sequence[str], corners: Mapping[str, Point], height: float, lane: float, paint: str, chunks: int
) -> Iterator[Shape]:
    first, last = (end(members, key=lambda name: corners[name][1]) for end in (min, max))
    (to_x, to_y), (from_x, from_y) = corners[first], corners[last]
    begin, end = from_y + height - 8, to_y + 8
    yield Polyline(((from_x - _GAP, begin), (lane, begin), (lane, end), (to_x - _GAP, end)), paint, 1.6, (4.0, 3.0))
    yield Polyline(((to_x - _GAP - 6, end - 4), (to_x - _GAP, end), (to_x - _GAP - 6, end + 4)), paint, 1.6)
    yield TextLabel(lane + 3, (begin + end) / 2, f"{chunks}x", 11, paint, mono=True)
