"""The four synthesis hierarchies over which a reduction program can be formed (paper, section 3.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from p2smt.errors import ProblemError
from p2smt.placement.digits import DeviceMap, Digit
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.reduction_tree import reduction_tree
from p2smt.placement.tree import Shape
from p2smt.problem.model import HierarchyKind, Problem
from p2smt.problem.system.network import Level
from p2smt.problem.system.tree import Tree


@dataclass(frozen=True, slots=True)
class SynthesisLevel:
    """One level of a synthesis hierarchy.

    `digits` are positions of digits in device numbers, most significant first. `reduces` is true if all of them
    belong to reduction axes, and `reduces_some` if any does.
    """

    name: str
    size: int
    digits: tuple[int, ...]
    reduces: bool
    reduces_some: bool


@dataclass(frozen=True, slots=True)
class SynthesisHierarchy:
    """Levels of size >= 2, outermost first, below an implicit root of size 1.

    On irregular units, `tree` describes the devices that reduce together, unless they are regular; a level then
    has the size of its largest unit.
    """

    levels: tuple[SynthesisLevel, ...]
    tree: Tree | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The size of every level."""
        return tuple(level.size for level in self.levels)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every level, root first."""
        return ("root", *(level.name for level in self.levels))

    @property
    def shape(self) -> Shape:
        """The shape over which programs are formed: the sizes of the reduction levels, or the tree."""
        return tuple(level.size for level in self.reduction_levels) if self.tree is None else self.tree

    @property
    def reduction_levels(self) -> tuple[SynthesisLevel, ...]:
        """The levels that contain reduction axes, over which programs are formed."""
        return tuple(level for level in self.levels if level.reduces_some)


def synthesis_hierarchy(problem: Problem, matrix: ParallelismMatrix) -> SynthesisHierarchy:
    """Return the hierarchy selected by the problem's search options.

    (a) the levels of the system; (b) the factors of the matrix column by column; (c) row by row; (d) the
    factors of the reduction axes only. With `collapse`, (d) joins the factors on one hardware level, with the
    lower axis number more significant: rows (1 2 3), (4 5 6), (7 8 9) with a reduction over rows 0 and 2 yield
    sizes 7, 16, 27 (paper, table 1). Levels of size 1 are dropped. On irregular units, raises ProblemError for
    other hierarchies than (d), and if reduction groups differ.
    """
    digits = list(enumerate(DeviceMap(matrix).digits))
    # `by_row` orders the factors axis by axis, for hierarchy (c).
    by_row = sorted(digits, key=lambda entry: (entry[1].axis, entry[1].level))
    reduction = [entry for entry in by_row if entry[1].axis in problem.reduce]
    match problem.search.hierarchy:
        case HierarchyKind.SYSTEM:
            parts = _by_level(problem, digits)
        case HierarchyKind.COLUMNS:
            parts = [[entry] for entry in digits]
        case HierarchyKind.ROWS:
            parts = [[entry] for entry in by_row]
        case HierarchyKind.REDUCTION if problem.search.collapse:
            parts = _by_level(problem, sorted(reduction))
        case HierarchyKind.REDUCTION:
            parts = [[entry] for entry in reduction]
    levels = tuple(level for part in parts for level in _level(problem, part))
    return SynthesisHierarchy(levels, _tree(problem, matrix, levels))


def _tree(problem: Problem, matrix: ParallelismMatrix, levels: Sequence[SynthesisLevel]) -> Tree | None:
    """Return the tree of the devices that reduce together; None if they are regular."""
    tree = problem.system.tree
    if tree is None or not levels:
        return None
    if problem.search.hierarchy is not HierarchyKind.REDUCTION:
        raise ProblemError(
            f"on an irregular hierarchy, programs are searched on hierarchy {HierarchyKind.REDUCTION}, "
            f"not on {problem.search.hierarchy}; leave --hierarchy out"
        )
    sizes = [digit.size for digit in DeviceMap(matrix).digits]
    reduced = reduction_tree(tree, sizes, [level.digits for level in levels])
    return None if reduced.is_uniform else reduced


def reduction_names(levels: Sequence[Level], matrix: ParallelismMatrix, reduce: Sequence[int]) -> tuple[str, ...]:
    """Return the level names of the collapsed hierarchy (d), root first: levels that contain the axes `reduce`.

    >>> reduction_names([Level("node", 4), Level("gpu", 4)], ParallelismMatrix(((4, 1), (1, 4))), [1])
    ('root', 'gpu')
    """
    factors = (prod(matrix.rows[axis][number] for axis in reduce) for number in range(len(levels)))
    return ("root", *(level.name for level, factor in zip(levels, factors, strict=True) if factor > 1))


def _by_level(problem: Problem, digits: Sequence[tuple[int, Digit]]) -> list[list[tuple[int, Digit]]]:
    return [[entry for entry in digits if entry[1].level == j] for j in range(len(problem.levels))]


def _level(problem: Problem, part: Sequence[tuple[int, Digit]]) -> list[SynthesisLevel]:
    real = [(place, digit) for place, digit in part if digit.size > 1]
    if not real:
        return []
    name = problem.levels[real[0][1].level].name
    if problem.search.hierarchy is not HierarchyKind.SYSTEM and not _has_level_to_itself(problem):
        name = f"{name}.{problem.axes[real[0][1].axis].name}"
    reduces = [digit.axis in problem.reduce for _, digit in real]
    places = tuple(place for place, _ in real)
    size = prod(digit.size for _, digit in real)
    return [SynthesisLevel(name, size, places, reduces=all(reduces), reduces_some=any(reduces))]


def _has_level_to_itself(problem: Problem) -> bool:
    if problem.search.hierarchy is not HierarchyKind.REDUCTION:
        return False
    return problem.search.collapse or len(problem.reduce) == 1
