"""All placements of a problem: non-negative integer matrices with given row and column products.

A parallelism matrix has one row for each axis, whose entries multiply to the size of the axis, and one column for each
level, whose entries multiply to the size of the level. By unique factorisation it is one *exponent table* for each
prime: a contingency table with the prime's exponents in the axes as row sums and in the levels as column sums. Tables
of different primes are independent, so

    placements = product over primes of  tables(row exponents, column exponents).

The solver enumerates the tables of each prime (`exponents.py`), and `_combined` multiplies them up. A table always
exists because both margins have one total (the north-west corner rule).

Complexity: one solver query for each prime, and one step for each matrix.

Example: axes 4 and 2 on levels 2 and 4: for the prime 2 the margins are (2, 1) and (1, 2); their tables
[[0, 2], [1, 0]] and [[1, 1], [0, 1]] are the matrices [[1, 4], [2, 1]] and [[2, 2], [1, 2]].
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from p2smt.errors import ProblemError
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.unlike import divided_problems, in_hull, is_full_grid
from p2smt.problem.model import Problem
from p2smt.problem.system.tree import Tree
from p2smt.problem.workload import Workload
from p2smt.smt.answer import Enumeration, Stop
from p2smt.smt.deadlines import Until, is_over
from p2smt.wording import sizes_text

if TYPE_CHECKING:
    from p2smt.placement.exponents import ExponentTables

Placeable = Problem | Workload
"""A problem or workload: it has axes, and levels to place them on."""

Table = tuple[tuple[int, ...], ...]


def all_placements(problem: Placeable, deadline: float | None = None) -> Enumeration[ParallelismMatrix]:
    """Every parallelism matrix, in ascending order of its rows.

    There always is one: the products agree, so for every prime the row sums and the column sums of its
    exponents have the same total, and any two lists of sums with one total are the margins of some table
    (fill from the north-west corner, each entry as large as its row and column allow). `deadline` is a time
    of `time.monotonic`; when it, Ctrl-C or an unknown of the solver ends the search, what was found comes back
    with the reason. On units of unlike size those in which one axis takes what is unlike; ProblemError for none.
    """
    tree = problem.system.tree
    return _uniform(problem, deadline) if tree is None else _on_tree(problem, tree, deadline)


def _on_tree(problem: Placeable, tree: Tree, deadline: float | None) -> Enumeration[ParallelismMatrix]:
    """The full grids among the matrices of the hull, for one axis after the other that takes what is unlike."""
    found: set[ParallelismMatrix] = set()
    for divided, axis in divided_problems(problem, tree):
        placements = _uniform(divided, deadline)
        hulls = (in_hull(matrix, axis, tree) for matrix in placements.items)
        found.update(matrix for matrix in hulls if is_full_grid(matrix, problem, tree))
        if not placements.complete:
            return Enumeration(tuple(sorted(found)), placements.stop, placements.reason)
    if not found:
        raise ProblemError(
            f"there is no placement of {sizes_text(problem.axes)} on units of unlike size {tree}; one axis takes what "
            "is unlike, the factors of the others divide every unit, and that axis stands before the others on its "
            "levels"
        )
    return Enumeration(tuple(sorted(found)), Stop.EXHAUSTED)


def _uniform(problem: Placeable, deadline: float | None) -> Enumeration[ParallelismMatrix]:
    """The matrices where all units of a level are alike."""
    primes = primes_of(problem)
    tables: list[tuple[Table, ...]] = []
    try:
        for prime in primes:
            found = _tables(problem, prime, deadline)
            if not found.complete:
                # A matrix needs a table of every prime; of those that there are now, one for each of the last one's.
                some = [*(known[:1] for known in tables), found.items] if prime == primes[-1] else [()]
                return Enumeration(_combined(problem, primes, some, None).items, found.stop, found.reason)
            tables.append(found.items)
    except KeyboardInterrupt:
        return Enumeration((), Stop.INTERRUPTED)
    return _combined(problem, primes, tables, deadline)


def _combined(
    problem: Placeable, primes: Sequence[int], tables: Sequence[tuple[Table, ...]], deadline: float | None
) -> Enumeration[ParallelismMatrix]:
    """The matrix of every choice of one table per prime."""
    found: list[ParallelismMatrix] = []
    stop = Stop.EXHAUSTED
    try:
        # Exponents of different primes are independent, so all placements are a product of tables.
        for choice in product(*tables):
            if deadline is not None and time.monotonic() >= deadline:
                stop = Stop.DEADLINE
                break
            found.append(matrix_of(problem, primes, choice))
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
    return Enumeration(tuple(sorted(found)), stop)


def matrix_of(problem: Placeable, primes: Sequence[int], choice: Sequence[Table]) -> ParallelismMatrix:
    """`prime ** exponent`, multiplied over the primes."""
    powers = list(zip(primes, choice, strict=True))
    levels = range(len(problem.levels))
    return ParallelismMatrix(
        tuple(tuple(prod(p ** table[i][j] for p, table in powers) for j in levels) for i in range(len(problem.axes)))
    )


class _PartialError(Exception):
    """The tables found before the search for them was stopped: raised, because what raises is not kept."""

    def __init__(self, found: Enumeration[Table]) -> None:
        super().__init__()
        self.found = found


def _tables(problem: Placeable, prime: int, deadline: float | None) -> Enumeration[Table]:
    """The tables of one prime, which many problems share; none once the time is up, known or not."""
    if is_over(deadline):
        return Enumeration((), Stop.DEADLINE)
    try:
        return Enumeration(every_table(prime, *_margins(problem, prime), Until(deadline)), Stop.EXHAUSTED)
    except _PartialError as partial:
        return partial.found


@lru_cache(maxsize=64)
def every_table(prime: int, row_sums: tuple[int, ...], column_sums: tuple[int, ...], until: Until) -> tuple[Table, ...]:
    """All tables of the exponents of one prime; _PartialError where the search ended before it had them all."""
    from p2smt.placement.exponents import ExponentTables
    from p2smt.smt.query import all_codes

    tables = ExponentTables(prime, row_sums, column_sums)
    codes = all_codes(tables.query, lambda _: tables.bits, until.deadline)
    found = tuple(map(tables.table, codes.items))
    if not codes.complete:
        raise _PartialError(Enumeration(found, codes.stop, codes.reason))
    return found


def primes_of(problem: Placeable) -> list[int]:
    """The primes of the number of devices, ascending."""
    primes, divisor, left = [], 2, problem.devices
    # Trial division: the number of devices is small, and its largest prime is what is left.
    while divisor * divisor <= left:
        if left % divisor == 0:
            primes.append(divisor)
            while left % divisor == 0:
                left //= divisor
        divisor += 1
    return [*primes, left] if left > 1 else primes


def exponent_tables(problem: Placeable, prime: int) -> "ExponentTables":
    """The tables of the exponents of one prime."""
    from p2smt.placement.exponents import ExponentTables

    return ExponentTables(prime, *_margins(problem, prime))


def _margins(problem: Placeable, prime: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The exponents of a prime in the sizes of all axes, and of all levels."""
    rows = tuple(_exponent(axis.size, prime) for axis in problem.axes)
    return rows, tuple(_exponent(level.size, prime) for level in problem.levels)


def _exponent(number: int, prime: int) -> int:
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return exponent
