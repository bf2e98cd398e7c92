"""Fit what it takes to begin an all-to-all, which may be less than to begin other collectives, to the times of some."""

from collections.abc import Sequence
from dataclasses import replace
from math import log

from p2smt.collective import Collective
from p2smt.cost.calibration.probes import Exchanged
from p2smt.cost.network.backend import Backend
from p2smt.cost.network.members import MembersCost
from p2smt.problem.system.build import build_system
from p2smt.problem.system.network import System

NUMBER = 4.0
"""Bytes of the number that is summed up behind each."""
_LEAST = 1e-6


def with_exchanges(system: System, backend: Backend, exchanges: Sequence[tuple[Exchanged, float]]) -> System:
    """The system whose all-to-alls begin in the seconds that explain those of exchanges among all devices best.

    That is, with the least sum of |ln(predicted / measured)|; whatever else there is of the network stays.
    """
    network = system.network
    quick = replace(system, network=replace(network, all_to_all_launch=0.0))
    cost = MembersCost(quick, backend, system.present)
    number = cost.collective(Collective.ALL_REDUCE, NUMBER)
    bytes_ = [cost.exchange(each.held) for each, _ in exchanges]
    left = [seconds - number - moved for (_, seconds), moved in zip(exchanges, bytes_, strict=True)]

    def off(launch: float) -> float:
        pairs = zip(exchanges, bytes_, strict=True)
        return sum(abs(log((launch + moved + number) / seconds)) for (_, seconds), moved in pairs)

    best = min((max(each, _LEAST) for each in left), key=off, default=network.exchange_launch)
    return build_system(replace(system, network=replace(network, all_to_all_launch=float(f"{best:.4g}"))))
