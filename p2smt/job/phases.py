"""Group a job's reductions into concurrent phases, and identify placements on which a reduction costs the same."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from p2smt.job.combination import shared_seconds
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.workload import Reduction, Workload

ReductionKey = tuple[int, tuple[tuple[int, int, int], ...]]
"""A reduction's index, and the digits (level, axis, size) on which its cost depends."""


def phases_of(reductions: Sequence[Reduction]) -> list[tuple[int, ...]]:
    """Return the phases: the indices of reductions that may run at the same time, or of a single reduction."""
    phases: dict[object, list[int]] = {}
    for number, reduction in enumerate(reductions):
        phases.setdefault(reduction.overlap or number, []).append(number)
    return [tuple(numbers) for numbers in phases.values()]


def together_seconds(phase: Sequence[int], longest: float, busy: NDArray[np.float64], overlap: float) -> float:
    """Return the seconds of a phase.

    `longest` is the time of its longest reduction alone, `busy` the total busy times of links and memory.
    """
    return longest if len(phase) == 1 else shared_seconds(longest, busy.tolist(), overlap)


def reduction_key(workload: Workload, number: int, matrix: ParallelismMatrix) -> ReductionKey:
    """Return the reduction's digits, level by level, merging the digits of other axes between them."""
    over = workload.reductions[number].axes
    merged: list[tuple[int, int, int]] = []
    for digit in DeviceMap(matrix).digits:
        axis = digit.axis if digit.axis in over else -1
        if digit.size == 1:
            continue
        if axis < 0 and merged and merged[-1][:2] == (digit.level, -1):
            merged[-1] = (digit.level, -1, merged[-1][2] * digit.size)
        else:
            merged.append((digit.level, axis, digit.size))
    return number, tuple(merged)
