"""Price a job on a user's axis order or mesh."""

from dataclasses import dataclass

from p2smt.cost.network.cost import Cost
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum
from p2smt.job.orders import numbering_matters, order_seconds
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.mesh_reading import MeshReading
from p2smt.problem.quantity import format_seconds
from p2smt.problem.workload import Workload


@dataclass(frozen=True, slots=True)
class MeshPrice:
    """Seconds per step, and notes; `seconds` is None if there is no matrix or no program."""

    seconds: float | None
    notes: tuple[str, ...] = ()


def mesh_price(reading: MeshReading, optimum: Optimum, cost: Cost) -> MeshPrice:
    """Return the price of a mesh with its own device numbering, even if it violates the job's conditions."""
    matrix = reading.matrix
    if matrix is None:
        return MeshPrice(None)
    workload, notes = optimum.workload, []
    seconds = next((one.seconds for one in optimum.placements if one.matrix == matrix), None)
    if seconds is None:
        if optimum.proved:
            notes.append("this matrix does not keep the job's conditions")
        workload = workload.without_conditions()
        # The user asked for this placement, so conditions do not forbid its price.
        seconds = _unconditioned_seconds(workload, cost, matrix)
    if reading.exact or not numbering_matters(cost.system):
        return MeshPrice(seconds, tuple(notes))
    if reading.order is None:
        notes.append("the time is that of p2smt's own device numbers inside units; on this system numbers can matter")
        return MeshPrice(seconds, tuple(notes))
    own = order_seconds(workload, cost, reading.order, matrix)
    # Equal up to rounding: sums in another order.
    if own is not None and abs(own - seconds) > 1e-9 * seconds:
        notes.append(f"with p2smt's own device numbers inside units, matrix {matrix} takes {format_seconds(seconds)}")
    return MeshPrice(own, tuple(notes))


def _unconditioned_seconds(workload: Workload, cost: Cost, matrix: ParallelismMatrix) -> float:
    placement = JobPricer(workload, cost).placement(matrix)
    assert placement is not None, "nothing is refused without conditions"
    return placement.seconds
