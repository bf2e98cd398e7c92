"""Prices of collectives that may run as reduction programs over a system's levels, if those are faster."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from p2smt.collective import Collective
from p2smt.spmd.devices.level_programs import LevelPrograms
from p2smt.spmd.devices.network import CollectivePrice, NetworkModel, picoseconds
from p2smt.tensor.way import Way


@dataclass(frozen=True)
class ProgrammedNetwork:
    """Prices as the cheaper of a network's collective and a reduction program; shards are padded to the largest."""

    network: NetworkModel
    programs: LevelPrograms

    def all_reduce(self, count: int) -> CollectivePrice:
        """Return the cheaper of the network's AllReduce and a reduction program."""
        return self._faster(self.network.all_reduce(count), Collective.ALL_REDUCE, count)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the cheaper of the network's AllGather and a reduction program for padded shards."""
        padded = ceil(count * max(parts) * len(parts))
        return self._faster(self.network.all_gather(count, parts), Collective.ALL_GATHER, padded)

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the cheaper of the network's ReduceScatter and a reduction program for padded shards."""
        padded = ceil(count * max(parts) * len(parts))
        return self._faster(self.network.reduce_scatter(count, parts), Collective.REDUCE_SCATTER, padded)

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Return the network's price; no reduction program implements an all-to-all."""
        return self.network.all_to_all(count, before, after)

    def _faster(self, price: CollectivePrice, goal: Collective, count: int) -> CollectivePrice:
        found = self.programs.fastest(goal, count)
        if found is None:
            return price
        seconds, plan = found
        return min(price, CollectivePrice(picoseconds(seconds), Way.PROGRAM, plan))
