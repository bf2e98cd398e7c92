"""Fit of the processor work per byte sent, if calls wait for the devices' processors instead of links.

With s the speed of the slowest device and w the weight,
    seconds(call) = max(network(call), w * bytes sent(call) / s).
Profile search: w is tried on a geometric grid, and for each w the network is fitted to the calls that it decides. The
smallest mean error is taken.
Complexity: at most `_STEPS` fits of the network.
Reference: Venzon and Moolgavkar, "A method for computing profile-likelihood-based confidence intervals", 1988, for
profiles over one parameter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from p2smt.collective import Collective
from p2smt.cost.calibration.collectives import fit_calls, measurements_of
from p2smt.cost.calibration.fit import APART, CONTRADICTED, Fit, FitRow
from p2smt.cost.calibration.parameters import parameters
from p2smt.cost.calibration.prediction import predictor
from p2smt.cost.calibration.probes import CollectiveProbe
from p2smt.cost.network.backend import Backend
from p2smt.errors import CalibrationError
from p2smt.problem.system.build import build_system
from p2smt.problem.system.devices import SEND, Effort
from p2smt.problem.system.network import System

_STEP, _STEPS = 1.02, 150
_TOLD = 0.9
"""A call identifies the network if the slowest device's work is below this fraction of its time."""

_EXACT = 1e-3
"""A mean error that counts as zero."""

_FEWEST = 7
"""The fewest calls to which a network is fitted."""


def fit_sending(network: Fit, system: System, backend: Backend, calls: Sequence[tuple[CollectiveProbe, float]]) -> Fit:
    """Fit a network with a cost weight for the bytes that devices send (`SEND`), if that explains the calls better.

    The weight is used if it reduces the mean error so much that the calls contradict the network alone. A call takes
    the maximum of the network's time and the slowest device's work for its bytes; calls where the latter dominates do
    not identify the network. The system keeps its speeds.
    """
    slowest = min(kind.speed for kind in system.kinds)
    tried = [_carried(system, backend, calls, each) for each in _weights(calls, slowest)]
    found = [fit for fit in tried if fit is not None]
    best = min(found, key=lambda fit: fit.mean_abs_log_error, default=network)
    # Without a clear improvement the simpler model stays.
    if network.mean_abs_log_error <= CONTRADICTED * best.mean_abs_log_error + _EXACT:
        return replace(network, system=replace(system, network=network.system.network))
    return best


def _weights(calls: Sequence[tuple[CollectiveProbe, float]], slowest: float) -> Iterator[float]:
    """Yield increasing weights, the first accounting for a whole call, while enough calls identify the network."""
    most = max(_sent(call) / seconds for call, seconds in calls)
    for step in range(_STEPS):
        weight = float(f"{slowest * _TOLD / most * _STEP**step:.4g}")
        telling = [call.held for call, seconds in calls if _tells(call, seconds, weight / slowest)]
        if len(telling) < _FEWEST or max(telling) < APART * min(telling):
            return
        yield weight


def _carried(
    system: System, backend: Backend, calls: Sequence[tuple[CollectiveProbe, float]], weight: float
) -> Fit | None:
    """Return the fit with a weight; None if the remaining calls identify no parameter."""
    slowest = min(kind.speed for kind in system.kinds)
    telling = [(call, took) for call, took in calls if _tells(call, took, weight / slowest)]
    try:
        fit = fit_calls(system, backend, telling)
    except CalibrationError:
        return None
    values, measurements = parameters(fit.system.network), measurements_of(system, backend, calls)
    links: list[float] = predictor(system, measurements).predict(values).tolist()
    rows = tuple(
        FitRow(each, max(seconds, _sent(call) * weight / slowest), None)
        for each, seconds, (call, _) in zip(measurements, links, calls, strict=True)
    )
    effort = system.effort or Effort()
    weights = (*[each for each in effort.weights if each[0] != SEND], (SEND, weight))
    return Fit(build_system(replace(fit.system, effort=replace(effort, weights=weights))), fit.figures, rows)


def _tells(call: CollectiveProbe, seconds: float, each: float) -> bool:
    return _sent(call) * each < _TOLD * seconds


def _sent(call: CollectiveProbe) -> float:
    """Return the bytes that every device sends (and receives); gloo's ReduceScatter is an AllReduce."""
    size = call.program.mesh[0].size
    match call.collective:
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER:
            return 2 * (size - 1) / size * call.held
        case Collective.ALL_GATHER:
            return (size - 1) * call.held
        case Collective.BROADCAST | Collective.REDUCE:
            raise AssertionError(f"{call.collective} is not a collective of a plan")
        case _:
            assert_never(call.collective)
