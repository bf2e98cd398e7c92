"""Parallelism matrices: the factor of every axis on every level (paper, section 3.1)."""

import re
from dataclasses import dataclass
from math import prod

from p2smt.errors import ProblemError
from p2smt.problem.model import Problem
from p2smt.problem.system.tree import Tree
from p2smt.problem.workload import Workload

_ALL = "; p2smt place lists all"
_TEXT = re.compile(r"[1-9][0-9]{0,9}(x[1-9][0-9]{0,9})*(/[1-9][0-9]{0,9}(x[1-9][0-9]{0,9})*)*")


@dataclass(frozen=True, slots=True, order=True)
class ParallelismMatrix:
    """A placement; `rows[i][j]` >= 1 is the factor of axis `i` on level `j`.

    For a problem with level sizes `h` and axis sizes `p`: `prod(rows[i]) == p[i]` and `prod(row[j] for row in
    rows) == h[j]` (paper, equations 1 and 2).
    """

    rows: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        """Return the rows separated by slashes.

        >>> str(ParallelismMatrix(((1, 4), (4, 4))))
        '1x4/4x4'
        """
        return "/".join("x".join(map(str, row)) for row in self.rows)


def parse_matrix(text: str) -> ParallelismMatrix:
    """Parse a matrix written by `str`.

    >>> parse_matrix("1x4/4x4").rows
    ((1, 4), (4, 4))
    """
    if not _TEXT.fullmatch(text):
        raise ProblemError(f"matrix {text[:80]!r} does not parse; write one row per axis such as 1x4/4x4")
    return ParallelismMatrix(tuple(tuple(map(int, row.split("x"))) for row in text.split("/")))


def check_matrix(matrix: ParallelismMatrix, on: Problem | Workload) -> None:
    """Raise ProblemError unless the matrix is a placement of the axes of a problem or a job."""
    levels, axes = on.levels, on.axes
    if len(matrix.rows) != len(axes) or any(len(row) != len(levels) for row in matrix.rows):
        raise ProblemError(
            f"matrix {matrix} does not fit; {len(axes)} axes on {len(levels)} levels "
            f"need {len(axes)} rows of {len(levels)} factors"
        )
    for axis, row in zip(axes, matrix.rows, strict=True):
        if prod(row) != axis.size and on.system.tree is None:
            raise ProblemError(
                f"matrix {matrix}: row of axis {axis.name} multiplies to {prod(row)}, not {axis.size}{_ALL}"
            )
    for level, column in zip(levels, zip(*matrix.rows, strict=True), strict=True):
        if prod(column) != level.size:
            raise ProblemError(
                f"matrix {matrix}: column of level {level.name} multiplies to {prod(column)}, not {level.size}{_ALL}"
            )
    if on.system.tree is not None:
        _check_on_tree(matrix, on, on.system.tree)


def _check_on_tree(matrix: ParallelismMatrix, on: Problem | Workload, tree: Tree) -> None:
    """Raise ProblemError unless every axis has as many coordinates as its size, so that devices form a full grid."""
    from p2smt.placement.reduction_tree import axis_coordinates

    for axis, coordinates in zip(on.axes, axis_coordinates(tree, matrix), strict=True):
        if len(coordinates) != axis.size:
            raise ProblemError(
                f"matrix {matrix}: on the irregular hierarchy {tree}, axis {axis.name} has "
                f"{len(coordinates)} coordinates, not {axis.size}; `p2smt place` lists the matrices"
            )
