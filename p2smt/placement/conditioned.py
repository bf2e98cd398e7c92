"""The placements that keep conditions, and which conditions are inconsistent."""

from collections.abc import Collection, Sequence

from p2smt.placement.condition import keeps
from p2smt.placement.condition_rules import ConditionedTables
from p2smt.placement.enumeration import Placeable, exponent_tables, matrix_of, primes_of
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import PlacementCondition
from p2smt.smt.answer import Enumeration


class ConditionedPlacements:
    """The placements of a problem or job under some of these conditions, which go by their numbers."""

    def __init__(self, problem: Placeable, conditions: Sequence[PlacementCondition]) -> None:
        self._problem = problem
        self._conditions = tuple(conditions)
        self._primes = primes_of(problem)
        tables = [exponent_tables(problem, prime) for prime in self._primes]
        self._tables = ConditionedTables(tables, conditions)

    def ask(self, numbers: Collection[int], deadline: float | None = None) -> ParallelismMatrix | frozenset[int]:
        """A placement that keeps the conditions of these numbers, or an unsatisfiable core of the numbers.

        Raises GaveUpError when the solver does not know.
        """
        found = self._tables.ask(numbers, deadline)
        if isinstance(found, frozenset):
            return found
        return self._replayed(matrix_of(self._problem, self._primes, found), numbers)

    def all(self, numbers: Collection[int], deadline: float | None = None) -> Enumeration[ParallelismMatrix]:
        """Every placement that keeps the conditions of these numbers, ascending; `deadline` as `all_placements`."""
        found = self._tables.all(numbers, deadline)
        matrices = (matrix_of(self._problem, self._primes, tables) for tables in found.items)
        return Enumeration(tuple(sorted(self._replayed(m, numbers) for m in matrices)), found.stop, found.reason)

    def _replayed(self, matrix: ParallelismMatrix, numbers: Collection[int]) -> ParallelismMatrix:
        broken = [self._conditions[n] for n in numbers if not keeps(matrix, self._conditions[n])]
        assert not broken, f"the solver's placement {matrix} breaks {broken}"
        return matrix
