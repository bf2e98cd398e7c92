"""Machines as virtual devices that are data parallel inside (HAP, sections 3.1 and 6).

A virtual device is as fast as its devices together. A collective takes three steps, one after the other: to the first
device of each machine (Reduce or Gather), across first devices, and back to all devices (Broadcast or Scatter). Every
parameter update adds an AllReduce of the gradient inside each machine, as in HAP, even if a collective across machines
has already summed that gradient; the price is therefore an upper bound.
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
from p2smt.spmd.devices.network import CollectivePrice, GroupCost, ModelledNetwork, NetworkModel, NoNetwork, picoseconds


@dataclass(frozen=True)
class MachineInside:
    """Cost models of the groups inside machines, one per group size. The largest time of all groups is the price."""

    groups: tuple[tuple[int, GroupCost], ...]

    def all_reduce(self, count: int) -> int:
        """Return the picoseconds of an AllReduce of `count` bytes in all machines at once."""
        return self._longest(Collective.ALL_REDUCE, count)

    def reduce(self, count: int) -> int:
        """Return the picoseconds of a reduction of `count` bytes to the first device of each machine."""
        return self._longest(Collective.REDUCE, count)

    def broadcast(self, count: int) -> int:
        """Return the picoseconds of a broadcast of `count` bytes from the first device of each machine."""
        return self._longest(Collective.BROADCAST, count)

    def gather(self, count: int) -> int:
        """Return the picoseconds of a gather of `count` bytes in total to the first device, or of a scatter from it."""
        times = (group.collective(Collective.ALL_GATHER, count / size) for size, group in self.groups)
        return picoseconds(max(times, default=0.0))

    def _longest(self, collective: Collective, count: int) -> int:
        times = (group.collective(collective, float(count)) for _, group in self.groups)
        return picoseconds(max(times, default=0.0))


@dataclass(frozen=True)
class ThreeSteps:
    """Collectives among machines in three steps: inside each machine, across machines, inside each machine."""

    across: NetworkModel
    inside: MachineInside

    def all_reduce(self, count: int) -> CollectivePrice:
        """Price Reduce, AllReduce, Broadcast."""
        return _longer(self.across.all_reduce(count), self.inside.reduce(count) + self.inside.broadcast(count))

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Price Gather, AllGather, Broadcast."""
        more = self.inside.gather(_largest(count, parts)) + self.inside.broadcast(count)
        return _longer(self.across.all_gather(count, parts), more)

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Price Reduce, ReduceScatter, Broadcast."""
        more = self.inside.reduce(count) + self.inside.broadcast(_largest(count, parts))
        return _longer(self.across.reduce_scatter(count, parts), more)

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Price Gather, all-to-all, Scatter."""
        more = self.inside.gather(_largest(count, before)) + self.inside.gather(_largest(count, after))
        return _longer(self.across.all_to_all(count, before, after), more)


def _largest(count: int, parts: Sequence[Fraction]) -> int:
    return -int(-count * max(parts) // 1)


def _longer(price: CollectivePrice, more: int) -> CollectivePrice:
    return CollectivePrice(price.time + more, price.way)


def machines_of(system: System, cluster: Cluster, level: str, backend: Backend) -> Cluster:
    """Return the cluster whose devices are the machines of another cluster; the devices of a machine are identical.

    Raises ProblemError if `level` is not the level of machines, or if there is only one machine.
    """
    _refuse_other_levels(system, level)
    if cluster.efforts.start:
        raise ProblemError(
            f"--virtual {level}: the cost per operation ([effort] start) cannot be divided among the "
            "devices of a machine; leave out start or --virtual"
        )
    sizes = system.machine_sizes
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    numbers = [system.present[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    groups = {len(each): each for each in numbers if len(each) > 1}
    inside = MachineInside(tuple((size, MembersCost(system, backend, each)) for size, each in sorted(groups.items())))
    firsts = [each[0] for each in numbers]
    across: NetworkModel = ModelledNetwork(MembersCost(system, backend, firsts)) if len(firsts) > 1 else NoNetwork()
    devices = tuple(_together(cluster.devices[start], size) for start, size in zip(starts, sizes, strict=True))
    return replace(
        cluster, devices=devices, network=ThreeSteps(across, inside), inside=Inside(tuple(sizes), inside.all_reduce)
    )


def _together(device: Device, count: int) -> Device:
    """Return a machine as one device: the total speed of its devices, and the memory of one of them."""
    model = None if device.model is None else device.model.times(count)
    return Device(f"{count}x{device.kind}", device.speed * count, device.memory, model)


def _refuse_other_levels(system: System, level: str) -> None:
    name = system.name or "the system"
    if system.machine < 0:
        raise ProblemError(f"--virtual {level[:40]}: all devices of {name} are in one machine; leave --virtual out")
    machines = system.levels[system.machine].name
    if level != machines:
        raise ProblemError(f"--virtual {level[:40]}: machines of {name} are units of {machines}; write {machines}")
    if len(system.machine_sizes) < 2:
        raise ProblemError(
            f"--virtual {level}: {name} has one machine, so there is nothing to shard over; leave --virtual out"
        )
