"""Prices of collectives whose bytes the devices' own processors carry, bound by the busiest processor."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from p2smt.spmd.devices.network import PICO, CollectivePrice, Network
from p2smt.tensor.way import Way


@dataclass(frozen=True)
class CarriedNetwork:
    """A network's prices, or what devices take for the bytes that they send and get where that is more.

    `seconds` are of each device for a byte that it sends and one that it gets; the mean of both counts where they
    differ. A ring's bytes are those of gloo, whose ReduceScatter is an AllReduce.
    """

    network: Network
    seconds: tuple[Fraction, ...]

    def all_reduce(self, count: int) -> CollectivePrice:
        """Every device sends all of a tensor nearly twice."""
        size = len(self.seconds)
        return self._longer(self.network.all_reduce(count), [Fraction(2 * (size - 1) * count, size)] * size)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Around a ring every shard is as long as the largest; else a device sends its own to all."""
        price = self.network.all_gather(count, parts)
        return self._longer(price, self._blocks(price.way, count, parts, 1))

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The same the other way round, and twice where it is an AllReduce."""
        price = self.network.reduce_scatter(count, parts)
        return self._longer(price, self._blocks(price.way, count, parts, 2))

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """The price of sending everything that a device has before to all others, which send what it has after."""
        pairs = list(zip(before, after, strict=True))
        moved = [count * (old * (1 - new) + new * (1 - old)) / 2 for old, new in pairs]
        return self._longer(self.network.all_to_all(count, before, after), moved)

    def _blocks(self, way: Way, count: int, parts: Sequence[Fraction], times: int) -> list[Fraction]:
        others = len(parts) - 1
        if way is Way.PADDED:
            return [times * others * count * max(parts)] * len(parts)
        return [count * ((1 - part) + others * part) / 2 for part in parts]

    def _longer(self, price: CollectivePrice, moved: Iterable[Fraction]) -> CollectivePrice:
        busiest = max(bytes_ * each for bytes_, each in zip(moved, self.seconds, strict=True))
        return replace(price, time=max(price.time, round(busiest * PICO)))
