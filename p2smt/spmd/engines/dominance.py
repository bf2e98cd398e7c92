"""Options of a choice that another option replaces at no cost, or at little: dead-end elimination with tables.

Option a replaces b if, whatever the neighbours choose, a costs at most `loss` more:

    sum over the tables t of the choice of max over rows y that b has of (t(a, y) - t(b, y))  <=  loss

With `loss` 0 the optimum stays; otherwise it rises by at most `loss`. Options without any row in some table are
replaced at no cost. It is asked again between eliminations, whose messages compare what lies behind a choice too: that
computing rotary angles on every device costs next to nothing shows only once the operations before them are gone.
Reference: Goldstein, "Efficient rotamer elimination", Biophysical Journal 66 (1994).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from p2smt.spmd.engines.table import NEVER, Integers

_Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class OptionComparison:
    """The options of a choice in one table: [one, other]. A table is compared once, for all choices that have it.

    `lacks`: the one has not all rows of the other. `costs` is by how much it costs more at most, None where that is
    nothing for all, as in tables of links. `dead` are the options without a row.
    """

    lacks: _Flags
    costs: Integers | None
    dead: _Flags

    @classmethod
    def of(cls, differences: Integers) -> "OptionComparison":
        """The comparison by `table.differences`."""
        costs = np.where(np.abs(differences) < NEVER, differences, 0)
        return cls(differences == NEVER, costs if costs.any() else None, (differences == -NEVER).all(axis=0))


def replacements(tables: Sequence[OptionComparison], most: int) -> tuple[tuple[int, ...], int]:
    """For each option what replaces it, itself if nothing does, and the largest loss, which is at most `most`."""
    size = len(tables[0].dead)
    total = np.zeros((size, size), dtype=np.int64)
    lacks, dead = np.zeros((size, size), dtype=bool), np.zeros(size, dtype=bool)
    for each in tables:
        dead |= each.dead
        lacks |= each.lacks
        if each.costs is not None:
            total += each.costs
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
