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

SMALL = 20_000
"""Entries up to which tables are added up whole."""

MOST_ENTRIES = 2**26
MOST_ROWS = 2**23
NEVER = 2**61
"""Stands for what is not allowed in whole tables, within this file."""

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
    """What is left of a joint table when one choice is taken away: the least cost, and the option that has it.

    All costs are by `shift` lower than they are, so that the least is 0: parts of a problem that are alike leave alike
    tables, whatever lies behind them.
    """

    table: Table
    shift: int
    codes: Integers
    taken: Integers


def _shifted(table: Table, codes: Integers, taken: Integers) -> Minimum:
    shift = int(table.costs.min()) if table.rows else 0
    return Minimum(Table(table.options, table.costs - shift), shift, codes, taken)


def minimum(tables: Sequence[tuple[tuple[int, ...], Table]], sizes: Sequence[int]) -> Minimum:
    """The minimum over the last choice of the sum of tables.

    Choices are numbered 0 to len(sizes) - 1; each table comes with the choices that its columns stand for, and each
    choice is in some table.
    """
    last = len(sizes) - 1
    joined = None if prod(sizes) <= SMALL else _joined(tables, sizes)
    if joined is None:
        return _dense_minimum(tables, sizes)
    columns, costs = joined
    ordered = [columns[number] for number in range(last)]
    codes = code([*ordered, columns[last]], sizes, len(costs))
    order = np.argsort(codes, kind="stable")
    groups = codes[order] // sizes[last]
    if not len(groups):
        return _shifted(Table(np.zeros((last, 0), dtype=np.int64), costs), groups, groups)
    starts = np.flatnonzero(np.concatenate(([True], groups[1:] != groups[:-1])))
    sums = costs[order]
    least = np.minimum.reduceat(sums, starts)
    lengths = np.diff(np.append(starts, len(groups)))
    hits = np.flatnonzero(sums == np.repeat(least, lengths))
    first = hits[np.searchsorted(hits, starts)]
    taken = columns[last][order][first]
    options = [column[order][starts] for column in ordered]
    kept = np.array(options, dtype=np.int64).reshape(last, len(starts))
    return _shifted(Table(kept, least), groups[starts], taken)


def _dense_minimum(tables: Sequence[tuple[tuple[int, ...], Table]], sizes: Sequence[int]) -> Minimum:
    """The same by tables that have all entries."""
    if prod(sizes) > MOST_ENTRIES:
        size = f"a table over {len(sizes)} choices has {prod(sizes)} entries"
        raise EngineError(f"{size}, more than {MOST_ENTRIES}; take the engine ilp, or fewer conversions")
    total = np.zeros(sizes, dtype=np.int64)
    for scope, each in tables:
        mine = [sizes[number] for number in scope]
        whole = np.full(prod(mine), NEVER, dtype=np.int64)
        whole[code(list(each.options), mine, each.rows)] = each.costs
        order = np.argsort(scope)
        shape = [sizes[number] if number in scope else 1 for number in range(len(sizes))]
        total += np.transpose(whole.reshape(mine), order).reshape(shape)
        np.minimum(total, NEVER, out=total)
    taken = total.argmin(axis=-1)
    least = np.take_along_axis(total, taken[..., None], axis=-1)[..., 0].reshape(-1)
    codes = np.flatnonzero(least < NEVER)
    outer = sizes[:-1]
    options = np.array(np.unravel_index(codes, outer) if outer else np.zeros((0, len(codes))), dtype=np.int64)
    kept = Table(options.reshape(len(outer), len(codes)), least[codes])
    return _shifted(kept, codes, taken.reshape(-1)[codes])


def _joined(tables: Sequence[tuple[tuple[int, ...], Table]], sizes: Sequence[int]) -> Columns | None:
    """The join, smallest table first, then whichever shares most columns: options per choice, and sums of costs."""
    waiting = sorted(tables, key=lambda pair: pair[1].rows)
    scope, first = waiting.pop(0)
    columns: dict[int, Integers] = dict(zip(scope, first.options, strict=True))
    costs = first.costs
    while waiting:
        position = min(range(len(waiting)), key=lambda number: len(set(waiting[number][0]) - columns.keys()))
        scope, other = waiting.pop(position)
        joined = _join(columns, costs, scope, other, sizes)
        if joined is None:
            return None
        columns, costs = joined
    return columns, costs


def _join(
    columns: dict[int, Integers], costs: Integers, scope: tuple[int, ...], other: Table, sizes: Sequence[int]
) -> Columns | None:
    """None where the join has so many rows that whole tables are faster."""
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
    if total > MOST_ROWS or (20 * total > prod(sizes) and prod(sizes) <= MOST_ENTRIES):
        return None
    ours = np.repeat(np.arange(len(costs)), counts)
    offsets = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = order[np.repeat(low, counts) + offsets]
    made = {number: column[ours] for number, column in columns.items()}
    made |= {number: theirs[number][rows] for number in scope if number not in columns}
    return made, costs[ours] + other.costs[rows]
