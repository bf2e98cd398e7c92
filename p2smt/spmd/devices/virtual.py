"""Machines as devices of their own, data parallel inside (HAP, sections 3.1 and 6).

Such a device is as fast as its devices together. A collective takes three steps, one after the other: to the first
device of each machine (Reduce or Gather), among the first ones, and to all devices again (Broadcast or Scatter). Every
new version of a parameter takes an AllReduce of its gradient inside besides, as HAP adds it to what is computed, also
where a collective among the machines has summed the gradient inside already: what is priced is no less than is done.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from p2smt.collective import Collective
from p2smt.cost.network.backend import Backend
from p2smt.cost.network.members import MembersCost
from p2smt.errors import ProblemError
from p2smt.problem.system.network import System
from p2smt.spmd.devices.cluster import Cluster, Device, Inside
from p2smt.spmd.devices.network import CollectivePrice, GroupCost, ModelledNetwork, Network, NoNetwork, picoseconds


@dataclass(frozen=True)
class MachineInside:
    """Groups inside machines, for each size one; the largest takes longest, as none is without its links."""

    groups: tuple[tuple[int, GroupCost], ...]

    def all_reduce(self, count: int) -> int:
        """Picoseconds of an AllReduce of `count` bytes in every machine at once."""
        return self._longest(Collective.ALL_REDUCE, count)

    def reduce(self, count: int) -> int:
        """The price of a reduction to the first device of each machine."""
        return self._longest(Collective.REDUCE, count)

    def broadcast(self, count: int) -> int:
        """The price of a broadcast from the first device of each machine."""
        return self._longest(Collective.BROADCAST, count)

    def gather(self, count: int) -> int:
        """The price of gathering `count` bytes in all to the first device, whose link is the limit; scatters too."""
        times = (group.collective(Collective.ALL_GATHER, count / size) for size, group in self.groups)
        return picoseconds(max(times, default=0.0))

    def _longest(self, collective: Collective, count: int) -> int:
        times = (group.collective(collective, float(count)) for _, group in self.groups)
        return picoseconds(max(times, default=0.0))


@dataclass(frozen=True)
class ThreeSteps:
    """Collectives among machines: inside, across, inside."""

    across: Network
    inside: MachineInside

    def all_reduce(self, count: int) -> CollectivePrice:
        """Reduce, AllReduce, Broadcast."""
        return _longer(self.across.all_reduce(count), self.inside.reduce(count) + self.inside.broadcast(count))

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Gather, AllGather, Broadcast."""
        more = self.inside.gather(_largest(count, parts)) + self.inside.broadcast(count)
        return _longer(self.across.all_gather(count, parts), more)

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Reduce, ReduceScatter, Broadcast."""
        more = self.inside.reduce(count) + self.inside.broadcast(_largest(count, parts))
        return _longer(self.across.reduce_scatter(count, parts), more)

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Gather, an exchange, Scatter."""
        more = self.inside.gather(_largest(count, before)) + self.inside.gather(_largest(count, after))
        return _longer(self.across.all_to_all(count, before, after), more)


def _largest(count: int, parts: Sequence[Fraction]) -> int:
    return -int(-count * max(parts) // 1)


def _longer(price: CollectivePrice, more: int) -> CollectivePrice:
    return CollectivePrice(price.time + more, price.way)


def machines_of(system: System, cluster: Cluster, level: str, backend: Backend) -> Cluster:
    """The cluster whose devices are the machines of another. Devices of a machine are alike.

    ProblemError where `level` is not the one whose units are machines, and for a single machine.
    """
    _refuse_other_levels(system, level)
    if cluster.efforts.start:
        raise ProblemError(
            f"--virtual {level}: begun operations ([effort] start) are not divided in machines; drop one"
        )
    sizes = system.machine_sizes
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    numbers = [system.present[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    groups = {len(each): each for each in numbers if len(each) > 1}
    inside = MachineInside(tuple((size, MembersCost(system, backend, each)) for size, each in sorted(groups.items())))
    firsts = [each[0] for each in numbers]
    across: Network = ModelledNetwork(MembersCost(system, backend, firsts)) if len(firsts) > 1 else NoNetwork()
    devices = tuple(_together(cluster.devices[start], size) for start, size in zip(starts, sizes, strict=True))
    return replace(
        cluster, devices=devices, network=ThreeSteps(across, inside), inside=Inside(tuple(sizes), inside.all_reduce)
    )


def _together(device: Device, count: int) -> Device:
    """A machine as a device: the speed of all of its devices together, the memory of one."""
    model = None if device.model is None else device.model.times(count)
    return Device(f"{count}x{device.kind}", device.speed * count, device.memory, model)


def _refuse_other_levels(system: System, level: str) -> None:
    name = system.name or "the system"
    if system.machine < 0:
        raise ProblemError(f"--virtual {level[:40]}: all devices of {name} are in one machine; drop --virtual")
    machines = system.levels[system.machine].name
    if level != machines:
        raise ProblemError(f"--virtual {level[:40]}: machines of {name} are units of {machines}; write {machines}")
    if len(system.machine_sizes) < 2:
        raise ProblemError(f"--virtual {level}: {name} has one machine; there is nothing to shard over; drop --virtual")
