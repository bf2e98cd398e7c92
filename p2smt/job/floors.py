"""Lower bounds on a job's reductions on a placement that need no search for programs.

    phase >= max(longest floor of a reduction, busiest link with the sums of all floors, memory)
Each term is a lower bound on the same term of every choice of programs, and the time of a phase grows with each of them
(`combination.py`), so the sum over phases bounds the step. `optimize.py` skips a placement whose floor is not below the
best time found.
Complexity: O(links) for each reduction.
Reference: Land and Doig, "An automatic method of solving discrete programming problems", 1960 (branch and bound).
"""

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.above_wire import least_seconds, placement_wire
from p2smt.cost.network.wire import LinkBound
from p2smt.job.phases import ReductionKey, phases_of, reduction_key, together_seconds
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.workload import Workload
from p2smt.reduction.plan.lower import Lowering


class Floors:
    """Lower bounds for one job's reductions, cached for placements on which a reduction costs the same."""

    def __init__(self, workload: Workload) -> None:
        self._workload = workload
        self._phases = phases_of(workload.reductions)
        self._alone: dict[ReductionKey, tuple[float, NDArray[np.float64]]] = {}
        self._wires: dict[ReductionKey, LinkBound] = {}

    def alone(self, number: int, matrix: ParallelismMatrix) -> tuple[float, NDArray[np.float64]]:
        """Return lower bounds for reduction `number`: its seconds, and the busy times of every link and the memory."""
        key = reduction_key(self._workload, number, matrix)
        if key not in self._alone:
            reduction = self._workload.reductions[number]
            seconds, busy = least_seconds(Lowering(self._workload.problem(reduction), matrix), reduction.goal)
            self._alone[key] = seconds, np.array(busy)
        return self._alone[key]

    def wire_seconds(self, matrix: ParallelismMatrix) -> float:
        """Return a lower bound on the seconds per step from link capacities, summed over phases."""
        return sum(self._wire_of_phase(phase, matrix) for phase in self._phases)

    def _wire_of_phase(self, phase: tuple[int, ...], matrix: ParallelismMatrix) -> float:
        network = self._workload.system.network
        longest, busy = 0.0, np.zeros(len(network.links) + 1)
        for number in phase:
            wire = self._wire(number, matrix).times(self._workload.reductions[number].times)
            longest = max(longest, wire.seconds)
            busy += (*wire.busy, 0.0)
        return together_seconds(phase, longest, busy, network.overlap)

    def _wire(self, number: int, matrix: ParallelismMatrix) -> LinkBound:
        key = reduction_key(self._workload, number, matrix)
        if key not in self._wires:
            reduction = self._workload.reductions[number]
            self._wires[key] = placement_wire(Lowering(self._workload.problem(reduction), matrix), reduction.goal)
        return self._wires[key]
