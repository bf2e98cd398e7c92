"""The sentence that answers first: the bus bandwidth that was measured, what carried it, and where it is slower."""

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
"""The fraction of the line rate that parameters of named systems have."""

SLOWER = 1.25
"""Measured over expected seconds from which on a message counts as slower."""

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
    """One sentence on the largest message, an all-reduce where there is one."""
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
        sure = "" if fit.sure >= SURE else " (or what is nearly as likely: the tables do not tell)"
        parts.append(", ".join(carried) + sure)
    if fit.small is not None:
        parts.append(_small_messages(fit, one))
    sentence = ", ".join(parts)
    slow = _slower_below(fit.rows, before) if before.name else 0
    return f"{sentence}; slower than {before.name} says up to {format_bytes(slow)}" if slow else sentence


def _small_messages(fit: TableFit, largest: Measurement) -> str:
    """The protocols of small messages, by the largest that each carries, and how much they explain."""
    rows = [row.measurement for row in fit.rows if row.measurement.table == largest.table]
    carried = protocols_of(fit.system, rows)
    *smaller, (last, _) = carried or (("Simple", 0),)
    said = ", ".join(f"{protocol} up to {format_bytes(size)}" for protocol, size in smaller)
    assert fit.small is not None
    after, before = (100 * (exp(error) - 1) for error in fit.small)
    words = f"{said}, {last} above" if said else f"{last} at all sizes"
    return f"it looks like {words} (below 1 MiB {after:.0f} % off, with Simple alone {before:.0f} %)"


def _share(one: Measurement, before: System) -> float:
    """Return the time of links at their line rates over the measured time; 0 where the rates are not known."""
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
    """Algorithms that may carry a measurement on a system: a switch only where the system is known to have it."""
    if not is_all_reduce(one):
        return [Algorithm.RING]
    adding = {algorithm for link in before.network.links for algorithm in link.flow} & ADDING
    wanted = {Algorithm.NVLS_TREE, *COLLNET} if spans_machines(one, before) else {Algorithm.NVLS}
    return [Algorithm.RING, *sorted(wanted & adding)]


def _by(one: Measurement, algorithm: Algorithm) -> Measurement:
    return replace(one, backend=Nccl(algorithm)) if is_all_reduce(one) else one


def _slower_below(rows: tuple[FitRow, ...], before: System) -> int:
    """The largest message from 1 MiB on that took clearly longer than the named system predicts; 0 if none did."""
    told = [row.measurement for row in rows if row.measurement.size >= SIMPLE_FROM]
    return max((one.size for one in told if one.seconds > SLOWER * expected_seconds(one, before)), default=0)


def expected_seconds(one: Measurement, before: System) -> float:
    """The seconds of a measurement by the figures of a system as it was, with the fastest algorithm that it has."""
    values = parameters(before.network)
    options = _possible(one, before)
    return min(float(predictor(before, [_by(one, each)]).predict(values)[0]) for each in options)
