"""The devices that a program is sharded over: how fast each computes, what it holds, and what joins them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2smt.problem.system.device_model import DeviceModel
from p2smt.spmd.devices.effort import PLAIN, Efforts
from p2smt.spmd.devices.network import PICO, Network


@dataclass(frozen=True, slots=True)
class Device:
    """A device: its kind, operations on numbers per second, and memory in bytes (None: unknown).

    `model` prices computing by rooflines; None: by the speed. With a model the speed says what uneven shares go by.
    """

    kind: str
    speed: int
    memory: int | None = None
    model: DeviceModel | None = None


@dataclass(frozen=True, slots=True)
class Inside:
    """The devices inside a device that is a machine: how many, and of what kind.

    `all_reduce` are the picoseconds that a gradient of so many bytes takes to be summed inside.
    """

    counts: tuple[int, ...]
    all_reduce: Callable[[int], int]

    def held(self, *, kept: Sequence[int], gradients: Sequence[int], peak: Sequence[int]) -> tuple[int, ...]:
        """Bytes that each of the devices inside holds, of what a machine keeps from step to step and at its peak.

        Parameters and states, and gradients beside them, are whole on each; the rest is divided among them.
        """
        return tuple(
            most if count == 1 else mine + more - (-(most - mine) // count)
            for count, mine, more, most in zip(self.counts, kept, gradients, peak, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Cluster:
    """Devices in the order of their numbers, and what collectives among all of them take.

    `inside` is of devices that are machines; None: they are single ones. A machine's `memory` is that of one device.
    With `tf32` products of float32 numbers may be made in that type. `computing` says how computing is priced.
    """

    name: str
    devices: tuple[Device, ...]
    network: Network
    inside: Inside | None = None
    efforts: Efforts = PLAIN
    tf32: bool = False
    computing: str = ""

    @property
    def models(self) -> tuple[DeviceModel, ...]:
        """The models of all devices; empty where computing is priced by speeds."""
        models = tuple([device.model for device in self.devices if device.model is not None])
        return models if len(models) == len(self.devices) else ()

    @property
    def rates(self) -> tuple[int, ...]:
        """Return the work of devices in a second: their speeds; picoseconds where they have models."""
        return (PICO,) * len(self.devices) if self.models else self.speeds

    @property
    def speeds(self) -> tuple[int, ...]:
        """The speeds of all devices."""
        return tuple(device.speed for device in self.devices)


def capped(cluster: Cluster, most: int | None) -> Cluster:
    """The cluster whose devices hold at most so many bytes; None: what they hold."""
    if most is None:
        return cluster
    devices = tuple(
        replace(device, memory=most if device.memory is None else min(most, device.memory))
        for device in cluster.devices
    )
    return replace(cluster, devices=devices)
