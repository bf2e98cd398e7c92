"""Placements on units of unlike size: one axis takes what is unlike, every other one divides all units alike.

A placement is a matrix of the tree's hull on which the devices that there are make a full grid of the axes'
coordinates. The axis that takes what is unlike has what the others leave of every column. The factors of all others
together divide the size of every unit of their level, and so the greatest common divisor of these sizes: they are the
rows of a placement on a uniform hierarchy with the divisors for sizes.
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
    """Every axis that can take what is unlike, with the problem on the divisors whose placements have the others' rows.

    In it the axis has what is left of the divisors.
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
    """The matrix of the hull that a placement on the divisors stands for: the axis takes what the others leave.

    >>> str(in_hull(ParallelismMatrix(((1, 1), (1, 4))), 0, Tree(((3,), (8, 8, 4)))))
    '1x2/1x4'
    """
    columns = zip(matrix.rows[axis], tree.hull, _divisors(tree), strict=True)
    row = tuple(factor * (size // divisor) for factor, size, divisor in columns)
    return ParallelismMatrix((*matrix.rows[:axis], row, *matrix.rows[axis + 1 :]))


def is_full_grid(matrix: ParallelismMatrix, problem: Problem | Workload, tree: Tree) -> bool:
    """True if every axis has as many coordinates as its size; the sizes multiply to the number of devices."""
    pairs = zip(problem.axes, axis_coordinates(tree, matrix), strict=True)
    return all(axis.size == len(coordinates) for axis, coordinates in pairs)


def _divisors(tree: Tree) -> tuple[int, ...]:
    """Per level what divides the size of every unit."""
    # Factors of the other axes must divide every unit of the level, hence the greatest common divisor of their sizes.
    return tuple(gcd(*counts) for counts in tree.children)
