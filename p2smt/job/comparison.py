"""Compare a job's best placement with others, reduction by reduction."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.job.job_pricer import PlacementTime, ReductionTime
from p2smt.job.optimize import Optimum
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.system.network import System

MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Column:
    """A placement in the comparison, with its labels, such as "best", "next best" or "tp innermost"."""

    labels: tuple[str, ...]
    placement: PlacementTime


def compared(optimum: Optimum, also: Sequence[ParallelismMatrix] = ()) -> tuple[Column, ...]:
    """Return the best placement, those in `also`, the next best, and for every axis the fastest with it innermost.

    An axis is innermost if its factor on the innermost level is maximal, then on the level above, and so on.
    Equal placements are listed once.
    """
    placements = optimum.placements
    asked = dict.fromkeys(also, "asked for")
    labels: dict[ParallelismMatrix, list[str]] = {placements[0].matrix: ["best"]}
    for one in placements:
        if one.matrix in asked:
            labels.setdefault(one.matrix, []).append(asked[one.matrix])
    for one in placements[1:2]:
        labels.setdefault(one.matrix, []).append("next best")
    for number, axis in enumerate(optimum.workload.axes):
        if axis.size > 1:
            labels.setdefault(_innermost(placements, number).matrix, []).append(f"{axis.name} innermost")
    by_matrix = {one.matrix: one for one in placements}
    return tuple(Column(tuple(why), by_matrix[matrix]) for matrix, why in labels.items())


def bottleneck(system: System, time: ReductionTime) -> str:
    """Return the name of the link that is busy longest, or "memory"; empty if nothing is busy."""
    names = (*(link.name for link in system.network.links), MEMORY)
    busy = time.candidate.busy
    return names[busy.index(max(busy))] if any(busy) else ""


def _innermost(placements: Sequence[PlacementTime], axis: int) -> PlacementTime:
    """Return the fastest of the placements that have an axis as far inside as possible."""
    # Reversed rows compare the innermost level first.
    most = max(one.matrix.rows[axis][::-1] for one in placements)
    return next(one for one in placements if one.matrix.rows[axis][::-1] == most)
