"""Check bounds that are proved by moving costs between choices and tables; shares no code with the search.

Moving an amount from all rows of a table with some option to that option changes no sum. So the least entries of all
choices and all tables add up to a lower bound for any amounts, as long as all sums fit into 64 bits; the total amount
moved to each choice is therefore limited. Feasibility is checked on the tables before anything is moved.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from p2smt.spmd.engines.certificate import MOST_SHIFTED, Shift

Dense = npt.NDArray[np.int64]

NEVER = 2**60
"""The cost of incompatible options; sums of real costs are far below it."""

_MOST_MOVED = 2**62
"""The most that may be moved to one choice: added to NEVER it stays below 2**63."""


def proved_by_shifts(
    shifts: Sequence[Shift], sizes: Mapping[int, int], tables: Sequence[tuple[tuple[int, ...], Dense]]
) -> int | str | None:
    """Return the bound, None if the problem is infeasible, or a description of a fault in the shifts.

    `sizes` are the numbers of options of the remaining choices, `tables` the tables over them, each once.
    """
    choices, shared = _together(sizes, tables)
    least = [int(entries.min()) for entries in (*choices.values(), *shared.values())]
    # A table or choice without allowed entries: nothing is possible, whatever is moved.
    if max(least, default=0) >= NEVER // 2:
        return None
    seen: set[tuple[int, ...]] = set()
    to_choice = dict.fromkeys(sizes, 0)
    for scope, amounts in shifts:
        if scope in seen:
            return f"costs are moved from choices {scope} twice"
        seen.add(scope)
        if scope not in shared or [len(each) for each in amounts] != [sizes[choice] for choice in scope]:
            return f"costs are moved from choices {scope}, which have no such table"
        if any(abs(each) > MOST_SHIFTED for mine in amounts for each in mine):
            return f"more is moved from choices {scope} than can be told from what is not allowed"
        for position, (choice, mine) in enumerate(zip(scope, amounts, strict=True)):
            to_choice[choice] += max(map(abs, mine))
            if to_choice[choice] > _MOST_MOVED:
                return f"more is moved to choice {choice} than there are numbers for"
            moved = np.array(mine, dtype=np.int64)
            choices[choice] = choices[choice] + moved
            shape = [-1 if column == position else 1 for column in range(len(scope))]
            shared[scope] = shared[scope] - moved.reshape(shape)
    return sum(int(entries.min()) for entries in (*choices.values(), *shared.values()))


def _together(
    sizes: Mapping[int, int], tables: Sequence[tuple[tuple[int, ...], Dense]]
) -> tuple[dict[int, Dense], dict[tuple[int, ...], Dense]]:
    """Return the costs of each choice's options, and one table per set of choices, which are in ascending order."""
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
