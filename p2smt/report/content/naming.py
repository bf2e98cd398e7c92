"""Labels of units and devices in a drawing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.words import placement_words, where_words
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level, System
from p2smt.problem.system.tree import counts_text
from p2smt.wording import SizedItem

_FEW_UNITS = 8


@dataclass(frozen=True, slots=True)
class PlacementNames:
    """The names of levels and axes, and the sizes of the axes."""

    levels: tuple[str, ...]
    axes: tuple[str, ...]
    axis_sizes: tuple[int, ...]

    @property
    def cell_width(self) -> float:
        """The width in pixels needed for the coordinates of a device."""
        return max(46.0, 7.6 * len(",".join(str(size - 1) for size in self.axis_sizes)) + 10)

    def words(self, matrix: ParallelismMatrix) -> str:
        """Return a phrase that says on which levels each axis of a placement lies."""
        return placement_words(matrix, self._axes, self._levels)

    def places(self, matrix: ParallelismMatrix) -> Iterator[tuple[int, str]]:
        """Yield, for every axis with more than one part, its index and the levels on which it lies, in words."""
        for axis, row in enumerate(matrix.rows):
            if max(row) > 1:
                yield axis, where_words(row, self._levels, unlike=self._is_unlike(matrix, axis))

    def factor(self, matrix: ParallelismMatrix, axis: int, level: int, at_most: str = "≤") -> str:
        """Return the number of parts of an axis on a level, prefixed with `at_most` if some units have fewer."""
        row = matrix.rows[axis]
        inner = any(factor > 1 for factor in row[:level])
        return f"{at_most if inner and self._is_unlike(matrix, axis) else ''}{row[level]}"

    def _is_unlike(self, matrix: ParallelismMatrix, axis: int) -> bool:
        """True if some units have fewer parts of an axis than others."""
        return prod(matrix.rows[axis]) != self.axis_sizes[axis]

    @property
    def _axes(self) -> list[Axis]:
        return list(map(Axis, self.axes, self.axis_sizes))

    @property
    def _levels(self) -> list[Level]:
        return [Level(name, 1) for name in self.levels]  # words name levels, factors say how many units


def naming_of(system: System, axes: tuple[Axis, ...]) -> PlacementNames:
    """Return the names of a system's levels and of the axes."""
    return PlacementNames(
        tuple(level.name for level in system.levels),
        tuple(axis.name for axis in axes),
        tuple(axis.size for axis in axes),
    )


def shape_text(parts: Iterable[SizedItem]) -> str:
    """Return levels or axes with their sizes, as used in headings: `node 4 × gpu 8`."""
    return " × ".join(f"{part.name} {part.size}" for part in parts)


def levels_shape(system: System) -> str:
    """Return the levels with their sizes; irregular levels list a size per parent unit, or a range for many parents.

    >>> from p2smt.problem.system.text import find_system
    >>> levels_shape(find_system("node:[5,3]")), levels_shape(find_system("node:9,gpu:[4,4,4,4,4,4,4,4,2]"))
    ('node 2 × gpu [5,3]', 'node 9 × gpu 2 to 4')
    """
    if system.tree is None:
        return shape_text(system.levels)
    pairs = zip(system.levels, system.tree.children, strict=True)
    return " × ".join(f"{level.name} {_sizes_text(counts)}" for level, counts in pairs)


def _sizes_text(counts: tuple[int, ...]) -> str:
    least, most = min(counts), max(counts)
    return counts_text(counts) if least == most or len(counts) <= _FEW_UNITS else f"{least} to {most}"
