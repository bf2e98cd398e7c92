"""Solver encoding of placements under conditions, over the exponent tables of all primes at once.

A factor is the product of `prime ** exponent` over all primes. It is therefore 1 if all its exponents are 0,
and two factors are equal if all their exponents are.

With e[p][a][l] the exponent of prime p in the factor of axis a on level l, and
    one(a, l)  =  e[p][a][l] = 0 for all p,
the conditions are (`condition_term`)
    pinned to level j     one(a, l) for all l other than j
    inside level j        one(a, l) for all l <= j
    not on level j        one(a, j)
    unsplit               one(a, l) or one(a, l') for every pair of levels l, l'
    two axes alike        e[p][a][l] = e[p][b][l] for all p and l
Size: O(bits of all exponents) for each condition, squared in the number of levels for unsplit axes.
Reference: Een and Sorensson, "Translating pseudo-Boolean constraints into SAT", 2006.

Example: an axis of 4 on levels of 2 and 4 has the exponents (0, 2) or (1, 1) of 2. Unsplit leaves (0, 2) alone.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import assert_never

from p2smt.placement.exponents import ExponentTables, Table
from p2smt.problem.condition import Alike, InnerAxis, Off, PinnedAxis, PlacementCondition, Unsplit
from p2smt.smt.answer import Answer, Enumeration, Sat
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.query import Query, all_codes
from p2smt.smt.terms import Bool, Term, conj, constants, disj, iff, implies, neg

Tables = tuple[Table, ...]
"""One table of exponents per prime."""


class ConditionedTables:
    """The exponent tables of all primes, with a term for every condition."""

    def __init__(self, tables: Sequence[ExponentTables], conditions: Sequence[PlacementCondition]) -> None:
        self._tables = tuple(tables)
        self._demands = [condition_term(condition, self._tables) for condition in conditions]

    @Interruptible()
    def ask(self, numbers: Sequence[int], deadline: float | None = None) -> Answer[Tables]:
        """Return tables that satisfy the conditions with these indices, or the indices of an unsatisfiable subset."""
        literals = dict(zip(numbers, constants("condition", len(numbers)), strict=True))
        demanded = (implies(literal, self._demands[number]) for number, literal in literals.items())
        query = Query("a placement that keeps conditions", self._bits(), (*self._sums(), *demanded))
        answer = query.ask(deadline, literals)
        return Sat(self._read(answer.model)) if isinstance(answer, Sat) else answer

    @Interruptible()
    def all(self, numbers: Sequence[int], deadline: float | None = None) -> Enumeration[Tables]:
        """Return all tables that satisfy these conditions; `deadline` as for `all_codes`."""
        bits = self._bits()
        query = Query("placements", bits, (*self._sums(), *(self._demands[number] for number in numbers)))
        codes = all_codes(query, lambda _: len(bits), deadline)
        return Enumeration(tuple(map(self._read, codes.items)), codes.stop, codes.reason)

    def _bits(self) -> list[Bool]:
        return [bit for table in self._tables for bit in table.terms]

    def _sums(self) -> Iterable[Term]:
        return (term for table in self._tables for term in table.sums)

    def _read(self, code: int) -> Tables:
        """Return the tables encoded consecutively in a code."""
        tables: list[Table] = []
        for table in self._tables:
            # The table of each prime takes the next low bits of the code.
            tables.append(table.table(code % (1 << table.bits)))
            code >>= table.bits
        return tuple(tables)


def condition_term(condition: PlacementCondition, tables: Sequence[ExponentTables]) -> Term:
    """Return the condition as a term over the exponents; `placement.condition.keeps` evaluates the same condition."""

    def one(axis: int, level: int) -> Term:
        return conj(neg(bit) for table in tables for bit in table.entries[axis][level])

    levels = range(len(tables[0].entries[condition.axis])) if tables else range(0)
    match condition:
        case PinnedAxis(axis, pinned):
            return conj(one(axis, level) for level in levels if level != pinned)
        case InnerAxis(axis, outside):
            return conj(one(axis, level) for level in levels if level <= outside)
        case Off(axis, level):
            # Without tables there is one device and no prime: every factor is 1 already.
            return conj((one(axis, level),)) if tables else True
        case Unsplit(axis, among):
            chosen = [level for level in levels if not among or level in among]
            pairs = ((a, b) for place, a in enumerate(chosen) for b in chosen[place + 1 :])
            return conj(disj((one(axis, a), one(axis, b))) for a, b in pairs)
        case Alike(axis, other):
            return conj(
                _equal(table.entries[axis][level], table.entries[other][level]) for table in tables for level in levels
            )
        case _:
            assert_never(condition)


def _equal(left: Sequence[Term], right: Sequence[Term]) -> Term:
    """Return a term that states the equality of two exponents; missing high bits are 0."""
    return conj(iff(a, b) for a, b in zip_longest(left, right, fillvalue=False))
