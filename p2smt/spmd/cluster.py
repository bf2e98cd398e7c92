"""The devices that a program is sharded over: how fast each computes, what it holds, and what joins them."""

from dataclasses import dataclass, replace

from p2smt.spmd.network import Network


@dataclass(frozen=True, slots=True)
class Device:
    """A device: its kind, operations on numbers per second, and bytes that it holds (None: not known)."""

    kind: str
    speed: int
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """Devices in the order of their numbers, and what collectives among all of them take."""

    name: str
    devices: tuple[Device, ...]
    network: Network

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
