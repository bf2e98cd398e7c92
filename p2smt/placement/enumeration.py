"""Enumerate all placements of a problem: positive integer matrices with given row and column products.

A parallelism matrix has one row per axis, whose entries multiply to the axis size, and one column per level,
whose entries multiply to the level size. By unique factorisation it corresponds to one *exponent table* per
prime: a contingency table with the prime's exponents in the axis sizes as row sums and in the level sizes as
column sums. Tables of different primes are independent, so

    placements = product over primes of  tables(row exponents, column exponents).

The solver enumerates the tables of each prime (`exponents.py`), and `_combined` forms the products. A table
always exists because row sums and column sums have the same total (north-west corner rule).

Complexity: one solver query per prime, and one step per matrix.
Reference: Diaconis and Gangolli, "Rectangular arrays with fixed margins", 1995.

Example: axes 4 and 2 on levels 2 and 4. For prime 2 the row sums are (2, 1) and the column sums (1, 2); the
tables [[0, 2], [1, 0]] and [[1, 1], [0, 1]] correspond to the matrices [[1, 4], [2, 1]] and [[2, 2], [1, 2]].
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from p2smt.argument_types import require
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
"""A problem or job; both have axes and levels to place them on."""

Table = tuple[tuple[int, ...], ...]


def all_placements(problem: Placeable, deadline: float | None = None) -> Enumeration[ParallelismMatrix]:
    """Return every parallelism matrix, in ascending order of its rows.

    There always is one: row sums and column sums of a prime's exponents have the same total, so that some table
    has them (fill from the north-west corner, each entry as large as its row and column allow). `deadline` is a
    time of `time.monotonic`. If the deadline, Ctrl-C or an unknown answer of the solver ends the search, the
    result contains what was found, with the reason. On irregular units, only placements in which one axis
    covers all irregularity are returned. Raises ProblemError if there are none.
    """
    require(problem, (Problem, Workload), "problem", "build_problem or build_workload makes one")
    tree = problem.system.tree
    return _uniform(problem, deadline) if tree is None else _on_tree(problem, tree, deadline)


def _on_tree(problem: Placeable, tree: Tree, deadline: float | None) -> Enumeration[ParallelismMatrix]:
    """Return the matrices of the hull that are full grids on the tree, trying each axis as the irregular one."""
    found: set[ParallelismMatrix] = set()
    for divided, axis in divided_problems(problem, tree):
        placements = _uniform(divided, deadline)
        hulls = (in_hull(matrix, axis, tree) for matrix in placements.items)
        found.update(matrix for matrix in hulls if is_full_grid(matrix, problem, tree))
        if not placements.complete:
            return Enumeration(tuple(sorted(found)), placements.stop, placements.reason)
    if not found:
        raise ProblemError(
            f"there is no placement of {sizes_text(problem.axes)} on the irregular hierarchy {tree}; "
            "one axis must cover the irregular levels and come first there, and the factors of the "
            "others must divide every unit"
        )
    return Enumeration(tuple(sorted(found)), Stop.EXHAUSTED)


def _uniform(problem: Placeable, deadline: float | None) -> Enumeration[ParallelismMatrix]:
    """Return the placements on regular units."""
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
    """Return the matrix of every combination of one table per prime."""
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
    """Return the matrix whose entries are the products of `prime ** exponent` over the primes."""
    powers = list(zip(primes, choice, strict=True))
    levels = range(len(problem.levels))
    return ParallelismMatrix(
        tuple(tuple(prod(p ** table[i][j] for p, table in powers) for j in levels) for i in range(len(problem.axes)))
    )


class _PartialError(Exception):
    """Carries the tables found before a search was stopped.

    It is raised rather than returned, so that the cache of `every_table` does not keep an incomplete result.
    """

    def __init__(self, found: Enumeration[Table]) -> None:
        super().__init__()
        self.found = found


def _tables(problem: Placeable, prime: int, deadline: float | None) -> Enumeration[Table]:
    """Return the tables of one prime, cached across problems; none after the deadline."""
    if is_over(deadline):
        return Enumeration((), Stop.DEADLINE)
    try:
        return Enumeration(every_table(prime, *_margins(problem, prime), Until(deadline)), Stop.EXHAUSTED)
    except _PartialError as partial:
        return partial.found


@lru_cache(maxsize=64)
def every_table(prime: int, row_sums: tuple[int, ...], column_sums: tuple[int, ...], until: Until) -> tuple[Table, ...]:
    """Return all tables of one prime's exponents. Raises _PartialError if the search ended early."""
    from p2smt.placement.exponents import ExponentTables

    found = ExponentTables(prime, row_sums, column_sums).all(until.deadline)
    if not found.complete:
        raise _PartialError(found)
    return found.items


def primes_of(problem: Placeable) -> list[int]:
    """Return the prime factors of the number of devices, ascending, without repetition."""
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
    """Return the solver encoding of the tables of one prime's exponents."""
    from p2smt.placement.exponents import ExponentTables

    return ExponentTables(prime, *_margins(problem, prime))


def _margins(problem: Placeable, prime: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the exponents of a prime in the sizes of all axes, and of all levels."""
    rows = tuple(_exponent(axis.size, prime) for axis in problem.axes)
    return rows, tuple(_exponent(level.size, prime) for level in problem.levels)


def _exponent(number: int, prime: int) -> int:
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return exponent
