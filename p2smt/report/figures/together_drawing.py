"""Marks in a program's graph: frames around the values of one fused kernel, and loops over chunks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2smt.report.figures.palette import SERIES
from p2smt.report.figures.shapes import Box, Polyline, Shape, TextLabel

Point = tuple[float, float]

ROW = 20.0
LANE = 12.0
"""Distance in pixels between the lines that lead from the ends of loops back to their beginnings."""
_GAP, _LETTERS = 4.0, 32


@dataclass(frozen=True, slots=True)
class Together:
    """A fused kernel or a chunked loop; `stages` holds the names of the values in each consecutive stage.

    `chunks` is the number of chunks of a loop; None for a fused kernel.
    """

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
        """The names of all values."""
        return tuple(name for stage in self.stages for name in stage)


def paint_of(number: int) -> str:
    """Return the paint of the n-th mark.

    The first series colour is skipped, as it resembles the edges of collectives.
    """
    return f"series{1 + (number % (SERIES - 1))}"


def legend(all_together: Sequence[Together], top: float) -> Iterator[Shape]:
    """Yield a legend line for each kernel or loop."""
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
    """Yield a frame around every value of a kernel or loop, and for each loop a line from its end back to its start.

    The lines run to the left of all boxes.
    """
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
