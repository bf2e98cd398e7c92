"""The machine that a step runs on, as the step-time model sees it: a device and two kinds of links."""

from dataclasses import dataclass
from math import prod

from p2smt.errors import ProblemError
from p2smt.job.step.accelerator import Accelerator, accelerators
from p2smt.problem.system.network import System

_REACHED = 0.9
"""Part of the nominal rate of a link that the parameters of systems say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Devices in domains of `domain`, joined by links of `link` bytes/s inside and cards of `card` bytes/s outside.

    Both are per device and direction. `memory` is bytes that a device holds; None: not known.
    """

    accelerator: Accelerator
    devices: int
    domain: int
    link: float
    card: float
    memory: float | None


def usual_cluster(accelerator: Accelerator, devices: int) -> Cluster:
    """The system that the accelerator usually comes in."""
    return Cluster(
        accelerator=accelerator,
        devices=devices,
        domain=accelerator.domain,
        link=accelerator.link,
        card=accelerator.card,
        memory=accelerator.memory,
    )


def cluster_of(system: System, accelerator: Accelerator | None = None, memory: float | None = None) -> Cluster:
    """The cluster that a system's links make, of `accelerator` or of that of its preset.

    Raises ProblemError where the accelerator is not known, and for machines of unlike size or kind.
    """
    if system.is_uneven:
        raise ProblemError(
            "machines have unlike numbers of devices; the step time is known for machines that are alike, "
            "so ask for those of one size"
        )
    if len({kind.name for kind in system.kinds}) > 1:
        names = ", ".join(sorted({kind.name for kind in system.kinds}))
        raise ProblemError(
            f"devices are of unlike kinds ({names}); a step waits for the slowest, so ask for the system of one kind"
        )
    chosen = accelerator or _accelerator_of(system)
    inner, outer = _rates(system)
    holds = memory if memory is not None else system.network.memory
    return Cluster(
        accelerator=chosen,
        devices=system.devices,
        domain=system.inside,
        link=inner,
        card=outer,
        memory=chosen.memory if holds is None else holds,
    )


def _accelerator_of(system: System) -> Accelerator:
    for one in accelerators().values():
        if system.name in one.systems:
            return one
    raise ProblemError(
        f"how fast the devices of {system.name or 'the system'} compute is not known; "
        f"give --device, one of {', '.join(accelerators())}"
    )


def _rates(system: System) -> tuple[float, float]:
    """Nominal bytes/s of a device inside its machine and outside; links of systems say what is left of them, 0.9."""
    machine = system.machine
    inside: list[float] = []
    outside: list[float] = []
    for number, level in enumerate(system.levels):
        link = system.network.at(level.name)[-1]
        below = prod(system.sizes[number + 1 :])
        rate = link.bandwidth * link.count / below / _REACHED
        (inside if number > machine else outside).append(rate)
    slowest = min(inside or outside)
    return slowest, min(outside) if outside else slowest
