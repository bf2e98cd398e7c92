"""Fit a network to the times of collectives among all devices, called by small programs."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TypeVar

from p2smt.cost.calibration.fit import Fit, fit_system
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import MEMORY, OVERLAP, parameters
from p2smt.cost.calibration.probes import CollectiveProbe, ExchangeProbe
from p2smt.cost.network.backend import Backend
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.network import System

Sent = TypeVar("Sent", CollectiveProbe, ExchangeProbe)

LAUNCH = 1e-4
"""The initial guess of a call's launch time, in seconds, if the system has no value."""


def fit_calls(system: System, backend: Backend, calls: Sequence[tuple[CollectiveProbe, float]]) -> Fit:
    """Fit the network's parameters to the seconds of calls among all devices, as `fit_system` does.

    All devices call together, so with several machines only the links between them are fitted; links inside machines,
    memory and overlap keep their values. `calls` must not include the time of the small sums after each call
    (`without_numbers`).
    """
    network = system.network
    began = replace(system, network=replace(network, launch=network.launch or LAUNCH))
    measurements = measurements_of(system, backend, calls)
    held = _inside(began) if prod(system.sizes[: system.machine + 1]) > 1 else frozenset[str]()
    return fit_system(began, measurements, leave_out=False, held=held)


def without_numbers(calls: Sequence[tuple[Sent, float]], number: float) -> list[tuple[Sent, float]]:
    """Subtract the time of the small sums after each call (`number` seconds each); at least half remains."""
    return [(call, max(seconds - call.small * number, seconds / 2)) for call, seconds in calls]


def measurements_of(
    system: System, backend: Backend, calls: Sequence[tuple[CollectiveProbe, float]]
) -> list[Measurement]:
    """Return calls among all devices as measurements for a fit."""
    levels = tuple(((Role.VARYING, size),) if size > 1 else () for size in system.sizes)
    everyone = Pattern(levels)
    return [
        Measurement(
            place=f"{call.collective} of {call.held:g} bytes",
            group=str(number),
            sizes=system.sizes,
            backend=backend,
            works=(Work(call.collective, everyone, call.held),),
            seconds=seconds,
        )
        for number, (call, seconds) in enumerate(calls)
    ]


def _inside(system: System) -> frozenset[str]:
    """Return the names of the parameters inside machines."""
    machines = {level.name for level in system.levels[: system.machine + 1]}
    inside = tuple(f"{link.name}." for link in system.network.links if link.level not in machines)
    return frozenset(
        name for name in parameters(system.network) if name in (MEMORY, OVERLAP) or name.startswith(inside)
    )
