"""Consistency of a job's conditions: some placement, with some choice of programs, keeps all of them.

Method: placements that keep the conditions on placements are enumerated by the solver, and of each the smallest sets of
communicators (`JobPricer.smallest_communicators`) are held to the limits on programs: sets that contain another one
need no look, since limits only forbid more. Answers have the form that the search for smallest cores (`smt/cores.py`)
asks for: a placement, or the numbers of conditions that no placement keeps together.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from p2smt.cost.network.backend import Cost
from p2smt.job.candidate import Communicators
from p2smt.job.communicator_limits import communicator_bytes, digit_sizes, keeps_limit
from p2smt.job.job_pricer import JobPricer
from p2smt.placement.conditioned import ConditionedPlacements
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import Condition, FewCommunicators, LittleMemory, PlacementCondition, ProgramCondition
from p2smt.problem.model import Axis
from p2smt.problem.workload import Workload
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Answer, Sat, Stop, Unknown, Unsat
from p2smt.smt.deadlines import is_over

_LATE = Unknown("time is up", Stop.DEADLINE)


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

    def ask(self, numbers: Sequence[int]) -> Answer[ParallelismMatrix]:
        """A placement that keeps the conditions of these numbers, or those of the numbers that are unsatisfiable.

        Raises KeyboardInterrupt where Ctrl-C ended a search for programs.
        """
        if is_over(self._deadline):
            return _LATE
        if self._limits(numbers):
            return self.first(numbers)
        answer = self._placements.ask(self._placing(numbers), self._deadline)
        return Unsat(frozenset(self._places[place] for place in answer.core)) if isinstance(answer, Unsat) else answer

    def first(self, numbers: Sequence[int]) -> Answer[ParallelismMatrix]:
        """The first placement, in ascending order, that keeps the conditions of these numbers.

        Other than `ask`, which gives any placement, it looks at one after the other.
        """
        limits = self._limits(numbers)
        if not limits:
            placements = self._placements.all(self._placing(numbers), self._deadline)
            if not placements.complete:
                return _ended(placements.stop, placements.reason)
            return Sat(min(placements.items)) if placements.items else Unsat(frozenset(numbers))
        for placed in self._sets(numbers):
            if isinstance(placed, Unknown):
                return placed
            matrix, sets = placed
            if any(all(keeps_limit(some, digit_sizes(matrix), one) for one in limits) for some in sets):
                return Sat(matrix)
        return Unsat(frozenset(numbers))

    def everything(self, but: Collection[int] = ()) -> Answer[ParallelismMatrix]:
        """The answer to the question if all conditions but some are consistent."""
        return self.ask([number for number in range(len(self.workload.conditions)) if number not in but])

    def replaced(self, number: int, condition: Condition) -> "Possible":
        """The same question with one condition replaced."""
        conditions = [condition if n == number else one for n, one in enumerate(self.workload.conditions)]
        return self._about(replace(self.workload, conditions=tuple(conditions)))

    def resized(self, axes: tuple[Axis, ...]) -> "Possible":
        """The same question with other sizes of the axes."""
        return self._about(replace(self.workload, axes=axes))

    def _about(self, workload: Workload) -> "Possible":
        return Possible(workload, self._cost, self._deadline, self._synthesizer)

    def least_limit(self, number: int) -> ProgramCondition | Unsat | Unknown:
        """The smallest limit in the place of limit `number` with which all are consistent."""
        others = [n for n in range(len(self.workload.conditions)) if n != number]
        limits, counts = self._limits(others), isinstance(self.workload.conditions[number], FewCommunicators)
        amounts: list[int] = []
        for placed in self._sets(others):
            if isinstance(placed, Unknown):
                return placed
            matrix, sets = placed
            amounts += (
                len(some) if counts else communicator_bytes(some, digit_sizes(matrix))
                for some in sets
                if all(keeps_limit(some, digit_sizes(matrix), one) for one in limits)
            )
        if not amounts:
            return Unsat(frozenset(others))
        return FewCommunicators(min(amounts)) if counts else LittleMemory(min(amounts))

    def _sets(self, numbers: Sequence[int]) -> Iterator[tuple[ParallelismMatrix, tuple[Communicators, ...]] | Unknown]:
        """The placements that keep the conditions of these numbers on them, and the communicators that they need.

        The last is an Unknown where there may be more.
        """
        placements = self._placements.all(self._placing(numbers), self._deadline)
        for matrix in placements.items:
            if is_over(self._deadline):
                yield _LATE
                return
            stop, reason = self._pricer.sets_ending(matrix)
            if stop is not Stop.EXHAUSTED:
                yield _ended(stop, reason)
                return
            yield matrix, self._pricer.smallest_communicators(matrix)
        if not placements.complete:
            yield _ended(placements.stop, placements.reason)

    def _placing(self, numbers: Collection[int]) -> list[int]:
        return [place for place, number in enumerate(self._places) if number in numbers]

    def _limits(self, numbers: Collection[int]) -> list[ProgramCondition]:
        some = (self.workload.conditions[number] for number in numbers)
        return [one for one in some if isinstance(one, ProgramCondition)]


def _ended(stop: Stop, reason: str) -> Unknown:
    """The reason why a search ended early; Ctrl-C is raised again."""
    if stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    return Unknown(reason or stop, stop)
