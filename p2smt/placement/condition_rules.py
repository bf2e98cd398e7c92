"""Placements that keep conditions, for the solver: the tables of all primes at once.

A factor is the product of `prime ** exponent` over all primes, so it is 1 where all its exponents are 0, and two
factors are equal where all their exponents are.
"""

import time
from collections.abc import Collection, Iterable, Sequence
from typing import assert_never

import z3

from p2smt.placement.exponents import ExponentTables, Table
from p2smt.problem.condition import Alike, Inside, Off, Pinned, PlacementCondition, Unsplit
from p2smt.smt.answer import Enumeration
from p2smt.smt.cores import GaveUpError
from p2smt.smt.query import Query, all_codes
from p2smt.smt.terms import Term, conj, constants, disj, iff, implies, neg

Tables = tuple[Table, ...]
"""One table of exponents per prime."""


class ConditionedTables:
    """The tables of all primes, and for every condition a literal that demands it."""

    def __init__(self, tables: Sequence[ExponentTables], conditions: Sequence[PlacementCondition]) -> None:
        self._tables = tuple(tables)
        self._conditions = tuple(conditions)
        self._demands = [condition_term(condition, self._tables) for condition in conditions]

    def ask(self, numbers: Collection[int], deadline: float | None = None) -> Tables | frozenset[int]:
        """Tables that keep the conditions of these numbers, or those of the numbers that are too much together.

        Raises GaveUpError when the solver does not know.
        """
        solver = z3.SolverFor("QF_FD")
        if deadline is not None:
            solver.set("timeout", max(1, int((deadline - time.monotonic()) * 1000)))
        literals = dict(zip(numbers, constants("condition", len(numbers)), strict=True))
        demanded = [implies(literal, self._demands[number]) for number, literal in literals.items()]
        solver.add([conj((term,)) for term in (*self._sums(), *demanded) if term is not True])
        result = solver.check(*literals.values())
        if result == z3.unknown:
            raise GaveUpError(solver.reason_unknown())
        if result == z3.unsat:
            core = {literal.get_id() for literal in solver.unsat_core()}
            return frozenset(number for number, literal in literals.items() if literal.get_id() in core)
        model = solver.model()
        return self._read([z3.is_true(model.eval(bit, model_completion=True)) for bit in self._bits()])

    def all(self, numbers: Collection[int], deadline: float | None = None) -> Enumeration[Tables]:
        """All tables that keep the conditions of these numbers; `deadline` as for `all_codes`."""
        bits = self._bits()
        query = Query("placements", bits, (*self._sums(), *(self._demands[number] for number in numbers)))
        codes = all_codes(query, lambda _: len(bits), deadline)
        found = (self._read([bool(code >> place & 1) for place in range(len(bits))]) for code in codes.items)
        return Enumeration(tuple(found), codes.stop, codes.reason)

    def _bits(self) -> list[Term]:
        return [bit for table in self._tables for bit in table.terms]

    def _sums(self) -> Iterable[Term]:
        return (term for table in self._tables for term in table.sums)

    def _read(self, values: Sequence[bool]) -> Tables:
        found, begin = [], 0
        for table in self._tables:
            code = sum(1 << place for place, value in enumerate(values[begin : begin + table.bits]) if value)
            found.append(table.table(code))
            begin += table.bits
        return tuple(found)


def condition_term(condition: PlacementCondition, tables: Sequence[ExponentTables]) -> Term:
    """The condition as a term over the exponents; its twin is `placement.condition.keeps`."""

    def one(axis: int, level: int) -> Term:
        return conj(neg(bit) for table in tables for bit in table.entries[axis][level])

    levels = range(len(tables[0].entries[condition.axis])) if tables else range(0)
    match condition:
        case Pinned(axis, pinned):
            return conj(one(axis, level) for level in levels if level != pinned)
        case Inside(axis, outside):
            return conj(one(axis, level) for level in levels if level <= outside)
        case Off(axis, level):
            return conj((one(axis, level),)) if tables else True
        case Unsplit(axis, among):
            chosen = [level for level in levels if not among or level in among]
            pairs = ((a, b) for place, a in enumerate(chosen) for b in chosen[place + 1 :])
            return conj(disj((one(axis, a), one(axis, b))) for a, b in pairs)
        case Alike(axis, other):
            return conj(_equal(table.entries[axis][level], table.entries[other][level])
                        for table in tables for level in levels)  # fmt: skip
        case _:
            assert_never(condition)


def _equal(left: Sequence[Term], right: Sequence[Term]) -> Term:
    """Two exponents are equal; where one has more bits, these are 0."""
    width = max(len(left), len(right))
    padded = [[*bits, *[False] * (width - len(bits))] for bits in (left, right)]
    return conj(iff(a, b) for a, b in zip(*padded, strict=True))
