"""The summary sentence of a fit: the measured bus bandwidth, the algorithm behind it, and sizes that are slower."""

from dataclasses import replace
from math import exp

from p2smt.cost.calibration.carrying import is_all_reduce, spans_machines
from p2smt.cost.calibration.fit import FitRow
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import LAUNCH, parameters
from p2smt.cost.calibration.prediction import predictor
from p2smt.cost.calibration.small_messages import protocols_of
from p2smt.cost.calibration.table_fit import SURE, TableFit
from p2smt.cost.network.backend import Nccl
from p2smt.problem.quantity import format_bytes
from p2smt.problem.system.algorithm import ADDING, COLLNET, Algorithm
from p2smt.problem.system.network import SIMPLE_FROM, System

LINE = 0.9
"""The fraction of the line rate that the parameters of named systems have."""

SLOWER = 1.25
"""The ratio of measured to expected seconds from which a message counts as slower."""

_WORDS = {
    Algorithm.RING: "rings",
    Algorithm.TREE: "trees",
    Algorithm.NVLS: "NVLS",
    Algorithm.NVLS_TREE: "NVLS with trees",
    Algorithm.COLLNET_DIRECT: "CollNet (switches that add, direct)",
    Algorithm.COLLNET_CHAIN: "CollNet (switches that add, chains)",
    Algorithm.PAT: "parallel trees",
}


def answer(fit: TableFit, before: System) -> str:
    """Return one sentence about the largest message, preferably an all-reduce."""
    # An all-reduce first, then the largest message.
    row = max(fit.rows, key=lambda row: (is_all_reduce(row.measurement), row.measurement.size))
    one = row.measurement
    test = one.group.split()[0]
    share = _share(one, before)
    line = f" ({100 * share:.0f} % of what its links carry)" if share else ""
    parts = [
        f"this cluster does {one.busbw / 1e9:.4g} GB/s of bus bandwidth on {test} of {format_bytes(one.size)}{line}"
    ]
    carried = [
        f"{_WORDS[algorithm]} {where}"
        for algorithm, where in ((fit.inside, "inside a machine"), (fit.between, "between machines"))
        if algorithm is not None
    ]
    if carried:
        sure = "" if fit.sure >= SURE else " (the tables hardly tell them from others)"
        parts.append(", ".join(carried) + sure)
    if fit.small is not None:
        parts.append(_small_messages(fit, one))
    sentence = ", ".join(parts)
    slow = _slower_below(fit.rows, before) if before.name else 0
    return f"{sentence}; slower than {before.name} says up to {format_bytes(slow)}" if slow else sentence


def _small_messages(fit: TableFit, largest: Measurement) -> str:
    """Return the largest message of each protocol, and how well the protocols explain small messages, as text."""
    rows = [row.measurement for row in fit.rows if row.measurement.table == largest.table]
    carried = protocols_of(fit.system, rows)
    *smaller, (last, _) = carried or (("Simple", 0),)
    said = ", ".join(f"{protocol} up to {format_bytes(size)}" for protocol, size in smaller)
    assert fit.small is not None
    after, before = (100 * (exp(error) - 1) for error in fit.small)
    words = f"{said}, {last} above" if said else f"{last} at all sizes"
    return f"it looks like {words} (below 1 MiB {after:.0f} % off, with Simple alone {before:.0f} %)"


def _share(one: Measurement, before: System) -> float:
    """Return the time of links at their line rates over the measured time; 0 if the rates are unknown."""
    if not before.name:
        return 0.0
    values = {
        name: (value / LINE if name.endswith("bandwidth") else 0.0 if name.endswith(("latency", LAUNCH)) else value)
        for name, value in parameters(before.network).items()
    }
    least = min(
        float(predictor(before, [_by(one, algorithm)]).predict(values)[0]) for algorithm in _possible(one, before)
    )
    share = least / one.seconds
    return share if share <= 1.1 else 0.0


def _possible(one: Measurement, before: System) -> list[Algorithm]:
    """Return the algorithms that may carry a measurement; a switch only if the system is known to have one."""
    if not is_all_reduce(one):
        return [Algorithm.RING]
    adding = {algorithm for link in before.network.links for algorithm in link.flow} & ADDING
    wanted = {Algorithm.NVLS_TREE, *COLLNET} if spans_machines(one, before) else {Algorithm.NVLS}
    return [Algorithm.RING, *sorted(wanted & adding)]


def _by(one: Measurement, algorithm: Algorithm) -> Measurement:
    return replace(one, backend=Nccl(algorithm)) if is_all_reduce(one) else one


def _slower_below(rows: tuple[FitRow, ...], before: System) -> int:
    """Return the largest message from 1 MiB on that is clearly slower than the named system predicts; 0 if none is."""
    told = [row.measurement for row in rows if row.measurement.size >= SIMPLE_FROM]
    return max((one.size for one in told if one.seconds > SLOWER * expected_seconds(one, before)), default=0)


def expected_seconds(one: Measurement, before: System) -> float:
    """Return the seconds that a system's parameters predict for a measurement, with its fastest possible algorithm."""
    values = parameters(before.network)
    options = _possible(one, before)
    return min(float(predictor(before, [_by(one, each)]).predict(values)[0]) for each in options)
