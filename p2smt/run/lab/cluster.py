"""All ranks of a laboratory, started once, that run many plans one after the other."""

from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.names import part_name
from p2smt.run.lab.seats import lab_seats
from p2smt.run.lab.shape import MAX_RANKS
from p2smt.run.local.cluster import Cluster
from p2smt.run.local.processes import Processes


class LabCluster(Cluster):
    """The ranks of a laboratory that is up, each on its host; `run` and `time` are those of `Cluster`.

    After a RunError the cluster has ended; the laboratory has not, and another cluster may be started in it.
    """

    def __init__(self, laboratory: Laboratory, *, timeout_s: float = 120.0, debug: bool = False) -> None:
        """Start nothing yet."""
        super().__init__(laboratory.shape.devices, timeout_s=timeout_s, debug=debug, max_ranks=MAX_RANKS)
        self.laboratory = laboratory

    def _started(self) -> Processes:
        seats, prefix = lab_seats(self.laboratory), part_name(self.laboratory.lab, "run-")
        return Processes(seats, timeout_s=self.timeout_s, debug=self.debug, prefix=prefix)
