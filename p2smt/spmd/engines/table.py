"""Sparse tables over choices: rows of compatible options with their costs, and the minima of their sums.

Min-sum marginals, the step of bucket elimination (Dechter, "Bucket elimination", Artificial Intelligence 113 (1999)):
    m(y) = min over x of  sum over tables t of  t(x, y).
If few rows remain, by sort-merge joins, smallest table first; else on dense arrays, one option of x after another.
Complexity: dense, one addition for each table and entry of the product of all sizes; by joins, O(rows log rows) for
each table. Memory: `bytes_of_minimum`.

Example: t1(a, b) = (0, 3; 2, 1) and t2(b) = (5, 0). Over b, the minimum for a = 0 is min(0 + 5, 3 + 0) = 3, and for a =
1 min(2 + 5, 1 + 0) = 1, both with option 1 of b.

>>> both = Table(np.arange(4), np.array([0, 3, 2, 1]))
>>> least = minimum([((0, 1), both), ((1,), unary((5, 0)))], (2, 2))
>>> (least.table.costs + least.shift).tolist(), least.taken.tolist()
([3, 1], [1, 1])
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from types import EllipsisType

import numpy as np
import numpy.typing as npt

from p2smt.spmd.engines.bits import bit_matrix

Integers = npt.NDArray[np.int64]
Columns = tuple[dict[int, Integers], Integers]
"""The options of some choices in each row, and the costs of the rows."""

WHOLE = 2**23
"""The most entries of tables that are added densely."""

NEVER = 2**60
"""The cost of forbidden entries of dense tables, in this module only."""

BLOCK = 2**15
"""The number of entries of dense tables that are processed together, to fit the cache."""

_SUMMANDS = 6
"""The number of tables that can be added before sums must be clipped to NEVER."""

_MOST_CODE = 2**62

_KEPT_BYTES = 28
"""Bytes kept per entry of a minimum: a row number, its cost, the chosen option, and the checker's dense copy."""

_MAKING_BYTES = 40
"""Temporary bytes per entry of a minimum: sums, row numbers, and copies of both."""

_DENSE_BYTES = 16
"""Bytes per entry of a table that is added densely: the table and its transpose."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The rows of a table: `codes` has each row's number, `costs` its cost.

    A row's number has its options as mixed-radix digits: for columns of 3 and 4 options, row (2, 1) is number 2 * 4 +
    1. Numbers are ascending; combinations without a row are forbidden.
    """

    codes: Integers
    costs: Integers

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self.costs)


def unary(costs: Sequence[int]) -> Table:
    """Return the table of one choice, all of whose options are allowed."""
    return Table(np.arange(len(costs), dtype=np.int64), np.array(costs, dtype=np.int64))


def binary(allowed: Sequence[int], count: int) -> Table:
    """Return the table of a link, at no cost: bit j of `allowed[i]` allows options i and j together."""
    codes = np.flatnonzero(bit_matrix(allowed, count)).astype(np.int64)
    return Table(codes, np.zeros(len(codes), dtype=np.int64))


def dense(each: Table, sizes: Sequence[int]) -> Integers:
    """Return a table with all its entries; NEVER marks forbidden ones."""
    whole = np.full(prod(sizes), NEVER, dtype=np.int64)
    whole[each.codes] = each.costs
    return whole.reshape(sizes)


@dataclass(frozen=True, slots=True)
class Minimum:
    """The minimum of a sum of tables over one choice: for each row the least cost and the option that attains it.

    All costs are reduced by `shift`, so that the least is 0.
    """

    table: Table
    shift: int
    taken: npt.NDArray[np.int32]


Scoped = tuple[tuple[int, ...], Table]
"""The choices of a table's columns, and the table."""


def bytes_of_minimum(scopes: Sequence[tuple[int, ...]], sizes: Sequence[int]) -> tuple[int, int]:
    """Return upper bounds on the bytes that a minimum of tables over these choices keeps, and needs temporarily."""
    entries = prod(sizes[:-1])
    dense = sum([prod([sizes[number] for number in scope]) for scope in scopes])
    return _KEPT_BYTES * entries, (_MAKING_BYTES * entries) + (_DENSE_BYTES * dense)


