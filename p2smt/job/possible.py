"""Decide if a job's conditions are consistent: some placement satisfies all of them with some choice of programs.

Method: the solver enumerates the placements that satisfy the placement conditions. For each, the minimal sets
of communicators (`JobPricer.smallest_communicators`) are checked against the limits on programs; supersets need
no check, since limits are monotone. Answers have the form required by the search for minimal cores
(`smt/cores.py`): a placement, or the indices of conditions that are unsatisfiable together.

    possible = some placement that satisfies the placement conditions has a minimal set of communicators within limits.

Complexity: one query for each placement, until one has programs.
Reference: Liffiton et al., "Fast, flexible MUS enumeration", 2016 (cores over monotone oracles).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from p2smt.cost.network.cost import Cost
from p2smt.job.candidate import Communicators
from p2smt.job.communicator_limits import communicator_bytes, digit_sizes, keeps_limit
from p2smt.job.job_pricer import JobPricer
from p2smt.placement.conditioned import ConditionedPlacements
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import Condition, FewCommunicators, LittleMemory, PlacementCondition, ProgramCondition
from p2smt.problem.model import Axis
from p2smt.problem.workload import Workload
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Answer, NoAnswer, Sat, Stop, Unsat
from p2smt.smt.deadlines import is_over

_LATE = NoAnswer("time is up", Stop.DEADLINE)


class Possible:
    """Decides the consistency of subsets of a job's conditions, given by their indices."""

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
        """Return a placement that satisfies these conditions, or the indices of an unsatisfiable subset.

        Raises KeyboardInterrupt if Ctrl-C ended a search for programs.
        """
        if is_over(self._deadline):
            return _LATE
        if self._limits(numbers):
            return self.first(numbers)
        answer = self._placements.ask(self._placing(numbers), self._deadline)
        return Unsat(frozenset(self._places[place] for place in answer.core)) if isinstance(answer, Unsat) else answer

    def first(self, numbers: Sequence[int]) -> Answer[ParallelismMatrix]:
        """Return the smallest placement that satisfies these conditions.

        Unlike `ask`, which returns any placement, it examines placements in ascending order.
        """
        limits = self._limits(numbers)
        if not limits:
            placements = self._placements.all(self._placing(numbers), self._deadline)
            if not placements.complete:
                return _ended(placements.stop, placements.reason)
            return Sat(min(placements.items)) if placements.items else Unsat(frozenset(numbers))
        for placed in self._sets(numbers):
            if isinstance(placed, NoAnswer):
                return placed
            matrix, sets = placed
            if any(all(keeps_limit(some, digit_sizes(matrix), one) for one in limits) for some in sets):
                return Sat(matrix)
        return Unsat(frozenset(numbers))

    def everything(self, but: Collection[int] = ()) -> Answer[ParallelismMatrix]:
        """Decide if all conditions except `but` are consistent."""
        return self.ask([number for number in range(len(self.workload.conditions)) if number not in but])

    def replaced(self, number: int, condition: Condition) -> "Possible":
        """Return a checker of the job with one condition replaced."""
        conditions = [condition if n == number else one for n, one in enumerate(self.workload.conditions)]
        return self._about(replace(self.workload, conditions=tuple(conditions)))

    def resized(self, axes: tuple[Axis, ...]) -> "Possible":
        """Return a checker of the job with other axis sizes."""
        return self._about(replace(self.workload, axes=axes))

    def _about(self, workload: Workload) -> "Possible":
        return Possible(workload, self._cost, self._deadline, self._synthesizer)

    def least_limit(self, number: int) -> ProgramCondition | Unsat | NoAnswer:
        """Return the smallest value of limit `number` with which all conditions are consistent."""
        others = [n for n in range(len(self.workload.conditions)) if n != number]
        limits, counts = self._limits(others), isinstance(self.workload.conditions[number], FewCommunicators)
        amounts: list[int] = []
        for placed in self._sets(others):
            if isinstance(placed, NoAnswer):
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

    def _sets(self, numbers: Sequence[int]) -> Iterator[tuple[ParallelismMatrix, tuple[Communicators, ...]] | NoAnswer]:
        """Yield the placements that satisfy these placement conditions, with their minimal sets of communicators.

        The last item is a NoAnswer if there may be further placements.
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


def _ended(stop: Stop, reason: str) -> NoAnswer:
    """Return the reason why a search ended early; Ctrl-C is raised again."""
    if stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    return NoAnswer(reason or stop, stop)
