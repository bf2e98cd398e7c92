"""Find placements that satisfy conditions, and unsatisfiable subsets of conditions."""

from collections.abc import Sequence

from p2smt.placement.condition import keeps
from p2smt.placement.condition_rules import ConditionedTables
from p2smt.placement.enumeration import Placeable, exponent_tables, matrix_of, primes_of
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import PlacementCondition
from p2smt.smt.answer import Answer, Enumeration, Sat


class ConditionedPlacements:
    """The placements of a problem or job under subsets of conditions, given by their indices."""

    def __init__(self, problem: Placeable, conditions: Sequence[PlacementCondition]) -> None:
        self._problem = problem
        self._conditions = tuple(conditions)
        self._primes = primes_of(problem)
        tables = [exponent_tables(problem, prime) for prime in self._primes]
        self._tables = ConditionedTables(tables, conditions)

    def ask(self, numbers: Sequence[int], deadline: float | None = None) -> Answer[ParallelismMatrix]:
        """Return a placement that satisfies these conditions, or the indices of an unsatisfiable subset."""
        answer = self._tables.ask(numbers, deadline)
        if not isinstance(answer, Sat):
            return answer
        return Sat(self._replayed(matrix_of(self._problem, self._primes, answer.model), numbers))

    def all(self, numbers: Sequence[int], deadline: float | None = None) -> Enumeration[ParallelismMatrix]:
        """Return every placement that satisfies these conditions, ascending; `deadline` as for `all_placements`."""
        found = self._tables.all(numbers, deadline)
        matrices = (matrix_of(self._problem, self._primes, tables) for tables in found.items)
        return Enumeration(tuple(sorted(self._replayed(m, numbers) for m in matrices)), found.stop, found.reason)

    def _replayed(self, matrix: ParallelismMatrix, numbers: Sequence[int]) -> ParallelismMatrix:
        broken = [self._conditions[n] for n in numbers if not keeps(matrix, self._conditions[n])]
        assert not broken, f"the solver's placement {matrix} breaks {broken}"
        return matrix
