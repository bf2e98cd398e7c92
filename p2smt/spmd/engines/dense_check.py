"""Dense tables of the certificate checker: made, added and compared. Shares no code with the search."""

from collections.abc import Sequence
from math import prod

import numpy as np

from p2smt.spmd.engines.shifts_check import NEVER, Dense
from p2smt.spmd.engines.table import Table

MOST_ENTRIES = 2**27

_ADDED = 6
"""The number of tables with entries up to NEVER that can be added in 64 bits before sums must be clipped."""


def sum_of(tables: Sequence[Dense]) -> Dense:
    """Return the sum of tables that broadcast against each other, where NEVER and more means forbidden."""
    total = np.zeros((1,) * tables[0].ndim if tables else (), dtype=np.int64)
    for number, entries in enumerate(tables, start=1):
        total = total + entries
        if number % _ADDED == 0:
            total = np.minimum(total, NEVER)
    return total


def read(table: Table, shape: tuple[int, ...]) -> Dense | str:
    """Return the dense form of a table, or a description of its fault."""
    if prod(shape) > MOST_ENTRIES:
        return "is too large to be checked"
    codes, costs = table.codes, table.costs
    if len(codes) != len(costs) or (len(codes) and not 0 <= codes.min() <= codes.max() < prod(shape)):
        return "has rows that are none"
    if len(costs) and not 0 <= costs.min() <= costs.max() < NEVER:
        return "has costs that are none"
    claimed = np.full(prod(shape), NEVER, dtype=np.int64)
    claimed[codes] = costs
    return claimed.reshape(shape)


def cheaper_option(tables: Sequence[Dense], instead: Sequence[int], loss: int) -> int | None:
    """Return the first option that can cost over `loss` less than its replacement; None if there is none.

    The other choices of each table may have any options; an option without rows in some table costs nothing.
    """
    gone = [option for option, other in enumerate(instead) if option != other]
    if not gone:
        return None
    others = [instead[option] for option in gone]
    total = [0] * len(gone)  # of Python's integers: many tables could exceed 64 bits
    lacks, is_dead = np.zeros(len(gone), dtype=bool), np.zeros(len(gone), dtype=bool)
    for entries in tables:
        mine, theirs = entries[gone], entries[others]
        has = mine < NEVER
        is_dead |= ~has.any(axis=1)
        lacks |= (has & (theirs >= NEVER)).any(axis=1)
        most = np.where(has, theirs - mine, -NEVER).max(axis=1)
        total = [sum(pair) for pair in zip(total, most.tolist(), strict=True)]
    wrong = ~is_dead & (lacks | np.array([each > loss for each in total]))
    return gone[int(np.argmax(wrong))] if wrong.any() else None


def spread(entries: Dense, columns: tuple[int, ...], shape: tuple[int, ...]) -> Dense:
    """Return a table broadcast to all choices of a message, with length 1 along choices that it does not mention."""
    lengths = [shape[column] if column in columns else 1 for column in range(len(shape))]
    # Columns of a table stand in its own order, those of a message ascend.
    return np.transpose(entries, np.argsort(columns)).reshape(lengths)


def allowed_entries(allowed: tuple[int, ...], left: tuple[int, ...], right: tuple[int, ...]) -> Dense:
    """Return the table of a link between the options that are left of two choices."""
    count = max(right, default=0) + 1
    rows = "".join([f"{allowed[option]:0{count}b}"[::-1][:count] for option in left]).encode()
    bits = np.frombuffer(rows, dtype=np.uint8).reshape(len(left), count)[:, list(right)]  # made in C
    return np.where(bits == ord("1"), 0, NEVER).astype(np.int64)
