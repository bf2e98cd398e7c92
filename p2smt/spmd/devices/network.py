"""Prices of collectives over all devices, with uneven shards too, by the cheapest of several implementations.

NCCL's AllGather and ReduceScatter need shards of equal size. Uneven ones are padded to the largest shard; or each shard
is broadcast from (reduced to) its owner in one group of calls (HAP, section 2.5.1); or all ranks exchange shards
directly (all-to-all).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from p2smt.collective import Collective
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.cost import Cost, Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.devices import Profile
from p2smt.reduction.plan.model import Plan
from p2smt.spmd.devices.shares import Parts
from p2smt.tensor.way import Way

PICO = 10**12


@dataclass(frozen=True, slots=True, order=True)
class CollectivePrice:
    """A price in picoseconds and the implementation it is for; `plan` is set if that is a reduction program."""

    time: int
    way: Way
    plan: Plan | None = field(default=None, compare=False, repr=False)


class NetworkModel(Protocol):
    """Prices collectives over all devices; `parts` has each device's fraction of the tensor, and sums to 1."""

    def all_reduce(self, count: int) -> CollectivePrice:
        """Price an AllReduce of a tensor of `count` bytes."""
        ...

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Price an AllGather whose result has `count` bytes."""
        ...

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Price a ReduceScatter of a tensor of `count` bytes on each device."""
        ...

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Price an all-to-all that changes the sharding of a tensor of `count` bytes in total."""
        ...


def picoseconds(seconds: float) -> int:
    """Return seconds as a whole number of picoseconds."""
    # Whole picoseconds: sums are exact in any order, which bounds and their certificates need.
    return round(seconds * PICO)


_NOTHING = CollectivePrice(0, Way.PLAIN)


def largest(parts: Sequence[Fraction]) -> Fraction:
    """Return the largest part."""
    return parts.largest if isinstance(parts, Parts) else max(parts)


class GroupCost(Protocol):
    """A cost model of a single collective over all devices of a group, in seconds."""

    def one_more(self, collective: Collective) -> float:
        """Return the seconds that one more call in a group of calls adds, apart from its bytes."""
        ...

    def collective(self, collective: Collective, held: float) -> float:
        """Return the seconds of a collective whose root holds `held` bytes before it."""
        ...

    def exchange(self, held: float) -> float:
        """Return the seconds of an all-to-all in which every device holds `held` bytes before and after."""
        ...


@dataclass(frozen=True)
class LevelCost:
    """A level-by-level cost model (`cost/network/`) of a system whose machines are of equal size."""

    cost: Cost

    def one_more(self, collective: Collective) -> float:
        """Return the seconds that one more call adds: NCCL pays latency once per group, gloo runs calls one by one."""
        return self.cost.in_turn(self.cost.work_cost(Work(collective, self._pattern, 0.0)))

    @property
    def _pattern(self) -> Pattern:
        levels = self.cost.system.levels
        return Pattern(tuple(((Role.VARYING, level.size),) if level.size > 1 else () for level in levels))

    def collective(self, collective: Collective, held: float) -> float:
        """Return the seconds of a collective over all devices whose root holds `held` bytes, by the link loads."""
        return self.cost.work_cost(Work(collective, self._pattern, held)).seconds

    def exchange(self, held: float) -> float:
        """Return the seconds of an all-to-all over all devices of `held` bytes each, by the loads of the links."""
        return all_to_all_cost(self._pattern, held, self.cost.system).seconds


@dataclass(frozen=True)
class ModelledNetwork:
    """Prices from a cost model of the links between devices."""

    group: GroupCost
    _times: dict[tuple[Collective | None, float], int] = field(default_factory=dict, compare=False, repr=False)

    def all_reduce(self, count: int) -> CollectivePrice:
        """Price the library's AllReduce."""
        return CollectivePrice(self._call(Collective.ALL_REDUCE, count), Way.PLAIN)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the cheapest of a padded AllGather, grouped broadcasts, and an all-to-all."""
        padded = float(count * largest(parts))
        return min(
            CollectivePrice(self._call(Collective.ALL_GATHER, padded), Way.PADDED),
            self.grouped(Collective.BROADCAST, count, parts),
            CollectivePrice(self._exchange(padded * len(parts)), Way.EXCHANGE),
        )

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the cheapest of a padded ReduceScatter, grouped reductions, and an all-to-all with local sums."""
        padded = float(count * largest(parts))
        return min(
            CollectivePrice(self._call(Collective.REDUCE_SCATTER, padded * len(parts)), Way.PADDED),
            self.grouped(Collective.REDUCE, count, parts),
            CollectivePrice(self._exchange(padded * len(parts)), Way.EXCHANGE),
        )

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Price an all-to-all with uneven splits; the device that sends or receives most is the limit."""
        return CollectivePrice(self._exchange(float(count * max(largest(before), largest(after)))), Way.EXCHANGE)

    def grouped(self, collective: Collective, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Price one call for each device with a nonempty shard, all in one group of calls."""
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
    """Prices from measured rates of whole collectives: a latency plus the bytes of the padded tensor at a rate."""

    profile: Profile

    def all_reduce(self, count: int) -> CollectivePrice:
        """Price an AllReduce of the whole tensor."""
        return self._price(count, self.profile.all_reduce, Way.PLAIN)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the cheaper of a padded AllGather and grouped broadcasts."""
        padded = count * largest(parts) * len(parts)
        return min(
            self._price(padded, self.profile.all_gather, Way.PADDED),
            self._price(count, self.profile.all_gather_grouped, Way.GROUPED),
        )

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the cheaper of a padded ReduceScatter and grouped reductions."""
        padded = count * largest(parts) * len(parts)
        return min(
            self._price(padded, self.profile.reduce_scatter, Way.PADDED),
            self._price(count, self.profile.reduce_scatter_grouped, Way.GROUPED),
        )

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Price an all-to-all as if every device had the largest shard."""
        return self._price(
            count * max(largest(before), largest(after)) * len(before), self.profile.all_to_all, Way.EXCHANGE
        )

    def _price(self, count: int | Fraction, rate: float, way: Way) -> CollectivePrice:
        return CollectivePrice(picoseconds(self.profile.latency + (float(count) / rate)), way)


@dataclass(frozen=True)
class NoNetwork:
    """A network of one device, where every collective is free."""

    def all_reduce(self, count: int) -> CollectivePrice:
        """Return the price 0."""
        return _NOTHING

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the price 0."""
        return _NOTHING

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the price 0."""
        return _NOTHING

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Return the price 0."""
        return _NOTHING
