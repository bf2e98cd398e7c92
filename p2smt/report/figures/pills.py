"""A placement as coloured pills: for each level, the axes on it and their numbers of parts."""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.report.content.naming import PlacementNames
from p2smt.report.figures.palette import axis_paint
from p2smt.report.figures.shapes import Box, Shape, TextLabel

LINE = 21.0
"""Distance in pixels between lines of pills."""

_HEIGHT, _LETTER, _SIZE = 16.0, 6.2, 11.0
_PADDING, _BETWEEN, _AFTER_LEVEL, _AFTER_NAME = 6.0, 4.0, 10.0, 4.0


@dataclass(frozen=True, slots=True)
class Pill:
    """One label: an axis in its colour, or the name of a level if `axis` is -1."""

    text: str
    axis: int

    @property
    def width(self) -> float:
        """The drawn width in pixels."""
        return _LETTER * len(self.text) + (2 * _PADDING if self.axis >= 0 else _AFTER_NAME)


@dataclass(frozen=True, slots=True)
class Pills:
    """The pills of one placement as tuples of x offset, line number and pill."""

    placed: tuple[tuple[float, int, Pill], ...]

    @property
    def width(self) -> float:
        """The width of the widest line."""
        return max((x + pill.width for x, _, pill in self.placed), default=0.0)

    @property
    def lines(self) -> int:
        """The number of lines."""
        return 1 + max((line for _, line, _ in self.placed), default=0)

    def shapes(self, x: float, y: float) -> Iterator[Shape]:
        """Yield the shapes, with the first line's upper left corner at (x, y)."""
        for right, line, pill in self.placed:
            top = y + LINE * line
            if pill.axis < 0:
                yield TextLabel(x + right, top + 12, pill.text, _SIZE, "muted")
                continue
            paint = axis_paint(pill.axis)
            yield Box(x + right, top, pill.width, _HEIGHT, paint, "edge", radius=8, weight=0.6, role="pill")
            yield TextLabel(x + right + pill.width / 2, top + 12, pill.text, _SIZE, anchor="middle")


def pills(matrix: ParallelismMatrix, naming: PlacementNames, room: float) -> Pills:
    """Return the pills of a placement, level by level; axes with one part and levels without axes are left out."""
    placed: list[tuple[float, int, Pill]] = []
    x, line = 0.0, 0
    for level, name in enumerate(naming.levels):
        own = [
            Pill(f"{naming.axes[axis]} {naming.factor(matrix, axis, level)}", axis)
            for axis, row in enumerate(matrix.rows)
            if row[level] > 1
        ]
        for pill in [Pill(name, -1), *own] if own else []:
            # The name of a level never ends a line: it needs room for its first axis as well.
            wide = pill.width + (_BETWEEN + own[0].width if pill.axis < 0 else 0.0)
            if x and x + wide > room:
                x, line = 0.0, line + 1
            placed.append((x, line, pill))
            x += pill.width + _BETWEEN
        x += _AFTER_LEVEL if own else 0.0
    return Pills(tuple(placed) or ((0.0, 0, Pill("one device", -1)),))
