"""Select the devices of a placement to draw: all of them, or samples of each kind on a large cluster.

A device is drawn if each of its digits is among the first `values[i]`, so the drawn devices are a product, and their
number is the product of all `values`. Every kind is shown if each digit of a reduced axis keeps two values, 0 and
another. Greedy: digits are cut from the outermost inwards until at most `MOST_DRAWN` (of a cluster that fits) or
`MOST_OF_LARGE` are left.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import product
from math import prod

from p2smt.placement.digits import DeviceMap, join
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.system.tree import Tree
from p2smt.report.content.tree_selection import TreeSelection, select_units

MOST_DRAWN = 256
"""Clusters with up to this many devices are drawn completely."""
MOST_OF_LARGE = 64
"""Number of devices drawn of a larger cluster, unless it has more kinds of devices."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The devices of a placement that a drawing shows.

    `values[i]` is how many values of digit `i` of the device number are drawn, starting at 0. Two devices are
    of one kind if the same subset of their digits on reduction axes is nonzero; such devices do the same in
    every step of every program. `every_kind` is true if at least one device of every kind is drawn.
    """

    matrix: ParallelismMatrix
    values: tuple[int, ...]
    every_kind: bool

    @property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """Per level, the drawn units' indices within their parent, ascending."""
        digits = list(zip(DeviceMap(self.matrix).digits, self.values, strict=True))
        found = []
        for level in range(len(self.matrix.rows[0])):
            own = [(digit.size, drawn) for digit, drawn in digits if digit.level == level]
            sizes = [size for size, _ in own]
            found.append(tuple(join(values, sizes) for values in product(*(range(drawn) for _, drawn in own))))
        return tuple(found)

    @property
    def counts(self) -> tuple[int, ...]:
        """Per level, the number of units drawn in each parent."""
        return tuple(map(len, self.units))

    @property
    def devices(self) -> tuple[int, ...]:
        """The drawn devices, ascending."""
        return tuple(join(units, self.level_sizes) for units in product(*self.units))

    @property
    def level_sizes(self) -> tuple[int, ...]:
        """Per level, the number of units in each parent."""
        return tuple(prod(column) for column in zip(*self.matrix.rows, strict=True))

    @property
    def shape(self) -> tuple[int, ...]:
        """Per level, the number of units drawn in each drawn parent."""
        return self.counts

    @property
    def total(self) -> int:
        """The number of devices, drawn or not."""
        return prod(self.level_sizes)

    @property
    def whole(self) -> bool:
        """True if every device is drawn."""
        return self.counts == self.level_sizes


AnySelection = Selection | TreeSelection
"""A selection on regular units, or on a tree of irregular units."""


def selection_of(matrix: ParallelismMatrix, reduced: Collection[int], tree: Tree | None) -> AnySelection:
    """Return the selection to draw of a placement; `tree` describes irregular units and is None otherwise."""
    return select_devices(matrix, reduced) if tree is None else select_units(matrix, tree, MOST_DRAWN, MOST_OF_LARGE)


def select_devices(matrix: ParallelismMatrix, reduced: Collection[int]) -> Selection:
    """Return the selection to draw of a placement whose axes `reduced` are reduced over.

    If the cluster is too large, digits are cut from the outermost inwards to their first few values: first all
    digits to two values each, then digits of other axes to one, then all digits to one, stopping as soon as the
    selection is small enough.

    >>> select_devices(ParallelismMatrix(((2, 8), (2, 2))), (0,)).whole
    True
    >>> select_devices(ParallelismMatrix(((64, 1), (16, 32))), (1,)).units[0]
    (0, 1, 16, 17)
    """
    digits = DeviceMap(matrix).digits
    values = [digit.size for digit in digits]
    most = MOST_DRAWN if prod(values) <= MOST_DRAWN else MOST_OF_LARGE
    axes = range(len(matrix.rows))
    # In this order: two values per digit show a group; then axes that are not reduced shrink to
    # one; at last all.
    for least, cut in ((2, axes), (1, [axis for axis in axes if axis not in reduced]), (1, axes)):
        for place, digit in enumerate(digits):
            others = prod(values) // values[place]
            if digit.axis in cut and others * values[place] > most:
                values[place] = min(values[place], max(least, most // others))
    kinds = all(
        drawn > 1 or digit.size == 1 for drawn, digit in zip(values, digits, strict=True) if digit.axis in reduced
    )
    return Selection(matrix, tuple(values), kinds)
