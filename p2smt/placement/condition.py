"""Evaluate conditions on a matrix; `placement/condition_rules.py` states the same conditions for the solver."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import Alike, InnerAxis, Off, PinnedAxis, PlacementCondition, Unsplit


def keeps(matrix: ParallelismMatrix, condition: PlacementCondition) -> bool:
    """True if the matrix satisfies the condition.

    >>> matrix = ParallelismMatrix(((1, 4), (4, 4)))
    >>> keeps(matrix, InnerAxis(0, 0)), keeps(matrix, InnerAxis(1, 0)), keeps(matrix, Unsplit(1))
    (True, False, False)
    """
    row = matrix.rows[condition.axis]
    match condition:
        case PinnedAxis(_, level):
            return all(factor == 1 for place, factor in enumerate(row) if place != level)
        case InnerAxis(_, level):
            return all(factor == 1 for factor in row[: level + 1])
        case Off(_, level):
            return row[level] == 1
        case Unsplit(_, levels):
            return sum(row[level] > 1 for level in levels or range(len(row))) <= 1
        case Alike(_, other):
            return row == matrix.rows[other]
        case _:
            assert_never(condition)


def clashing(
    matrices: Sequence[ParallelismMatrix], conditions: Iterable[PlacementCondition]
) -> tuple[PlacementCondition, ...]:
    """Return conditions that none of the matrices keeps together, of which none can be left out; empty if one does.

    >>> matrices = [ParallelismMatrix(((1, 4), (4, 4)))]
    >>> clashing(matrices, [InnerAxis(0, 0), Unsplit(1)])
    (Unsplit(axis=1, levels=()),)
    """
    # Deletion: what is left after each condition was tried without has none that can be left out.
    core = tuple(conditions)
    if any(all(keeps(matrix, each) for each in core) for matrix in matrices):
        return ()
    for condition in core:
        without = tuple(each for each in core if each != condition)
        if not any(all(keeps(matrix, each) for each in without) for matrix in matrices):
            core = without
    return core