def minimum(tables: Sequence[Scoped], sizes: Sequence[int]) -> Minimum:
    """Return the minimum over the last choice of the sum of tables.

    Choices are numbered 0 to len(sizes) - 1, and the last is in every table. Memory: `bytes_of_minimum`.
    """
    joined = _joined(tables, sizes) if prod(sizes) > WHOLE else None
    return _whole_minimum(tables, sizes) if joined is None else _sparse_minimum(*joined, sizes)


def cut(each: Table, sizes: Sequence[int], column: int, kept: Sequence[int]) -> Table:
    """Return the rows of some options of a column, renumbered in this order; `kept` is ascending."""
    inner = prod(sizes[column + 1 :])
    number = np.full(sizes[column], -1, dtype=np.int64)
    number[list(kept)] = np.arange(len(kept))
    option = number[each.codes // inner % sizes[column]]
    stays = option >= 0
    codes = each.codes[stays]
    outer = codes // (inner * sizes[column])
    return Table(((outer * len(kept)) + option[stays]) * inner + (codes % inner), each.costs[stays])


def _shifted(codes: Integers, costs: Integers, taken: npt.NDArray[np.int32]) -> Minimum:
    shift = int(costs.min()) if len(costs) else 0
    return Minimum(Table(codes, costs - shift), shift, taken)


def _whole_minimum(tables: Sequence[Scoped], sizes: Sequence[int]) -> Minimum:
    """Return the minimum with dense tables, one option of the last choice after another.

    If costs leave enough bits, a sum has the option's number in its lowest bits: the minimum of two sums is then
    both the least cost and the first option that attains it.
    """
    bits = (sizes[-1] - 1).bit_length()  # room for the option in the lowest bits
    if sum(int(each.costs.max(initial=0)) for _, each in tables) >= NEVER >> bits:
        bits = 0
    wholes = [_turned(scope, each, sizes, bits) for scope, each in sorted(tables, key=lambda pair: pair[1].rows)]
    if bits:
        wholes[0] = wholes[0] + np.arange(sizes[-1]).reshape(-1, *[1] * (len(sizes) - 1))
    least = np.full(sizes[:-1], NEVER, dtype=np.int64)
    taken = np.zeros(sizes[:-1], dtype=np.int32) if not bits else None
    if bits and 0 < prod(sizes) <= BLOCK:
        room = np.empty((sizes[-1], *sizes[:-1]), dtype=np.int64)
        np.minimum(least, _total(wholes, room).min(axis=0), out=least)
    else:
        for rows in _blocks(sizes[:-1]):
            parts = [whole if rows is ... or whole.shape[1] == 1 else whole[:, rows] for whole in wholes]
            _lower(least[rows], None if taken is None else taken[rows], parts)
    flat = least.reshape(-1)
    codes = np.flatnonzero(flat < NEVER)
    flat = flat if len(codes) == len(flat) else flat[codes]
    if taken is not None:
        return _shifted(codes, flat, taken.reshape(-1)[codes])
    return _shifted(codes, flat >> bits, (flat & ((1 << bits) - 1)).astype(np.int32))


def _blocks(sizes: Sequence[int]) -> Iterator[slice | EllipsisType]:
    """Yield slices of a table along its first dimension; each is processed with all options while in the cache."""
    if prod(sizes) <= BLOCK:
        yield ...
        return
    step = max(1, BLOCK // prod(sizes[1:]))
    yield from (slice(start, start + step) for start in range(0, sizes[0], step))


def _lower(least: Integers, taken: npt.NDArray[np.int32] | None, wholes: Sequence[Integers]) -> None:
    """Lower entries in place to the least sum over the options; `taken` gets the first option that attains it."""
    room = np.empty_like(least)
    for option in range(len(wholes[0])):
        total = _total([whole[option] for whole in wholes], room)
        if taken is not None:
            np.copyto(taken, option, where=total < least)
        np.minimum(least, total, out=least)


def _total(wholes: Sequence[Integers], room: Integers) -> Integers:
    """Return the sum of tables, where more than NEVER means forbidden; the last addition writes to `room`."""
    total = wholes[0]
    for number, whole in enumerate(wholes[1:], start=1):
        total = np.add(total, whole, out=room if number == len(wholes) - 1 else None)
        if number % _SUMMANDS == 0:
            total = np.minimum(total, NEVER)
    return total


def _turned(scope: tuple[int, ...], each: Table, sizes: Sequence[int], bits: int) -> Integers:
    """Return the dense table shifted left by `bits`: the last choice is its first dimension, the others follow."""
    mine = [sizes[number] for number in scope]
    whole = np.full(prod(mine), NEVER, dtype=np.int64)
    whole[each.codes] = each.costs << bits
    last = len(sizes) - 1
    order = sorted(range(len(scope)), key=lambda column: (scope[column] != last, scope[column]))
    shape = [sizes[number] if number in scope else 1 for number in range(last)]
    return np.ascontiguousarray(np.transpose(whole.reshape(mine), order)).reshape(sizes[last], *shape)


def _sparse_minimum(columns: dict[int, Integers], costs: Integers, sizes: Sequence[int]) -> Minimum:
    """Return the minimum over the rows that exist."""
    codes = code([columns[number] for number in range(len(sizes))], sizes, len(costs))
    order = np.lexsort((codes, costs, codes // sizes[-1]))  # a group's first row is its minimum
    groups = codes[order] // sizes[-1]
    if not len(groups):
        return _shifted(groups, costs, groups.astype(np.int32))
    first = np.concatenate(([True], groups[1:] != groups[:-1]))
    rows = order[first]
    return _shifted(groups[first], costs[rows], columns[len(sizes) - 1][rows].astype(np.int32))


def code(options: Sequence[Integers], sizes: Sequence[int], rows: int) -> Integers:
    """Return one number per row, in lexicographic order of the columns."""
    assert prod(sizes) <= _MOST_CODE
    result = np.zeros(rows, dtype=np.int64)
    for column, size in zip(options, sizes, strict=True):
        result = result * size + column
    return result


def _columns(scope: tuple[int, ...], each: Table, sizes: Sequence[int]) -> dict[int, Integers]:
    """Return the options of each choice, row by row."""
    columns = {}
    rest = each.codes
    for number in reversed(scope):
        rest, columns[number] = np.divmod(rest, sizes[number])
    return columns


def _joined(tables: Sequence[Scoped], sizes: Sequence[int]) -> Columns | None:
    """Join all tables, smallest first, then by most shared columns; None if a join has too many rows."""
    waiting = sorted(tables, key=lambda pair: pair[1].rows)
    scope, first = waiting.pop(0)
    columns = _columns(scope, first, sizes)
    costs = first.costs
    while waiting:
        position = min(range(len(waiting)), key=lambda number: len(set(waiting[number][0]) - columns.keys()))
        scope, other = waiting.pop(position)
        joined = _join(columns, costs, scope, other, sizes)
        if joined is None:
            return None
        columns, costs = joined
    return columns, costs


def _most_rows(sizes: Sequence[int]) -> int:
    """Return the most rows for which a join is faster than dense tables and needs no more memory."""
    return min(prod(sizes) // 20, _MAKING_BYTES * prod(sizes[:-1]) // (16 * (len(sizes) + 4)))


def _join(
    columns: dict[int, Integers], costs: Integers, scope: tuple[int, ...], other: Table, sizes: Sequence[int]
) -> Columns | None:
    """Join a table to the rows so far; None if the result has so many rows that dense tables are faster."""
    theirs = _columns(scope, other, sizes)
    shared = [number for number in scope if number in columns]
    lengths = [sizes[number] for number in shared]
    left = code([columns[number] for number in shared], lengths, len(costs))
    right = code([theirs[number] for number in shared], lengths, other.rows)
    order = np.argsort(right, kind="stable")
    right = right[order]
    low, high = np.searchsorted(right, left, "left"), np.searchsorted(right, left, "right")  # a sort-merge join
    counts = high - low
    total = int(counts.sum())
    if total > _most_rows(sizes):
        return None
    ours = np.repeat(np.arange(len(costs)), counts)
    offsets = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = order[np.repeat(low, counts) + offsets]
    made = {number: column[ours] for number, column in columns.items()}
    made |= {number: theirs[number][rows] for number in scope if number not in columns}
    return made, costs[ours] + other.costs[rows]
