"""Layout of the rows of a placement chart.

Pills with the placement's axes go in front of the bar, or above it if they are too wide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.report.content.naming import PlacementNames
from p2smt.report.figures.pills import LINE, Pills, pills

WIDE, NARROW = 1030.0, 352.0
"""Widths of a chart in pixels: on a page, and on a phone."""
TIME_WIDTH = 74.0
"""Width reserved for the time at the right end of a row."""

_ROW, _GAP = 26.0, 14.0
_PART = 0.42
"""Fraction of the chart's width that pills may take in front of the bars."""


@dataclass(frozen=True)
class ChartRows:
    """One row per placement, starting at height `top`, in a chart of width `width`."""

    matrices: tuple[ParallelismMatrix, ...]
    naming: PlacementNames
    width: float
    top: float

    @cached_property
    def names(self) -> tuple[Pills, ...]:
        """The pills of every row."""
        beside = self._pills(_PART * self.width)
        return beside if all(one.lines == 1 for one in beside) else self._pills(self.width)

    @cached_property
    def above(self) -> bool:
        """True if the pills are drawn above the bars."""
        return max((one.width for one in self.names), default=0.0) > _PART * self.width

    @property
    def left(self) -> float:
        """The x coordinate at which bars start."""
        return 0.0 if self.above else max((one.width for one in self.names), default=0.0) + _GAP

    @property
    def right(self) -> float:
        """The x coordinate at which the longest bar ends."""
        return self.width - TIME_WIDTH

    @cached_property
    def tops(self) -> tuple[float, ...]:
        """The y coordinates of the tops of all rows, and finally of the bottom of the last row."""
        heights = (_ROW + (LINE * one.lines + 4 if self.above else 0.0) for one in self.names)
        return tuple(accumulate(heights, initial=self.top))

    def middle(self, row: int) -> float:
        """Return the y coordinate of the centre of a row's bar."""
        return self.tops[row + 1] - _ROW / 2

    def name_top(self, row: int) -> float:
        """Return the y coordinate of the top of a row's pills."""
        return self.tops[row] + 5

    def _pills(self, room: float) -> tuple[Pills, ...]:
        return tuple(pills(matrix, self.naming, room) for matrix in self.matrices)


def rows_of(matrices: Sequence[ParallelismMatrix], naming: PlacementNames, width: float, top: float) -> ChartRows:
    """Return the rows for placements, in the given order."""
    return ChartRows(tuple(matrices), naming, width, top)
