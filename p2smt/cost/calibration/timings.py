"""Measured times of collectives among all devices, stored in the system by payload."""

from dataclasses import replace
from typing import assert_never

from p2smt.collective import Collective
from p2smt.cost.calibration.collectives import without_numbers
from p2smt.cost.calibration.probes import CollectiveProbe, ProbeTimes
from p2smt.problem.system.build import build_system
from p2smt.problem.system.network import System
from p2smt.problem.system.timings import COLLECTIVES, Timing, Timings, never_less

NUMBER = 4
"""The bytes of a number."""


def with_timings(system: System, measured: ProbeTimes) -> System:
    """Return the system with the measured seconds of collectives, made nondecreasing in the payload."""
    ranks = system.devices
    timed: dict[str, list[tuple[int, float]]] = {name: [] for name in COLLECTIVES}
    timed["all_reduce"].append((NUMBER, measured.number))
    for call, seconds in without_numbers(measured.calls, measured.number):
        name, whole = _called(call, ranks)
        timed[name].append((round(whole), seconds))
    for each, seconds in without_numbers(measured.exchanges, measured.number):
        held = each.held * ranks if each.timing == "all_to_all" else each.held
        timed[each.timing].append((round(held), seconds))
    timings = Timings(**{name: _ascending(points) for name, points in timed.items()})
    return build_system(replace(system, timings=timings))


def _called(call: CollectiveProbe, ranks: int) -> tuple[str, float]:
    """Return the name of a call in timings, and the bytes of the whole tensor."""
    match call.collective:
        case Collective.ALL_REDUCE:
            return "all_reduce", call.held
        case Collective.REDUCE_SCATTER:
            return "reduce_scatter", call.held
        case Collective.ALL_GATHER:
            return "all_gather", call.held * ranks
        case Collective.BROADCAST | Collective.REDUCE:
            raise AssertionError(f"{call.collective} is not a collective of a plan")
        case _:
            assert_never(call.collective)


def _ascending(points: list[tuple[int, float]]) -> Timing:
    many = sorted(points)
    seconds = never_less([each for _, each in many])
    return tuple((count, float(f"{each:.4g}")) for (count, _), each in zip(many, seconds, strict=True))
