"""Sparse tables over choices: rows of options that go together, with what they cost; their joins and minima."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.errors import EngineError

Integers = npt.NDArray[np.int64]
Columns = tuple[dict[int, Integers], Integers]
"""Options of some choices in each row, and the costs of the rows."""

MOST_ROWS = 20_000_000
_MOST_CODE = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`options[i]` has the option of the i-th column in each row; `costs` what each row costs.

    Holds: rows are in lexicographic order, each once; what is no row is not allowed.
    """

    options: Integers
    costs: Integers

    @property
    def rows(self) -> int:
        """How many rows."""
        return len(self.costs)

    @property
    def content(self) -> bytes:
        """Equal for equal tables, and for these alone."""
        return len(self.options).to_bytes(2, "big") + self.options.tobytes() + b"|" + self.costs.tobytes()


def table(rows: Sequence[Sequence[int]], costs: Sequence[int], columns: int) -> Table:
    """The table of rows in order."""
    options = np.array(rows, dtype=np.int64).reshape(len(rows), columns).T
    return Table(np.ascontiguousarray(options), np.array(costs, dtype=np.int64))


def code(options: Sequence[Integers], sizes: Sequence[int], rows: int) -> Integers:
    """One number per row, in lexicographic order of the columns."""
    if prod(sizes) > _MOST_CODE:
        raise EngineError(f"a table over {len(sizes)} choices is too large; take the engine ilp, or fewer conversions")
    result = np.zeros(rows, dtype=np.int64)
    for column, size in zip(options, sizes, strict=True):
        result = result * size + column
    return result


@dataclass(frozen=True, slots=True)
class Minimum:
    """What is left of a joint table when one choice is taken away: the least cost, and the option that has it."""

    table: Table
    codes: Integers
    taken: Integers


def minimum(tables: Sequence[tuple[tuple[int, ...], Table]], sizes: Sequence[int]) -> Minimum:
    """The minimum over the last choice of the sum of tables.

    Choices are numbered 0 to len(sizes) - 1; each table comes with the choices that its columns stand for, and each
    choice is in some table.
    """
    columns, costs = _joined(tables, sizes)
    last = len(sizes) - 1
    ordered = [columns[number] for number in range(last)]
    codes = code([*ordered, columns[last]], sizes, len(costs))
    order = np.argsort(codes, kind="stable")
    groups = codes[order] // sizes[last]
    if not len(groups):
        return Minimum(Table(np.zeros((last, 0), dtype=np.int64), costs), groups, groups)
    starts = np.flatnonzero(np.concatenate(([True], groups[1:] != groups[:-1])))
    sums = costs[order]
    least = np.minimum.reduceat(sums, starts)
    lengths = np.diff(np.append(starts, len(groups)))
    hits = np.flatnonzero(sums == np.repeat(least, lengths))
    first = hits[np.searchsorted(hits, starts)]
    taken = columns[last][order][first]
    options = [column[order][starts] for column in ordered]
    kept = np.array(options, dtype=np.int64).reshape(last, len(starts))
    return Minimum(Table(kept, least), groups[starts], taken)


def _joined(
    tables: Sequence[tuple[tuple[int, ...], Table]], sizes: Sequence[int]
) -> tuple[dict[int, Integers], Integers]:
    """The join, smallest table first, then whichever shares most columns: options per choice, and sums of costs."""
    waiting = sorted(tables, key=lambda pair: pair[1].rows)
    scope, first = waiting.pop(0)
    columns: dict[int, Integers] = dict(zip(scope, first.options, strict=True))
    costs = first.costs
    while waiting:
        position = min(range(len(waiting)), key=lambda number: len(set(waiting[number][0]) - columns.keys()))
        scope, other = waiting.pop(position)
        columns, costs = _join(columns, costs, scope, other, sizes)
    return columns, costs


def _join(
    columns: dict[int, Integers], costs: Integers, scope: tuple[int, ...], other: Table, sizes: Sequence[int]
) -> Columns:
    theirs = dict(zip(scope, other.options, strict=True))
    shared = [number for number in scope if number in columns]
    lengths = [sizes[number] for number in shared]
    left = code([columns[number] for number in shared], lengths, len(costs))
    right = code([theirs[number] for number in shared], lengths, other.rows)
    order = np.argsort(right, kind="stable")
    right = right[order]
    low, high = np.searchsorted(right, left, "left"), np.searchsorted(right, left, "right")
    counts = high - low
    total = int(counts.sum())
    if total > MOST_ROWS:
        raise EngineError(f"a table of {total} rows is too large; take the engine ilp")
    ours = np.repeat(np.arange(len(costs)), counts)
    offsets = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = order[np.repeat(low, counts) + offsets]
    joined = {number: column[ours] for number, column in columns.items()}
    joined |= {number: theirs[number][rows] for number in scope if number not in columns}
    return joined, costs[ours] + other.costs[rows]
