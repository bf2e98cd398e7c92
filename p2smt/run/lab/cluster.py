"""Processes for all ranks of a laboratory, started once, that run many plans in sequence."""

from collections.abc import Iterator
from contextlib import contextmanager

from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.model import Problem
from p2smt.reduction.plan.model import Plan
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.names import part_name
from p2smt.run.lab.seats import lab_seats
from p2smt.run.lab.shape import MAX_RANKS, lab_shape
from p2smt.run.local.cluster import LocalCluster
from p2smt.run.local.processes import Processes

MOST_TIMED_BYTES = 4 << 20


class LabCluster(LocalCluster):
    """The ranks of a running laboratory, each on its host; `run` and `time` are inherited from `LocalCluster`.

    A RunError ends the cluster but not the laboratory, in which another cluster may be started.
    """

    def __init__(self, laboratory: Laboratory, *, timeout_s: float = 120.0, debug: bool = False) -> None:
        """Store the parameters; processes start on entering the context."""
        super().__init__(laboratory.shape.devices, timeout_s=timeout_s, debug=debug, max_ranks=MAX_RANKS)
        self.laboratory = laboratory

    def _started(self) -> Processes:
        seats, prefix = lab_seats(self.laboratory), part_name(self.laboratory.lab, "run-")
        return Processes(seats, timeout_s=self.timeout_s, debug=self.debug, prefix=prefix)


def timed_elements(plan: Plan, dtype: str) -> int:
    """Return the default number of elements for timing a plan: its payload, but at most 4 MiB."""
    return min(plan.payload.elements, MOST_TIMED_BYTES // DTYPE_BYTES.get(dtype, 4))


@contextmanager
def laboratory_ranks(problem: Problem, lab: str | None = None) -> Iterator[LabCluster]:
    """Yield a cluster in a new laboratory shaped like the problem's system; both end with the context."""
    with Laboratory(lab_shape(problem.system), lab) as laboratory, LabCluster(laboratory) as cluster:
        yield cluster
