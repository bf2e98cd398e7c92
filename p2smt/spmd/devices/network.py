"""Costs of collectives among all devices, for uneven parts too, by the cheapest of several implementations.

NCCL's AllGather and ReduceScatter take shards of one size: shards are padded to the largest. Or every shard is
broadcast from its owner (reduced to it) in one group of calls, without padding (HAP, section 2.5.1). Or every device
sends its shard to every other itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from p2smt.collective import Collective
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Cost
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.devices import Profile
from p2smt.reduction.plan.model import Plan
from p2smt.spmd.devices.shares import Parts
from p2smt.tensor.way import Way

PICO = 10**12


@dataclass(frozen=True, slots=True, order=True)
class CollectivePrice:
    """Picoseconds, and the implementation; `plan` is the reduction program's, if it is one."""

    time: int
    way: Way
    plan: Plan | None = field(default=None, compare=False, repr=False)


class Network(Protocol):
    """Prices collectives among all devices; `parts` are the devices' parts of the whole, which sum to 1."""

    def all_reduce(self, count: int) -> CollectivePrice:
        """The price for a tensor of `count` bytes."""
        ...

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The price for a tensor of `count` bytes in all."""
        ...

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The price for a tensor of `count` bytes on each device."""
        ...

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """The price for a tensor of `count` bytes in all, from one cut to another."""
        ...


def picoseconds(seconds: float) -> int:
    """Seconds as a whole number of picoseconds."""
    # Whole picoseconds: sums are exact in any order, which bounds and their certificates need.
    return round(seconds * PICO)


_NOTHING = CollectivePrice(0, Way.PLAIN)


def largest(parts: Sequence[Fraction]) -> Fraction:
    """The largest part."""
    return parts.largest if isinstance(parts, Parts) else max(parts)


class GroupCost(Protocol):
    """A cost model of one collective call among all devices of a cluster, in seconds."""

    def one_more(self, collective: Collective) -> float:
        """One more call of a collective in a group of such calls, beside its bytes."""
        ...

    def collective(self, collective: Collective, held: float) -> float:
        """A collective whose root holds `held` bytes before."""
        ...

    def exchange(self, held: float) -> float:
        """An all-to-all before and after which every device holds `held` bytes."""
        ...


@dataclass(frozen=True)
class LevelCost:
    """A cost model of a system whose machines are of one size, level by level (`cost/network/`)."""

    cost: Cost

    def one_more(self, collective: Collective) -> float:
        """Time in which no other call makes progress: NCCL's groups pay latency once; gloo makes call after call."""
        return self.cost.in_turn(self.cost.work_cost(Work(collective, self._pattern, 0.0)))

    @property
    def _pattern(self) -> Pattern:
        levels = self.cost.system.levels
        return Pattern(tuple(((Role.VARYING, level.size),) if level.size > 1 else () for level in levels))

    def collective(self, collective: Collective, held: float) -> float:
        """By the loads of the pattern of all devices."""
        return self.cost.work_cost(Work(collective, self._pattern, held)).seconds

    def exchange(self, held: float) -> float:
        """The same."""
        return all_to_all_cost(self._pattern, held, self.cost.system).seconds


@dataclass(frozen=True)
class ModelledNetwork:
    """Prices from a model of the links that join the devices."""

    group: GroupCost
    _times: dict[tuple[Collective | None, float], int] = field(default_factory=dict, compare=False, repr=False)

    def all_reduce(self, count: int) -> CollectivePrice:
        """NCCL's own."""
        return CollectivePrice(self._call(Collective.ALL_REDUCE, count), Way.PLAIN)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The cheapest of padding, broadcasts in a group, and an exchange."""
        padded = float(count * largest(parts))
        return min(
            CollectivePrice(self._call(Collective.ALL_GATHER, padded), Way.PADDED),
            self.grouped(Collective.BROADCAST, count, parts),
            CollectivePrice(self._exchange(padded * len(parts)), Way.EXCHANGE),
        )

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The cheapest of padding, reductions in a group, and an exchange of what is then added up."""
        padded = float(count * largest(parts))
        return min(
            CollectivePrice(self._call(Collective.REDUCE_SCATTER, padded * len(parts)), Way.PADDED),
            self.grouped(Collective.REDUCE, count, parts),
            CollectivePrice(self._exchange(padded * len(parts)), Way.EXCHANGE),
        )

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Split sizes as they are: the device that sends or gets most is waited for."""
        return CollectivePrice(self._exchange(float(count * max(largest(before), largest(after)))), Way.EXCHANGE)

    def grouped(self, collective: Collective, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """A call for each device that has a part, all in one group of calls."""
        calls = parts.present if isinstance(parts, Parts) else sum(1 for part in parts if part)
        more = picoseconds((calls - 1) * self.group.one_more(collective))
        return CollectivePrice(self._call(collective, count) + more, Way.GROUPED)

    def _call(self, collective: Collective, held: float) -> int:
        key = (collective, held)
        if key not in self._times:
            self._times[key] = picoseconds(self.group.collective(collective, held))
        return self._times[key]

    def _exchange(self, held: float) -> int:
        key = (None, held)
        if key not in self._times:
            self._times[key] = picoseconds(self.group.exchange(held))
        return self._times[key]


@dataclass(frozen=True)
class ProfiledNetwork:
    """Prices from measured rates of whole collectives: a latency, and bytes of the whole, padded tensor at a rate."""

    profile: Profile

    def all_reduce(self, count: int) -> CollectivePrice:
        """All of the tensor."""
        return self._price(count, self.profile.all_reduce, Way.PLAIN)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Padded, or in a group of broadcasts."""
        padded = count * largest(parts) * len(parts)
        return min(
            self._price(padded, self.profile.all_gather, Way.PADDED),
            self._price(count, self.profile.all_gather_grouped, Way.GROUPED),
        )

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Padded, or in a group of reductions."""
        padded = count * largest(parts) * len(parts)
        return min(
            self._price(padded, self.profile.reduce_scatter, Way.PADDED),
            self._price(count, self.profile.reduce_scatter_grouped, Way.GROUPED),
        )

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """The price if all devices had the largest part."""
        return self._price(
            count * max(largest(before), largest(after)) * len(before), self.profile.all_to_all, Way.EXCHANGE
        )

    def _price(self, count: int | Fraction, rate: float, way: Way) -> CollectivePrice:
        return CollectivePrice(picoseconds(self.profile.latency + (float(count) / rate)), way)


@dataclass(frozen=True)
class NoNetwork:
    """One device: there is nothing to send."""

    def all_reduce(self, count: int) -> CollectivePrice:
        """Nothing."""
        return _NOTHING

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Nothing."""
        return _NOTHING

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Nothing."""
        return _NOTHING

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Nothing."""
        return _NOTHING
