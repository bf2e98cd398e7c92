"""Layout of a cluster's boxes: units nested in their parents, with devices innermost."""

from dataclasses import dataclass
from functools import cached_property
from math import ceil

from p2smt.problem.system.tree import Tree, uniform_tree
from p2smt.report.content.naming import PlacementNames
from p2smt.report.content.selection import AnySelection

GAP, PADDING, HEAD = 8.0, 10.0, 18.0
CELL_HEIGHT = 40.0
_CELL_GAP = 4.0
PAGE_WIDTH, FIGURE_WIDTH, PHONE_WIDTH = 1030.0, 480.0, 352.0
"""Maximum widths of drawings in pixels: on a page, side by side in a figure, and on a phone."""
_FEW = 8
"""Up to this many boxes may share one row even if no other grid without holes exists."""

Shape = tuple[int, ...] | Tree
"""The number of drawn children per unit: one number per level, or a tree for irregular units."""


@dataclass(frozen=True, slots=True)
class BoxPlace:
    """The upper left corner and the size of a box."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class ClusterFrame:
    """Positions of all boxes, when `shape[i]` units of level `i` are drawn per parent, or the units of a tree.

    On a tree all boxes of a level have the size of the largest, so that equally numbered units have the same
    place in every parent.

    `boxes[0]` is the cluster and `boxes[i]` the units of level `i - 1`, in the order of their numbers; `cells`
    are the devices.
    """

    shape: Shape
    cell_width: float
    widest: float = PAGE_WIDTH

    @cached_property
    def boxes(self) -> tuple[tuple[BoxPlace, ...], ...]:
        """The positions of the cluster and of all units except devices, level by level."""
        return self._places[:-1]

    @cached_property
    def cells(self) -> tuple[BoxPlace, ...]:
        """The positions of the devices."""
        return self._places[-1]

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Per level, the largest number of units drawn in one parent."""
        return self.shape.hull if isinstance(self.shape, Tree) else self.shape

    @property
    def width(self) -> float:
        """The total width."""
        return self.boxes[0][0].width

    @property
    def height(self) -> float:
        """The total height."""
        return self.boxes[0][0].height

    @cached_property
    def _grids(self) -> tuple["_Grid", ...]:
        """Per level, the grid that arranges units in their parent: the lowest grid that is not too wide.

        Ties go to the first; a grid with holes is used only if no other fits.
        """
        # From the devices outwards: the size of a box is that of the grid inside it.
        found: list[tuple[_Grid, ...]] = [()]
        for level in reversed(range(len(self.counts))):
            gap = _CELL_GAP if level == len(self.counts) - 1 else GAP
            wider = [
                (
                    _Grid(
                        columns, ceil(count / columns), inner[0].size if inner else (self.cell_width, CELL_HEIGHT), gap
                    ),
                    *inner,
                )
                for inner in found
                for count in (self.counts[level],)
                for columns in _columns(count)
            ]
            found = _useful(wider, self.counts[level:], self.widest)
        return min(found, key=lambda grids: _unpleasant(grids, self.counts, self.widest))

    @cached_property
    def _places(self) -> tuple[tuple[BoxPlace, ...], ...]:
        outermost = self._grids[0]
        rows: list[tuple[BoxPlace, ...]] = [(BoxPlace(0, 0, outermost.width, outermost.height),)]
        tree = self.shape if isinstance(self.shape, Tree) else uniform_tree(self.shape)
        for grid, counts in zip(self._grids, tree.children, strict=True):
            inside = zip(rows[-1], counts, strict=True)
            rows.append(tuple(grid.place(parent, number) for parent, count in inside for number in range(count)))
        return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Grid:
    """A grid of equal boxes with `columns` columns, surrounded by the parent's header and padding."""

    columns: int
    rows: int
    box: tuple[float, float]
    gap: float

    @property
    def size(self) -> tuple[float, float]:
        return self.width, self.height

    @property
    def width(self) -> float:
        return self.columns * self.box[0] + (self.columns - 1) * self.gap + 2 * PADDING

    @property
    def height(self) -> float:
        return self.rows * self.box[1] + (self.rows - 1) * self.gap + HEAD + 1.6 * PADDING

    def place(self, parent: BoxPlace, number: int) -> BoxPlace:
        row, column = divmod(number, self.columns)
        width, height = self.box
        x = parent.x + PADDING + column * (width + self.gap)
        y = parent.y + PADDING * 0.6 + HEAD + row * (height + self.gap)
        return BoxPlace(x, y, width, height)


def cluster_frame(selection: AnySelection, naming: PlacementNames, widest: float = PAGE_WIDTH) -> ClusterFrame:
    """Return the positions of drawn devices and their boxes, at most `widest` pixels wide if possible."""
    return ClusterFrame(selection.shape, naming.cell_width, widest)


def _columns(count: int) -> list[int]:
    """Return the possible numbers of columns for `count` boxes.

    These are the divisors of `count`; a large prime is arranged in one row, or in a grid with a hole.
    """
    whole = [number for number in range(1, count + 1) if count % number == 0]
    if len(whole) > 2 or count <= _FEW:
        return whole
    return sorted({count, *(ceil(count / rows) for rows in range(2, _FEW))})


def _unpleasant(grids: tuple["_Grid", ...], counts: tuple[int, ...], widest: float) -> tuple[bool, int, float, float]:
    """Return a sort key for grids (too wide, number of holes, height, width); smaller is better."""
    holes = sum(count % grid.columns > 0 for grid, count in zip(grids, counts, strict=True))
    width, height = grids[0].size if grids else (0.0, 0.0)
    return width > widest, holes, height, width


def _useful(some: list[tuple["_Grid", ...]], counts: tuple[int, ...], widest: float) -> list[tuple["_Grid", ...]]:
    """Return the Pareto-optimal grids by holes, height and width; if all are too wide, only the narrowest."""
    fitting = [grids for grids in some if grids[0].width <= widest] or [min(some, key=lambda grids: grids[0].width)]
    # Sorted by holes, height and width, nothing later is smaller in all of them than what is kept.
    ordered = sorted(fitting, key=lambda grids: _unpleasant(grids, counts, widest)[1:])
    kept: list[tuple[_Grid, ...]] = []
    for grids in ordered:
        _, holes, height, width = _unpleasant(grids, counts, widest)
        others = (_unpleasant(other, counts, widest) for other in kept)
        if not any(h <= holes and tall <= height and wide <= width for _, h, tall, wide in others):
            kept.append(grids)
    return kept
