"""Solver encoding of parallelism matrices: row and column products as sums of prime exponents.

A product of factors has a given value exactly if, for every prime p, the exponents of p have a given sum:

    prod over j of rows[i][j] = size of axis i   <=>   for each p:  sum over j of e[p][i][j] = exponent of p in it,

and likewise for columns. The exponents of one prime form a contingency table with given row and column sums, so
that every prime is an independent, small query, and nothing can overflow. An entry has as many bits as the
smaller of its two sums needs. A sum of bits with weights 1, 2, 4, ... is one pseudo-boolean equation.
Complexity: O(axes x levels x log(exponent)) bits for each prime.
Reference: Een and Sorensson, "Translating pseudo-Boolean constraints into SAT", 2006.

Example: 12 = 2^2 * 3 devices, with axes 4 and 3 on levels 2 and 6. For p = 2 the row sums are (2, 0) and the
column sums (1, 1), so e = [[1, 1], [0, 0]]; for p = 3 they are (0, 1) and (0, 1), so e = [[0, 0], [0, 1]]. The
matrix is 2x2/1x3.
"""

from collections.abc import Sequence
from typing import TypeVar

from p2smt.smt.all_answers import all_answers
from p2smt.smt.answer import Enumeration
from p2smt.smt.terms import Bool, Term, adds_up, constants

Bit = TypeVar("Bit", Bool, int)

Table = tuple[tuple[int, ...], ...]


class ExponentTables:
    """The tables of non-negative integers with the given row sums and column sums.

    `terms` are the bits of all entries, and `entries[i][j]` those of one entry, least significant first. `sums`
    are the equations of rows and columns.
    """

    def __init__(self, prime: int, row_sums: Sequence[int], column_sums: Sequence[int]) -> None:
        # An entry is at most the smaller of its two sums, so more bits would only give the solver values to exclude.
        self._widths = [[min(row, column).bit_length() for column in column_sums] for row in row_sums]
        self.terms = constants(f"e{prime}_", sum(map(sum, self._widths)))
        self.bits = len(self.terms)
        self.entries = self._split(self.terms)
        rows = zip(self.entries, row_sums, strict=True)
        columns = zip(zip(*self.entries, strict=True), column_sums, strict=True)
        self.sums = [_sums_to(line, total) for line, total in (*rows, *columns)]
        self._name = f"exponents of {prime}"

    def all(self, deadline: float | None = None) -> Enumeration[Table]:
        """Return all tables, in the order of the solver; `deadline` is a time of `time.monotonic`."""
        codes = all_answers(self._name, self.terms, self.sums, lambda _: self.bits, deadline)
        return Enumeration(tuple(map(self.table, codes.items)), codes.stop, codes.reason)

    def table(self, code: int) -> Table:
        """Return the table encoded by an answer."""
        values = [(code >> place) & 1 for place in range(self.bits)]
        return tuple(
            tuple(sum(bit << place for place, bit in enumerate(entry)) for entry in row) for row in self._split(values)
        )

    def _split(self, bits: Sequence[Bit]) -> list[list[list[Bit]]]:
        left = iter(bits)
        return [[[next(left) for _ in range(width)] for width in row] for row in self._widths]


def _sums_to(line: Sequence[Sequence[Bool]], total: int) -> Term:
    return adds_up([(bit, 1 << place) for entry in line for place, bit in enumerate(entry)], total)
