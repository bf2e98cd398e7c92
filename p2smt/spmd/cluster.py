"""The devices that a program is sharded over: how fast each computes, what it holds, and what joins them."""

from dataclasses import dataclass

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
