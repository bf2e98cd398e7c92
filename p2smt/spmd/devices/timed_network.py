"""Prices of collectives among all devices that were timed on them, each in the fastest of its ways."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from p2smt.collective import Collective
from p2smt.problem.system.timings import Timing, Timings, seconds_of
from p2smt.spmd.devices.network import CollectivePrice, ModelledNetwork, largest, picoseconds
from p2smt.tensor.way import Way


@dataclass(frozen=True)
class TimedNetwork:
    """A cost model of measured times, for shards as long as the largest; calls in groups use the model of the links."""

    timings: Timings
    modelled: ModelledNetwork

    def all_reduce(self, count: int) -> CollectivePrice:
        """The price of the library's own all-reduce."""
        return _price(self.timings.all_reduce, count, Way.PLAIN)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The cheapest of the library's own call (padded), broadcasts in a group, and an exchange."""
        padded = _padded(count, parts)
        return min(
            _price(self.timings.all_gather, padded, Way.PADDED),
            self.modelled.grouped(Collective.BROADCAST, count, parts),
            _price(self.timings.all_gather_exchanged, padded, Way.EXCHANGE),
        )

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The fastest of the library's, padded, reductions in a group, and an exchange."""
        padded = _padded(count, parts)
        return min(
            _price(self.timings.reduce_scatter, padded, Way.PADDED),
            self.modelled.grouped(Collective.REDUCE, count, parts),
            _price(self.timings.reduce_scatter_exchanged, padded, Way.EXCHANGE),
        )

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """The price if all devices had as much as the one that sends or gets most."""
        most = max(_padded(count, before), _padded(count, after))
        return _price(self.timings.all_to_all, most, Way.EXCHANGE)


def _padded(count: int, parts: Sequence[Fraction]) -> float:
    return float(count * largest(parts) * len(parts))


def _price(timing: Timing, count: float, way: Way) -> CollectivePrice:
    return CollectivePrice(picoseconds(seconds_of(timing, count)), way)
