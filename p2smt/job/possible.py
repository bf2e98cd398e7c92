"""Which conditions of a job are consistent: some placement, with some choice of programs, keeps all of them."""

import time
from collections.abc import Collection, Iterator
from dataclasses import replace

from p2smt.cost.network.backend import Cost
from p2smt.job.candidate import Communicators
from p2smt.job.job_pricer import JobPricer, communicator_bytes, digit_sizes, keeps_limit
from p2smt.placement.conditioned import ConditionedPlacements
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import Condition, FewCommunicators, LittleMemory, PlacementCondition, ProgramCondition
from p2smt.problem.model import Axis
from p2smt.problem.workload import Workload
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop
from p2smt.smt.cores import GaveUpError


class Possible:
    """Asks for a job's conditions, which go by their numbers: the solver for placements, then programs one by one."""

    def __init__(
        self, workload: Workload, cost: Cost, deadline: float | None, synthesizer: Synthesizer | None = None
    ) -> None:
        self.workload = workload
        self._deadline = deadline
        self._cost = cost
        self._places = [n for n, one in enumerate(workload.conditions) if isinstance(one, PlacementCondition)]
        placing = [one for one in workload.conditions if isinstance(one, PlacementCondition)]
        self._placements = ConditionedPlacements(workload, placing)
        self._synthesizer = synthesizer or Synthesizer()
        self._pricer = JobPricer(workload, cost, deadline, self._synthesizer)

    def ask(self, numbers: Collection[int]) -> ParallelismMatrix | frozenset[int]:
        """A placement that keeps the conditions of these numbers, or an unsatisfiable core of the numbers.

        Raises GaveUpError after the deadline, or when the solver does not know.
        """
        self._keep_time()
        if not self._limits(numbers):
            found = self._placements.ask(self._placing(numbers), self._deadline)
            if isinstance(found, frozenset):
                return frozenset(self._places[place] for place in found)
            return found
        return self.first(numbers) or frozenset(numbers)

    def first(self, numbers: Collection[int]) -> ParallelismMatrix | None:
        """The first placement, in ascending order, that keeps the conditions of these numbers; None if none does.

        Raises GaveUpError as `ask` does. Other than `ask`, which gives any placement, it looks at one after the other.
        """
        limits = self._limits(numbers)
        if not limits:
            found = self._placements.all(self._placing(numbers), self._deadline)
            if not found.complete:
                raise GaveUpError(found.reason)
            return min(found.items, default=None)
        for matrix, sets in self._sets(numbers):
            if any(all(keeps_limit(some, digit_sizes(matrix), one) for one in limits) for some in sets):
                return matrix
        return None

    def everything(self, but: Collection[int] = ()) -> bool:
        """Whether all conditions are consistent, but for some."""
        return not isinstance(self.ask([n for n in range(len(self.workload.conditions)) if n not in but]), frozenset)

    def replaced(self, number: int, condition: Condition) -> "Possible":
        """The same with another condition in the place of one."""
        conditions = [condition if n == number else one for n, one in enumerate(self.workload.conditions)]
        return self._about(replace(self.workload, conditions=tuple(conditions)))

    def resized(self, axes: tuple[Axis, ...]) -> "Possible":
        """The same with axes of other sizes."""
        return self._about(replace(self.workload, axes=axes))

    def _about(self, workload: Workload) -> "Possible":
        return Possible(workload, self._cost, self._deadline, self._synthesizer)

    def least_limit(self, number: int) -> ProgramCondition | None:
        """The smallest limit in the place of limit `number` with which all are consistent; None if none does."""
        others = [n for n in range(len(self.workload.conditions)) if n != number]
        limits, counts = self._limits(others), isinstance(self.workload.conditions[number], FewCommunicators)
        amounts = [
            len(some) if counts else communicator_bytes(some, digit_sizes(matrix))
            for matrix, sets in self._sets(others)
            for some in sets
            if all(keeps_limit(some, digit_sizes(matrix), one) for one in limits)
        ]
        if not amounts:
            return None
        return FewCommunicators(min(amounts)) if counts else LittleMemory(min(amounts))

    def _sets(self, numbers: Collection[int]) -> Iterator[tuple[ParallelismMatrix, tuple[Communicators, ...]]]:
        """The placements that keep the conditions of these numbers on them, and the communicators that they need."""
        found = self._placements.all(self._placing(numbers), self._deadline)
        for matrix in found.items:
            self._keep_time()
            stop, reason = self._pricer.ending(matrix)
            if stop is not Stop.EXHAUSTED:
                raise GaveUpError(reason or stop)
            yield matrix, self._pricer.smallest_communicators(matrix)
        if not found.complete:
            raise GaveUpError(found.reason)

    def _placing(self, numbers: Collection[int]) -> list[int]:
        return [place for place, number in enumerate(self._places) if number in numbers]

    def _limits(self, numbers: Collection[int]) -> list[ProgramCondition]:
        some = (self.workload.conditions[number] for number in numbers)
        return [one for one in some if isinstance(one, ProgramCondition)]

    def _keep_time(self) -> None:
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise GaveUpError("deadline")
