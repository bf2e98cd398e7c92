"""The devices that a program is sharded over: speed, memory, and the network between them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2smt.problem.system.device_model import DeviceModel
from p2smt.spmd.devices.effort import PLAIN, Efforts
from p2smt.spmd.devices.network import PICO, NetworkModel


@dataclass(frozen=True, slots=True)
class Device:
    """A device: its kind, its speed in operations per second, and its memory in bytes (None: unknown).

    `model` is a roofline model that prices computation; None prices it by `speed`. With a model, `speed` only
    determines uneven sharding ratios.
    """

    kind: str
    speed: int
    memory: int | None = None
    model: DeviceModel | None = None


@dataclass(frozen=True, slots=True)
class Inside:
    """The devices inside each machine, if the cluster's devices are machines: `counts` has their number.

    `all_reduce` maps a number of bytes to the picoseconds of an AllReduce inside the machine.
    """

    counts: tuple[int, ...]
    all_reduce: Callable[[int], int]

    def held(self, *, kept: Sequence[int], gradients: Sequence[int], peak: Sequence[int]) -> tuple[int, ...]:
        """Return the peak bytes of one device inside each machine.

        `kept`, `gradients` and `peak` are the bytes of a whole machine. Parameters and states (`kept`) and their
        gradients are replicated on each of its devices; the rest of `peak` is divided among them.
        """
        return tuple(
            most if count == 1 else mine + more - (-(most - mine) // count)
            for count, mine, more, most in zip(self.counts, kept, gradients, peak, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Cluster:
    """Devices in rank order, and the prices of collectives over all of them.

    `inside` describes the devices inside machines; None if devices are single ones. A machine's `memory` is that of
    one of its devices. `tf32` allows TF32 for products of float32 matrices. `computing` describes how computation is
    priced.
    """

    name: str
    devices: tuple[Device, ...]
    network: NetworkModel
    inside: Inside | None = None
    efforts: Efforts = PLAIN
    tf32: bool = False
    computing: str = ""

    @property
    def models(self) -> tuple[DeviceModel, ...]:
        """Return the roofline models of all devices; empty if computation is priced by speed."""
        models = tuple([device.model for device in self.devices if device.model is not None])
        return models if len(models) == len(self.devices) else ()

    @property
    def rates(self) -> tuple[int, ...]:
        """Return each device's work per second: its speed, or 10^12 with roofline models (work is in picoseconds)."""
        return (PICO,) * len(self.devices) if self.models else self.speeds

    @property
    def speeds(self) -> tuple[int, ...]:
        """Return the speeds of all devices in operations per second."""
        return tuple(device.speed for device in self.devices)


def capped(cluster: Cluster, most: int | None) -> Cluster:
    """Return the cluster with the memory of each device limited to `most` bytes; None leaves it as it is."""
    if most is None:
        return cluster
    devices = tuple(
        replace(device, memory=most if device.memory is None else min(most, device.memory))
        for device in cluster.devices
    )
    return replace(cluster, devices=devices)
