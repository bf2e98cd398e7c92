"""Split of rows under one heading that several runs printed, such as those of 1, 2 and 4 machines after a `grep`.

A new run begins where sizes start again and busbw / algbw is another number of ranks'. Repetitions of one run have the
same ratio and stay together.
"""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.cost.calibration.nccl_factor import Factor, factor_of
from p2smt.cost.calibration.nccl_run import Row, Run


def parts_of(run: Run) -> list[Run]:
    """Return the runs whose rows stand under one heading; a device list counts for the first of several only."""
    parts = _parts(run.rows)
    if len(parts) <= 1:
        return [run]
    first, *others = (replace(run, rows=tuple(rows), place=rows[0].place) for rows in parts)
    return [first, *(replace(one, ranks=(), nranks=0, nodes=0, launched=0, notes=()) for one in others)]


def _parts(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows of each run, in order; all in one if their ratios agree, or do not tell."""
    series: list[list[Row]] = []
    for row in rows:
        if not series or row.size < series[-1][-1].size:
            series.append([])
        series[-1].append(row)
    found = series[:1]
    for one in series[1:]:
        # Repetitions have the ratio of the run before; too few rows to tell count as a repetition.
        before, after = factor_of(found[-1])[0], factor_of(one)[0]
        if before is not None and after is not None and _differ(before, after):
            found.append(one)
        else:
            found[-1] = [*found[-1], *one]
    return found


def _differ(one: Factor, other: Factor) -> bool:
    return one.high < other.low or other.high < one.low
