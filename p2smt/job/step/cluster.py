"""The cluster as the step-time model sees it: a device and two kinds of links."""

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from math import prod

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.device_model_entries import device_model
from p2smt.problem.system.device_models import device_models
from p2smt.problem.system.network import System
from p2smt.problem.transformer.split import Dispatcher
from p2smt.problem.typed import convert_checked
from p2smt.wording import did_you_mean

_SEND_SHARE = 0.304
"""Fraction of a network card's rate that one send reaches if the system does not say: 15.2 of 50 GB/s on DGX H100."""

_REACHED = 0.9
"""Fraction of a link's nominal rate that systems give as its bandwidth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCluster:
    """Devices in domains of size `domain`, with links of `link` bytes/s inside and cards of `card` bytes/s outside.

    Both rates are per device and direction. `send` is the rate in bytes/s of a single send between domains.
    `memory` is a device's capacity in bytes. `half` is the peak operations/s of 16-bit products, and `eighth`
    that of 8-bit products (0 if not supported). `name` is the device's name in published runs.
    """

    name: str
    device: DeviceModel
    devices: int
    domain: int
    link: float
    card: float
    send: float
    memory: float
    half: float
    eighth: float

    @property
    def dispatcher(self) -> Dispatcher:
        """The fastest dispatcher of tokens to experts that supports the device.

        Source: `apply_flex_dispatcher_backend` of Megatron-Bridge.
        """
        if self.name in _HYBRID_EP:
            return Dispatcher.HYBRIDEP
        return Dispatcher.DEEPEP if self.name in _DEEP_EP else Dispatcher.ALLTOALL


_HYBRID_EP = ("GB200", "GB300")
_DEEP_EP = ("A100-40", "A100-80", "A800", "H100", "H200", "H800", "B200", "B300")


class UsualCluster(msgspec.Struct, frozen=True, kw_only=True):
    """A `[[cluster]]` table: a device model, and the links of the machines in which it is usually installed."""

    name: str
    model: str
    link: float
    card: float
    domain: int


class _File(msgspec.Struct, frozen=True):
    cluster: tuple[UsualCluster, ...]


@cache
def usual_clusters() -> dict[str, UsualCluster]:
    """Return the usual machines by the device's name in published runs."""
    text = resources.files("p2smt.job.step").joinpath("usual_clusters.toml").read_text(encoding="utf-8")
    found = convert_checked(tomllib.loads(text), _File, "usual_clusters.toml", ProblemError)
    return {one.name: one for one in found.cluster}


def usual_cluster(name: str, devices: int) -> StepCluster:
    """Return `devices` devices in their usual machines. Raises ProblemError for an unknown name.

    >>> usual_cluster("H100", 64).half
    989000000000000.0
    """
    if name not in usual_clusters():
        known = ", ".join(usual_clusters())
        raise ProblemError(
            f"device {name[:40]!r} is unknown; choose one of {known}{did_you_mean(name, usual_clusters())}"
        )
    usual = usual_clusters()[name]
    return _cluster(device_model(usual.model), devices, usual.domain, usual.link, usual.card)


def cluster_of(system: System, memory: float | None = None) -> StepCluster:
    """Return the cluster formed by a system's devices and links.

    Raises ProblemError if machines differ in size or kind.
    """
    if system.is_uneven:
        raise ProblemError(
            "machines have different numbers of devices; step times are predicted for machines of one "
            "size only, so give such a system"
        )
    models = dict.fromkeys(device_models(system))
    if len(models) > 1:
        names = ", ".join(model.name for model in models)
        raise ProblemError(
            f"devices are of different kinds ({names}); step times are predicted for one kind, so give a system "
            "of the slowest kind"
        )
    (device,) = models
    inner, outer = _rates(system)
    holds = memory if memory is not None else system.network.memory
    between = {level.name for level in system.levels[: system.machine + 1]}
    rates = [link.send_flow for link in system.network.links if link.level in between]
    found = _cluster(device, system.devices, system.inside, inner, outer, holds)
    known = [rate for rate in rates if rate is not None]
    return replace(found, send=min([found.card, *known])) if known else found


def _cluster(
    device: DeviceModel, devices: int, domain: int, link: float, card: float, memory: float | None = None
) -> StepCluster:
    peaks = dict(device.peaks)
    name = next((one.name for one in usual_clusters().values() if one.model == device.name), device.name)
    return StepCluster(
        name=name,
        device=device,
        devices=devices,
        domain=domain,
        link=link,
        card=card,
        send=_SEND_SHARE * card,
        memory=device.memory if memory is None else memory,
        half=peaks.get("bfloat16", peaks.get("float16", peaks["float32"])),
        eighth=peaks.get("float8", 0.0),
    )


def _rates(system: System) -> tuple[float, float]:
    """Return the nominal bytes/s of a device inside its machine and outside."""
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
