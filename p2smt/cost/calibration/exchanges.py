"""Fit the launch time of an all-to-all, which may be less than that of other collectives."""

from collections.abc import Sequence
from dataclasses import replace
from math import log

from p2smt.cost.calibration.probes import ExchangeProbe
from p2smt.cost.network.backend import Backend
from p2smt.cost.network.members import MembersCost
from p2smt.problem.system.build import build_system
from p2smt.problem.system.network import System

_LEAST = 1e-6


def with_exchanges(
    system: System, backend: Backend, exchanges: Sequence[tuple[ExchangeProbe, float]], number: float
) -> System:
    """Return the system with the launch time of all-to-alls that best explains measured exchanges among all devices.

    The fit minimises the sum of |ln(predicted / measured)|. Each measurement includes a small sum, which takes `number`
    seconds. The network's other parameters do not change.
    """
    network = system.network
    quick = replace(system, network=replace(network, all_to_all_launch=0.0))
    cost = MembersCost(quick, backend, system.present)
    times = [(cost.exchange(each.held) + number, seconds) for each, seconds in exchanges if each.timing == "all_to_all"]

    def off(launch: float) -> float:
        return sum(abs(log((launch + moved) / seconds)) for moved, seconds in times)

    # Each row has a value that explains it exactly; the best of these is taken.
    best = min((max(seconds - moved, _LEAST) for moved, seconds in times), key=off, default=network.exchange_launch)
    return build_system(replace(system, network=replace(network, all_to_all_launch=float(f"{best:.4g}"))))
