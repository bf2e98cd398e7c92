"""The weights of the rows of tables, and the parameters that they identify.

Weights: row i of a table with the largest message M has

    w[i] = (1 + `MOST_WEIGHT` * sqrt(size[i] / M)) / sum of these over the table * number of its rows,

so weights average 1 in every table, and its largest messages, which show bandwidths, count most. Small messages are
left out, because protocols and launches decide their times.

Identification: a parameter is free only if some row's prediction can depend on it: a rate, if a row loads the link;
of two rates that every row loads alike, the one of the busier link; latency needs sizes that differ by a factor of 4.
All others keep their initial values, as a fit could trade them for each other at no loss.
Complexity: O(rows x links).
Reference: Rothenberg, "Identification in parametric models", 1971.

Example: a table of groups that all span machines fits the network's rate, and not that of NVLink inside them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.calibration.carrying import Hypothesis, spans_machines
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import OVERLAP
from p2smt.cost.calibration.prediction import Array
from p2smt.cost.calibration.table_problem import INNER_LATENCY, LATENCY
from p2smt.cost.network.load import SEND_FLOW
from p2smt.problem.system.algorithm import ADDING, OUTSIDE, Algorithm, flow_key
from p2smt.problem.system.network import SIMPLE_FROM

MOST_WEIGHT = 4.0
"""The additional weight of the largest message; a small one has weight 1."""


def used_rows(measurements: Sequence[Measurement]) -> NDArray[np.bool_]:
    """Return a mask of the rows that count: those from 1 MiB on, or a table's larger half if fewer than two are."""
    found = np.zeros(len(measurements), dtype=bool)
    for table in dict.fromkeys(one.table for one in measurements):
        rows = [place for place, one in enumerate(measurements) if one.table == table]
        large = [place for place in rows if measurements[place].size >= SIMPLE_FROM]
        if len(large) < 2:
            rows.sort(key=lambda place: measurements[place].size)
            large = rows[len(rows) // 2 :]
        found[large] = True
    return found


def row_weights(measurements: Sequence[Measurement], used: NDArray[np.bool_], largest_counts: float = 1.0) -> Array:
    """Return the square roots of the rows' weights, which are highest for a table's largest message.

    Weights average 1 in every table. `largest_counts` multiplies the weight of the largest messages.
    """
    found = np.zeros(len(measurements))
    for table in dict.fromkeys(one.table for one in measurements):
        rows = [place for place, one in enumerate(measurements) if one.table == table and used[place]]
        largest = max((measurements[place].size for place in rows), default=1)
        for place in rows:
            found[place] = 1 + MOST_WEIGHT * (measurements[place].size / largest) ** 0.5
            found[place] *= largest_counts if measurements[place].size == largest else 1.0
        if rows:
            # Normalised per table, so that a row counts the same in tables of large and of small messages.
            found[rows] *= len(rows) / found[rows].sum()
    return np.sqrt(found)


def loaded_rates(carried: Hypothesis, used: NDArray[np.bool_], start: dict[str, float]) -> list[str]:
    """Return the names of the rates that some row depends on."""
    main = carried.main
    found = [f"{link}.bandwidth" for place, link in enumerate(main.links) if main.bandwidth[used, place].any()]
    for algorithm, flow in main.flow.items():
        found += [f"{link}.{flow_key(algorithm)}" for place, link in enumerate(main.links) if flow[used, place].any()]
    found += [f"{link}.{SEND_FLOW}" for place, link in enumerate(main.links) if main.sends[used, place].any()]
    return [name for name in found if name in start]


def free_figures(carried: Hypothesis, used: NDArray[np.bool_], start: dict[str, float]) -> tuple[str, ...]:
    """Return the parameters that tables identify: rates inside machines only if a table is of one machine."""
    system = carried.system
    rows = [one for one, counts in zip(carried.measurements, used.tolist(), strict=True) if counts]
    spans = [spans_machines(one, system) for one in rows]
    outside = {level.name for level in system.levels[: system.machine + 1]}
    levels = {link.name: link.level in outside for link in system.network.links}
    rings = {(over, one.backend) for one, over in zip(rows, spans, strict=True)}
    found = []
    for name in loaded_rates(carried, used, start):
        link, _, what = name.partition(".")
        plain = [over for over, backend in rings if str(backend) not in ADDING]
        switched = what.startswith("nvls")
        keep = any(spans) if levels[link] else switched or any(not over for over in plain)
        collected = [over for over, backend in rings if over and str(backend) in OUTSIDE]
        if collected and levels[link] and what == "bandwidth":  # the rate of sums says as much
            keep = any(plain)
        if collected and not levels[link] and switched:
            keep = not all(spans)
        if levels[link] and keep and not any(plain) and not collected:
            keep = not _is_switch_busier(carried, used, start)
        if what == flow_key(Algorithm.NVLS_TREE) and not any(plain):
            keep = _is_switch_busier(carried, used, start)
        if keep:
            found.append(name)
    sizes = [one.size for one in rows]
    # Latency needs small and large messages in the same tables.
    several = len({one.group for one in rows}) > 2 and any(spans) and not all(spans)
    if max(sizes) >= 4 * min(sizes):
        found.append(LATENCY)
        if several:
            found.append(INNER_LATENCY)
    if OVERLAP in start and several:
        found.append(OVERLAP)
    return tuple(found)


def _is_switch_busier(carried: Hypothesis, used: NDArray[np.bool_], start: dict[str, float]) -> bool:
    """True if, at the initial values, the switch of NVLS-tree takes longer than the network."""
    main, row, key = carried.main, int(np.flatnonzero(used)[-1]), flow_key(Algorithm.NVLS_TREE)
    switch, network = 0.0, 0.0
    for place, link in enumerate(main.links):
        if f"{link}.{key}" in start:
            switch = max(switch, main.flow[Algorithm.NVLS_TREE][row, place] / start[f"{link}.{key}"])
        else:
            network = max(network, main.bandwidth[row, place] / start[f"{link}.bandwidth"])
    return switch >= network
