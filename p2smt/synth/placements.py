"""All placements of a problem."""

from itertools import product
from math import prod

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Problem
from p2smt.smt.answer import Enumeration, Stop

Table = tuple[tuple[int, ...], ...]


def all_placements(problem: Problem, deadline: float | None = None) -> Enumeration[ParallelismMatrix]:
    """Every parallelism matrix, in ascending order of its rows.

    There always is one: the products agree, so for every prime the row sums and the column sums of its
    exponents have the same total, and any two lists of sums with one total are the margins of some table
    (fill from the north-west corner, each entry as large as its row and column allow). `deadline` is a time
    of `time.monotonic`; when it passes, the matrices so far come back with the reason.
    """
    primes = _primes(problem)
    tables = [_tables(problem, prime, deadline) for prime in primes]
    shape = (len(problem.axes), len(problem.levels))
    found = [
        ParallelismMatrix(
            tuple(
                tuple(prod(p ** table[i][j] for p, table in zip(primes, choice, strict=True)) for j in range(shape[1]))
                for i in range(shape[0])
            )
        )
        for choice in product(*(table.items for table in tables))
    ]
    early = [table for table in tables if not table.complete]
    stop, reason = (early[0].stop, early[0].reason) if early else (Stop.EXHAUSTED, "")
    return Enumeration(tuple(sorted(found)), stop, reason)


def _tables(problem: Problem, prime: int, deadline: float | None) -> Enumeration[Table]:
    from p2smt.smt.placement import ExponentTables
    from p2smt.smt.query import all_codes

    row_sums = [_exponent(axis.size, prime) for axis in problem.axes]
    column_sums = [_exponent(level.size, prime) for level in problem.levels]
    tables = ExponentTables(prime, row_sums, column_sums)
    codes = all_codes(tables.query, lambda _: tables.bits, deadline)
    return Enumeration(tuple(map(tables.table, codes.items)), codes.stop, codes.reason)


def _primes(problem: Problem) -> list[int]:
    primes, divisor, left = [], 2, problem.devices
    while divisor * divisor <= left:
        if left % divisor == 0:
            primes.append(divisor)
            while left % divisor == 0:
                left //= divisor
        divisor += 1
    return [*primes, left] if left > 1 else primes


def _exponent(number: int, prime: int) -> int:
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return exponent
