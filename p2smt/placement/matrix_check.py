"""The rules that a parallelism matrix keeps on the levels of a system: products of rows and columns, full grids."""

from math import prod

from p2smt.errors import ProblemError
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.reduction_tree import axis_coordinates
from p2smt.problem.model import Problem
from p2smt.problem.system.tree import Tree
from p2smt.problem.workload import Workload

_ALL = "; p2smt place lists all"


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
    for axis, coordinates in zip(on.axes, axis_coordinates(tree, matrix), strict=True):
        if len(coordinates) != axis.size:
            raise ProblemError(
                f"matrix {matrix}: on the irregular hierarchy {tree}, axis {axis.name} has "
                f"{len(coordinates)} coordinates, not {axis.size}; `p2smt place` lists the matrices"
            )
