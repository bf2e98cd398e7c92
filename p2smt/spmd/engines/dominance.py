"""Dominated options: replaceable by another option at no or little cost (dead-end elimination with tables).

Option a replaces b if, whatever the neighbours choose, a costs at most `loss` more:

    sum over the tables t of the choice of max over rows y that b has of (t(a, y) - t(b, y))  <=  loss

With `loss` 0 the optimum is unchanged; otherwise it rises by at most `loss`. Options without any row in some table are
replaced at no cost. The comparison is repeated between eliminations, because messages carry the costs of choices that
are already eliminated: that recomputing rotary angles on every device costs almost nothing, for example, only shows
once the operations before them are gone.

Reference: Goldstein, "Efficient rotamer elimination", Biophysical Journal 66 (1994).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from p2smt.spmd.engines.table import BLOCK, NEVER, Integers, Table, dense

_Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class OptionComparison:
    """Pairwise comparison [one, other] of a choice's options in one table, computed once per table.

    `lacks` is True where `one` lacks a row of `other`. `costs` is the most that `one` costs more; None if all are 0,
    as in tables of links. `dead` marks options without rows.
    """

    lacks: _Flags
    costs: Integers | None
    dead: _Flags

    @classmethod
    def of(cls, differences: Integers, alike: Sequence[int]) -> "OptionComparison":
        """Return the comparison for the result of `differences`."""
        finite: Integers = np.where(np.abs(differences) < NEVER, differences, 0)
        # Counting whole numbers is much quicker than `any`, which makes truth values of them first.
        costs = finite if np.count_nonzero(finite) else None
        lacks, dead = differences == NEVER, (differences == -NEVER).all(axis=0)
        if len(dead) == len(alike):
            return cls(lacks, costs, dead)
        pairs = np.ix_(alike, alike)
        return cls(lacks[pairs], None if costs is None else costs[pairs], dead[list(alike)])


def differences(each: Table, sizes: Sequence[int], column: int) -> tuple[Integers, list[int]]:
    """Return [one, other]: how much more option `one` costs than `other` at most, over the rows that `other` has.

    NEVER if `other` has a row that `one` lacks, -NEVER if `other` has no row. Options with the same rows and costs are
    one entry; the second result has each option's.
    """
    whole = np.moveaxis(dense(each, sizes), column, 0).reshape(sizes[column], -1)
    # many options have the same rows: only different ones are compared
    numbers: dict[bytes, int] = {}
    alike = [numbers.setdefault(row.tobytes(), len(numbers)) for row in whole]
    first = np.unique(alike, return_index=True)[1]
    return _compared(whole[first], bool(each.costs.any())), alike


def _compared(rows: Integers, costly: bool) -> Integers:
    """Return the differences of rows; unless `costly`, all entries are 0 or forbidden."""
    found = np.full((len(rows), len(rows)), -NEVER, dtype=np.int64)
    if not costly:
        # how many rows each option lacks of another's is a product of matrices
        has_row = (rows < NEVER).astype(np.float32)
        lacked = (1 - has_row) @ has_row.T
        return np.where(lacked > 0, NEVER, np.where(has_row.any(axis=1), 0, found))
    if len(rows) * rows.size <= BLOCK:
        theirs = np.where(rows < NEVER, rows, 2 * NEVER)
        worst = (rows[:, None] - theirs).max(axis=2)
        has_any = (rows < NEVER).any(axis=1)
        return np.where(has_any, np.where(worst > NEVER // 2, NEVER, worst), found)
    room = np.empty_like(rows)
    for other, theirs in enumerate(rows):
        has = theirs < NEVER
        if has.any():
            # what the other lacks is taken off twice, so that it is no largest difference
            np.subtract(rows, np.where(has, theirs, 2 * NEVER), out=room)
            most = room.max(axis=1)
            found[:, other] = np.where(most > NEVER // 2, NEVER, most)
    return found


def replacements(tables: Sequence[OptionComparison], most: int) -> tuple[tuple[int, ...], int]:
    """Return the replacement of each option (itself if there is none), and the largest loss, at most `most`."""
    size = len(tables[0].dead)
    total = np.zeros((size, size), dtype=np.int64)
    lacks, dead = np.zeros((size, size), dtype=bool), np.zeros(size, dtype=bool)
    for each in tables:
        dead |= each.dead
        lacks |= each.lacks
        if each.costs is not None:
            total += each.costs
    # Large choices mostly lose nothing, which is seen before anything is sorted.
    fits = total <= most
    fits &= ~lacks
    np.fill_diagonal(fits, val=False)
    if not dead.any() and not fits.any():
        return tuple(range(size)), 0
    alive = [option for option in range(size) if not dead[option]]
    # options that lack the least, then those that cost the others least, come first: they replace the most
    lacking, costing = lacks.sum(axis=1).tolist(), total.sum(axis=1).tolist()
    alive.sort(key=lambda option: (lacking[option], costing[option], option))
    losses: Integers = np.ascontiguousarray(np.where(lacks, NEVER, total).T)
    np.fill_diagonal(losses, NEVER)
    losses[:, dead] = NEVER
    # most options have nothing that replaces them: the others alone are compared with those kept
    can_go = np.any(losses <= most, axis=1).tolist()
    kept, count = np.zeros(size, dtype=np.int64), 0
    instead, loss = list(range(size)), 0
    for option in alive:
        if count and can_go[option]:
            mine = losses[option][kept[:count]]
            best = int(mine.argmin())
            if mine[best] <= most:
                instead[option], loss = int(kept[best]), max(loss, int(mine[best]))
                continue
        kept[count] = option
        count += 1
    for option in np.flatnonzero(dead).tolist():
        # one option stays, though it goes with nothing: the next message shows that
        instead[option] = int(kept[0]) if count else 0
    return tuple(instead), max(loss, 0)
