"""Prices of collectives whose bytes are carried by the devices' own processors; the busiest processor is the limit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from p2smt.spmd.devices.network import PICO, CollectivePrice, NetworkModel
from p2smt.tensor.way import Way


@dataclass(frozen=True)
class CarriedNetwork:
    """Prices as the larger of a network's price and the time of the busiest device.

    `seconds[d]` is the time of device d per byte sent and per byte received; if the two counts differ, their mean is
    used. Byte counts follow gloo's ring algorithms, where a ReduceScatter is an AllReduce.
    """

    network: NetworkModel
    seconds: tuple[Fraction, ...]

    def all_reduce(self, count: int) -> CollectivePrice:
        """Price an AllReduce: every device sends `2 (n - 1) / n` times the tensor."""
        size = len(self.seconds)
        return self._longer(self.network.all_reduce(count), [Fraction(2 * (size - 1) * count, size)] * size)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Price an AllGather: a ring pads shards to the largest; otherwise devices send their shards to all others."""
        price = self.network.all_gather(count, parts)
        return self._longer(price, self._blocks(price.way, count, parts, 1))

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Price a ReduceScatter as a reversed AllGather; padded it costs twice that, as gloo runs an AllReduce."""
        price = self.network.reduce_scatter(count, parts)
        return self._longer(price, self._blocks(price.way, count, parts, 2))

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Price an all-to-all: each device sends its part of the old sharding and receives its part of the new one."""
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
