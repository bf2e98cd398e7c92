"""Reductions of a job that may run at the same time, and placements on which one costs the same."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from p2smt.job.combination import shared_seconds
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.workload import Reduction, Workload

ReductionKey = tuple[int, tuple[tuple[int, int, int], ...]]
"""A reduction's number, and the digits (level, axis, size) that its cost depends on."""


def phases_of(reductions: Sequence[Reduction]) -> list[tuple[int, ...]]:
    """The numbers of the reductions that may run at the same time; the others alone."""
    phases: dict[object, list[int]] = {}
    for number, reduction in enumerate(reductions):
        phases.setdefault(reduction.overlap or number, []).append(number)
    return [tuple(numbers) for numbers in phases.values()]


def together_seconds(phase: Sequence[int], longest: float, busy: NDArray[np.float64], overlap: float) -> float:
    """Seconds of a phase whose longest reduction takes so long alone; `busy` are links and memory, for all together."""
    return longest if len(phase) == 1 else shared_seconds(longest, busy.tolist(), overlap)


def reduction_key(workload: Workload, number: int, matrix: ParallelismMatrix) -> ReductionKey:
    """The digits of a reduction's own axes, and between them the product of the others, level by level."""
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
