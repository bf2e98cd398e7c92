"""Prices of collectives from their measured times on all devices, by the fastest implementation."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from p2smt.collective import Collective
from p2smt.problem.system.timings import Timing, Timings, seconds_of
from p2smt.spmd.devices.network import CollectivePrice, ModelledNetwork, largest, picoseconds
from p2smt.tensor.way import Way


@dataclass(frozen=True)
class TimedNetwork:
    """Prices from measured times, with shards padded to the largest; grouped calls are priced by the link model."""

    timings: Timings
    modelled: ModelledNetwork

    def all_reduce(self, count: int) -> CollectivePrice:
        """Price the library's AllReduce."""
        return _price(self.timings.all_reduce, count, Way.PLAIN)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the cheapest of the library's padded AllGather, grouped broadcasts, and an all-to-all."""
        padded = _padded(count, parts)
        return min(
            _price(self.timings.all_gather, padded, Way.PADDED),
            self.modelled.grouped(Collective.BROADCAST, count, parts),
            _price(self.timings.all_gather_exchanged, padded, Way.EXCHANGE),
        )

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the cheapest of the library's padded ReduceScatter, grouped reductions, and an all-to-all."""
        padded = _padded(count, parts)
        return min(
            _price(self.timings.reduce_scatter, padded, Way.PADDED),
            self.modelled.grouped(Collective.REDUCE, count, parts),
            _price(self.timings.reduce_scatter_exchanged, padded, Way.EXCHANGE),
        )

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Price an all-to-all as if every device sent and received as much as the busiest one."""
        most = max(_padded(count, before), _padded(count, after))
        return _price(self.timings.all_to_all, most, Way.EXCHANGE)


def _padded(count: int, parts: Sequence[Fraction]) -> float:
    return float(count * largest(parts) * len(parts))


def _price(timing: Timing, count: float, way: Way) -> CollectivePrice:
    return CollectivePrice(picoseconds(seconds_of(timing, count)), way)
