"""Where the boxes of a cluster stand: units in their parents, devices innermost."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import ceil, log

GAP, PADDING, HEAD = 8.0, 10.0, 18.0
CELL_HEIGHT = 40.0
_CELL_GAP = 4.0
_WANTED_RATIO = 1.9
_WIDEST = 980.0


@dataclass(frozen=True, slots=True)
class Place:
    """The upper left corner and the size of a box."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Frame:
    """The places of all boxes when `counts[i]` units of level `i` are drawn in every parent.

    `boxes[i]` are the units of level `i - 1` (`boxes[0]`: the cluster itself), in the order of their numbers, around
    the units of level `i`; `cells` are the devices.
    """

    counts: tuple[int, ...]
    cell_width: float

    @cached_property
    def boxes(self) -> tuple[tuple[Place, ...], ...]:
        """Per level, the places of the units that hold the units of this level."""
        return self._places[:-1]

    @cached_property
    def cells(self) -> tuple[Place, ...]:
        """The places of the devices."""
        return self._places[-1]

    @property
    def width(self) -> float:
        """Width of the whole."""
        return self.boxes[0][0].width

    @property
    def height(self) -> float:
        """Height of the whole."""
        return self.boxes[0][0].height

    @cached_property
    def _grids(self) -> tuple["_Grid", ...]:
        """Per level, how its units stand in their parent."""
        width, height = self.cell_width, CELL_HEIGHT
        found = []
        for level in reversed(range(len(self.counts))):
            grid = _grid(self.counts[level], width, height, _CELL_GAP if level == len(self.counts) - 1 else GAP)
            width, height = grid.width, grid.height
            found.append(grid)
        return tuple(reversed(found))

    @cached_property
    def _places(self) -> tuple[tuple[Place, ...], ...]:
        outermost = self._grids[0]
        rows: list[tuple[Place, ...]] = [(Place(0, 0, outermost.width, outermost.height),)]
        for grid, count in zip(self._grids, self.counts, strict=True):
            rows.append(tuple(grid.place(parent, number) for parent, number in product(rows[-1], range(count))))
        return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Grid:
    """Boxes of one size in rows of `columns`, and the parent's head and padding around them."""

    columns: int
    rows: int
    box: tuple[float, float]
    gap: float

    @property
    def width(self) -> float:
        return self.columns * self.box[0] + (self.columns - 1) * self.gap + 2 * PADDING

    @property
    def height(self) -> float:
        return self.rows * self.box[1] + (self.rows - 1) * self.gap + HEAD + 1.6 * PADDING

    def place(self, parent: Place, number: int) -> Place:
        row, column = divmod(number, self.columns)
        width, height = self.box
        x = parent.x + PADDING + column * (width + self.gap)
        y = parent.y + PADDING * 0.6 + HEAD + row * (height + self.gap)
        return Place(x, y, width, height)


def _grid(count: int, width: float, height: float, gap: float) -> _Grid:
    """The most pleasant of the grids: without holes, near a wanted ratio, not too wide."""

    def unpleasant(grid: _Grid) -> tuple[bool, bool, float]:
        too_wide = grid.columns > 1 and grid.width > _WIDEST
        return too_wide, count % grid.columns > 0, abs(log(grid.width / grid.height / _WANTED_RATIO))

    columns = range(1, count + 1)
    return min((_Grid(number, ceil(count / number), (width, height), gap) for number in columns), key=unpleasant)
