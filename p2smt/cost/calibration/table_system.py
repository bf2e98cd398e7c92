"""The system that results from a fit to tables."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import inf, log

from p2smt.cost.calibration.carrying import TREE_SHARE, Hypothesis, is_all_reduce, spans_machines
from p2smt.cost.calibration.measurement import Measurement, least_bytes
from p2smt.cost.calibration.parameters import measured_bandwidths, with_fitted
from p2smt.cost.calibration.prediction import Array
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.cost import Work
from p2smt.problem.system.algorithm import Algorithm, PerAlgorithm
from p2smt.problem.system.file import resized
from p2smt.problem.system.link_origin import with_measured
from p2smt.problem.system.network import System

GOOD = 0.35
"""The value of |ln(predicted / measured)| below which the parameters count as valid for a message."""


def written_system(
    system: System,
    carried: Hypothesis,
    values: dict[str, float],
    measurements: Sequence[Measurement],
    predicted: Array,
    identified: Collection[str],
) -> System:
    """Return the system with fitted parameters, those named in `identified` determined by the measurements.

    If NCCL used rings, trees get at most `TREE_SHARE` of the rings' bandwidth, as in NCCL's model.
    """
    network = with_fitted(carried.system.network, values)
    good_from = _good_from(measurements, predicted)
    found = with_measured(carried.system, network, good_from, measured_bandwidths(network, identified))
    if carried.between is not Algorithm.RING:  # only: of the others, the fastest is what was measured
        return found
    asked = [one for one in carried.measurements if is_all_reduce(one) and spans_machines(one, system)]
    largest = max(asked, key=lambda one: one.size)
    sized = resized(found, largest.sizes)
    (work,) = largest.works
    assert isinstance(work, Work), "an all-reduce is a collective"
    options = (Algorithm.RING, Algorithm.TREE)  # only: what NCCL weighs, where switches do not add
    ring, tree = (cost_of(sized, Nccl(one)).work_cost(work) for one in options)
    if tree.bytes_s >= ring.bytes_s / TREE_SHARE:
        return found
    outer = next(one for one in tree.loads if one.flow)
    rate = outer.flow / (ring.bytes_s / TREE_SHARE - tree.memory_s)
    links = tuple(
        replace(link, flow=PerAlgorithm({**link.flow, Algorithm.TREE: min(rate, link.flow.get(Algorithm.TREE, inf))}))
        if link.name == outer.link.name
        else link
        for link in network.links
    )
    return replace(found, network=replace(network, links=links))


def _good_from(measurements: Sequence[Measurement], predicted: Array) -> int:
    """Return the least bytes of a root from which on all errors are below `GOOD`; the most bytes if there are none."""
    pairs = sorted(
        (least_bytes([one]), abs(log(seconds / one.seconds)))
        for one, seconds in zip(measurements, predicted.tolist(), strict=True)
    )
    from_here = pairs[-1][0]
    for held, error in reversed(pairs):
        if error > GOOD:
            break
        from_here = held
    return max(1, from_here)
