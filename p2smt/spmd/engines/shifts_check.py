"""Checks what costs moved between choices and tables prove; it shares no code with the search.

Moving an amount from every row of a table that has an option to that option changes no sum. So the least entries of all
choices and all tables add up to a lower bound, whatever was moved.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from p2smt.spmd.engines.certificate import MOST_SHIFTED, Shift

Dense = npt.NDArray[np.int64]

NEVER = 2**60
"""What options cost that do not go together; sums of real costs are far below it."""


def proved_by_shifts(
    shifts: Sequence[Shift], sizes: Mapping[int, int], tables: Sequence[tuple[tuple[int, ...], Dense]]
) -> int | str | None:
    """The bound, None if nothing is possible, or what is wrong with the shifts.

    `sizes` are how many options each choice left has, `tables` what is over them, each table once.
    """
    choices, shared = _together(sizes, tables)
    for scope, amounts in shifts:
        if scope not in shared or [len(each) for each in amounts] != [sizes[choice] for choice in scope]:
            return f"costs are moved from choices {scope}, which have no such table"
        if any(abs(each) > MOST_SHIFTED for mine in amounts for each in mine):
            return f"more is moved from choices {scope} than can be told from what is not allowed"
        for position, (choice, mine) in enumerate(zip(scope, amounts, strict=True)):
            moved = np.array(mine, dtype=np.int64)
            choices[choice] = choices[choice] + moved
            shape = [-1 if column == position else 1 for column in range(len(scope))]
            shared[scope] = shared[scope] - moved.reshape(shape)
    least = [int(entries.min()) for entries in (*choices.values(), *shared.values())]
    return None if max(least, default=0) >= NEVER // 2 else sum(least)


def _together(
    sizes: Mapping[int, int], tables: Sequence[tuple[tuple[int, ...], Dense]]
) -> tuple[dict[int, Dense], dict[tuple[int, ...], Dense]]:
    """The costs of each choice's options, and one table for all that are over the same choices, which are in order."""
    choices = {choice: np.zeros(size, dtype=np.int64) for choice, size in sizes.items()}
    shared: dict[tuple[int, ...], Dense] = {}
    for scope, entries in tables:
        if len(scope) == 1:
            choices[scope[0]] = np.minimum(choices[scope[0]] + entries, NEVER)
            continue
        ordered = tuple(sorted(scope))
        turned = np.transpose(entries, np.argsort(scope))
        shared[ordered] = np.minimum(shared[ordered] + turned, NEVER) if ordered in shared else turned
    return choices, shared
