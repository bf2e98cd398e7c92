"""Placements on irregular units, where one axis covers all irregularity and the others divide all units evenly.

A placement is a matrix of the tree's hull in which the existing devices form a full grid of the axes'
coordinates. The irregular axis takes what the other axes leave of every column. On each level, the product of
the other axes' factors divides the size of every unit, and therefore their greatest common divisor. So these
factors are rows of a placement on the uniform hierarchy whose level sizes are these divisors.

    factor of the irregular axis on a level = factor on the divisors * (size of the hull / divisor)
Each axis is tried as the irregular one, so there is one enumeration (`enumeration.py`) for each axis. Whether the
devices form a full grid is then checked device by device.
Complexity: axes x (matrices of the divisors) x devices.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, for uniform hierarchies.

Example: 3 nodes of 8, 8 and 4 GPUs have the divisors 3 and 4, and the hull 3 x 8. With 4 shards of the other axis
inside nodes, the irregular axis has 3 x 1 on the divisors, so 3 x 2 on the hull: 5 coordinates, 2 + 2 + 1.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import gcd, prod

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.reduction_tree import axis_coordinates
from p2smt.problem.model import Problem
from p2smt.problem.system.network import Level
from p2smt.problem.system.tree import Tree
from p2smt.problem.workload import Workload


def divided_problems(problem: Problem | Workload, tree: Tree) -> Iterator[tuple[Problem | Workload, int]]:
    """Yield, for each possible irregular axis, a problem on the divisors, whose placements have the others' rows.

    In it, the irregular axis has the size that the other axes leave.
    """
    divisors = _divisors(tree)
    levels = tuple(Level(level.name, size) for level, size in zip(problem.levels, divisors, strict=True))
    system = replace(problem.system, levels=levels, tree=None, kinds=())
    for number, axis in enumerate(problem.axes):
        left, rest = divmod(prod(divisors), problem.devices // axis.size)
        if not rest:
            axes = (*problem.axes[:number], replace(axis, size=left), *problem.axes[number + 1 :])
            yield replace(problem, system=system, axes=axes), number


def in_hull(matrix: ParallelismMatrix, axis: int, tree: Tree) -> ParallelismMatrix:
    """Return the matrix of the hull for a placement on the divisors; `axis` takes what the other axes leave.

    >>> str(in_hull(ParallelismMatrix(((1, 1), (1, 4))), 0, Tree(((3,), (8, 8, 4)))))
    '1x2/1x4'
    """
    columns = zip(matrix.rows[axis], tree.hull, _divisors(tree), strict=True)
    row = tuple(factor * (size // divisor) for factor, size, divisor in columns)
    return ParallelismMatrix((*matrix.rows[:axis], row, *matrix.rows[axis + 1 :]))


def is_full_grid(matrix: ParallelismMatrix, problem: Problem | Workload, tree: Tree) -> bool:
    """True if every axis has as many coordinates as its size, so that the devices form a full grid."""
    pairs = zip(problem.axes, axis_coordinates(tree, matrix), strict=True)
    return all(axis.size == len(coordinates) for axis, coordinates in pairs)


def _divisors(tree: Tree) -> tuple[int, ...]:
    """Return, per level, the greatest common divisor of the units' sizes."""
    # Factors of the other axes must divide every unit of the level, hence the greatest common divisor of their sizes.
    return tuple(gcd(*counts) for counts in tree.children)
