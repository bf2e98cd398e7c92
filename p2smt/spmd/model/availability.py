"""Convert a tensor from the layout that it is produced in to several other layouts at the least total cost.

Problem: a minimum directed Steiner tree (arborescence) over layouts, rooted at the layout produced; it may pass through
layouts that nobody needs. With free(S) the closure of a set S under conversions at no cost,

    cost(free({root})) = 0,
    cost(free(S with j)) = min over conversions i to j with i in S of  cost(S) + price[i][j].

Method: Dijkstra's search over sets of layouts ("A note on two problems in connexion with graphs", 1959), as bit masks,
with dominance: a set is dropped if a superset costs no more.
Complexity: at most 2^k sets for k layouts; most are dominated. On meshes of three axes too many can remain; then
`arborescences.py` computes the cost of each set of layouts that readers need together.

Example: from partial, a ReduceScatter to sliced costs 3, an AllGather from sliced to replicated 3, and an AllReduce to
replicated 6. If both sliced and replicated are needed, {partial, sliced, replicated} costs 3 + 3 = 6, not 3 + 6.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from p2smt.spmd.model.arborescences import Arborescences, needed_together

Step = tuple[int, int]
"""A conversion: the numbers of the layouts before and after."""

Prices = tuple[tuple[int | None, ...], ...]
"""The price of each conversion in picoseconds: `prices[i][j]` from layout i to j, None if there is none."""

_MOST_COMBINATIONS = 20_000
"""The most combinations of readers' needs that are enumerated; beyond it, all maximal sets are kept."""

_MOST_KEPT = 200
"""The most sets kept in Dijkstra's search; beyond it, costs are computed per set of layouts needed together."""

_MOST_TOGETHER = 4_000
"""The most sets of layouts needed together whose costs are computed one by one."""

_MOST_NEEDED = 12
"""The most layouts in such a set."""


@dataclass(frozen=True, slots=True)
class _LayoutSet:
    """A reachable set of layouts, its least cost, and the conversion that extended an earlier set to it."""

    cost: int
    mask: int
    earlier: int
    step: Step


@dataclass(frozen=True)
class ConversionGraph:
    """The graph of conversions between layouts; at most `most` conversions with a cost may be used (None: any)."""

    prices: Prices
    most: int | None = None

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Return the closure of every layout under conversions at no cost, as bits."""
        found = []
        # A depth-first search with sets as bit masks.
        for start in range(len(self.prices)):
            mask, waiting = 1 << start, [start]
            while waiting:
                for after, price in enumerate(self.prices[waiting.pop()]):
                    if price == 0 and not (mask >> after) & 1:
                        mask |= 1 << after
                        waiting.append(after)
            found.append(mask)
        return tuple(found)

    @cached_property
    def paid(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return for each layout its conversions with a cost, as (target, price) pairs."""
        return tuple(tuple((after, price) for after, price in enumerate(row) if price) for row in self.prices)

    def distances(self, root: int) -> dict[int, int]:
        """Map each layout that can be made from `root` to its least cost by itself, in picoseconds."""
        # A tensor has few layouts, and every rule of its readers asks again: they are worked out once.
        if root not in self._distances:
            self._distances[root] = self.arborescences.distances(root)
        return self._distances[root]

    @cached_property
    def _distances(self) -> dict[int, dict[int, int]]:
        return {}

    def ways(self, root: int, wanted: int) -> "Ways":
        """Return the cheapest sets of layouts from a root; results are cached."""
        key = (root, wanted)
        if key not in self._ways:
            self._ways[key] = Ways(self, root, wanted)
        return self._ways[key]

    @cached_property
    def _ways(self) -> "dict[tuple[int, int], Ways]":
        return {}

    @cached_property
    def arborescences(self) -> Arborescences:
        """Return the least costs of sets of layouts needed together, by dynamic programming."""
        return Arborescences(self.prices)


@dataclass(frozen=True)
class Ways:
    """The cheapest sets of layouts that can be made from a root; `wanted` has the needed layouts, as bits."""

    reach: ConversionGraph
    root: int
    wanted: int

    @cached_property
    def _kept(self) -> tuple[_LayoutSet, ...]:
        """Return the undominated sets in order of cost, up to the first that contains all of `wanted`."""
        found = self._few if self._few is not None else self._grown(None)
        assert found is not None
        return found

    @cached_property
    def _few(self) -> tuple[_LayoutSet, ...] | None:
        """Return the undominated sets; None if there are too many and the number of conversions is not limited."""
        return self._grown(_MOST_KEPT if self.reach.most is None else None)

    def _grown(self, most: int | None) -> tuple[_LayoutSet, ...] | None:
        """Return the undominated sets of layouts that can be made; None if there are more than `most`."""
        start = self.reach.free[self.root]
        # By cost, then by size: the first set that has all of another for no more is popped before it, so that a
        # comparison with the sets kept so far is enough to drop what is dominated.
        heap: list[tuple[int, int, int, int, int, Step]] = [(0, -start.bit_count(), start, 0, -1, (-1, -1))]
        least = {start: 0}
        kept: list[_LayoutSet] = []
        while heap:
            cost, _, mask, paid, earlier, step = heapq.heappop(heap)
            if least[mask] < cost or any(not mask & ~other.mask for other in kept):
                continue
            kept.append(_LayoutSet(cost, mask, earlier, step))
            if not self.wanted & ~mask:
                break
            if len(kept) == most:
                return None
            if paid == self.reach.most:
                continue
            for before, after, price in self._steps(mask):
                grown = mask | self.reach.free[after]
                # A default just above: a set that is not known yet always improves.
                if cost + price < least.get(grown, cost + price + 1):
                    least[grown] = cost + price
                    item = (cost + price, -grown.bit_count(), grown, paid + 1, len(kept) - 1, (before, after))
                    heapq.heappush(heap, item)
        return tuple(kept)

    def _steps(self, mask: int) -> Iterator[tuple[int, int, int]]:
        """Yield the cheapest conversion to each layout that a set lacks."""
        best: dict[int, tuple[int, int]] = {}
        for before in range(mask.bit_length()):
            for after, price in self.reach.paid[before] if (mask >> before) & 1 else ():
                if not (mask >> after) & 1 and (after not in best or price < best[after][0]):
                    best[after] = (price, before)
        for after, (price, before) in best.items():
            yield before, after, price

    def cost(self, needed: int) -> int | None:
        """Return the least cost of a set that contains all of `needed`; None if there is none."""
        if self._few is None and needed.bit_count() <= _MOST_NEEDED:
            return self.reach.arborescences.cost(self.root, needed)
        return next((each.cost for each in self._kept if not needed & ~each.mask), None)

    def options(self, readers: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Return the sets worth choosing with their costs, cheapest first.

        Each is the cheapest set with a layout for every reader, for some combination of layouts. `readers` has the
        layouts that each reader may need, as bits.
        """
        if self._few is None:
            together = needed_together([_bits(mask) for mask in readers], self.reach.free, _MOST_TOGETHER)
            if together is not None and max(map(int.bit_count, together)) <= _MOST_NEEDED:
                return self._by_arborescences(together)
        every = [(each.cost, each.mask & self.wanted) for each in self._kept]
        kept: list[tuple[int, int]] = []
        # By cost; of equal costs the larger set first, so that it covers the smaller ones.
        for cost, mask in sorted(every, key=lambda pair: (pair[0], -pair[1].bit_count(), pair[1])):
            if not any(not mask & ~larger for larger, _ in kept):
                kept.append((mask, cost))
        # Enumerating readers' needs would cost more than keeping sets that nobody needs.
        if prod(mask.bit_count() for mask in readers) > _MOST_COMBINATIONS:
            return tuple(kept)
        firsts: set[int] = set()
        asked: set[int] = set()
        for combination in product(*(_bits(mask) for mask in readers)):
            needed = mask_of(combination)
            if needed not in asked:
                asked.add(needed)
                first = next((number for number, (mask, _) in enumerate(kept) if not needed & ~mask), None)
                if first is not None:
                    firsts.add(first)
        return tuple(kept[number] for number in sorted(firsts))

    def _by_arborescences(self, together: Iterable[int]) -> tuple[tuple[int, int], ...]:
        """Return the cheapest sets with the given layouts, extended by all layouts made on the way, cheapest first."""
        found = self.reach.arborescences
        found.prepare(together)
        costs = {needed: found.cost(self.root, needed) for needed in together}
        asked = [(cost, -needed.bit_count(), needed) for needed, cost in costs.items() if cost is not None]
        kept: list[tuple[int, int]] = []
        for cost, _, needed in sorted(asked):
            if not any(not needed & ~larger for larger, _ in kept):
                mask = self.reach.free[self.root]
                for layout in (*_bits(needed), *found.origins(self.root, needed)):
                    mask |= self.reach.free[layout]
                kept.append((mask & self.wanted, cost))
        return tuple(kept)

    def separate(self, readers: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Return sets with lower bounds on their costs: per cost, all wanted layouts that cost no more by themselves.

        A set costs at least as much as its most expensive layout does alone, so one set per distinct cost suffices.
        """
        distances = self.reach.distances(self.root)
        levels: dict[int, int] = {}
        for layout in _bits(self.wanted):
            if layout in distances and (self.reach.most != 0 or not distances[layout]):
                levels[distances[layout]] = levels.get(distances[layout], 0) | 1 << layout
        # Sets grow with the cost, so each has all that the cheaper ones have.
        found, mask = [], 0
        for cost in sorted(levels):
            mask |= levels[cost]
            if all(mask & wanted for wanted in readers):
                found.append((mask, cost))
        return tuple(found)

    def origins(self, needed: int) -> dict[int, int]:
        """Map each layout of the cheapest set with all of `needed`, except the root, to the layout it comes from."""
        if self._few is None and needed.bit_count() <= _MOST_NEEDED:
            return self.reach.arborescences.origins(self.root, needed)
        position = next(number for number, each in enumerate(self._kept) if not needed & ~each.mask)
        steps: list[Step] = []
        # Number 0 is the root alone; every other set remembers the step from an earlier one.
        while position > 0:
            steps.append(self._kept[position].step)
            position = self._kept[position].earlier
        found: dict[int, int] = {}
        self._spread(self.root, found)
        for before, after in reversed(steps):
            found.setdefault(after, before)
            self._spread(after, found)
        return found

    def _spread(self, start: int, found: dict[int, int]) -> None:
        """Add the layouts that can be made from `start` at no cost, with their origins, in breadth-first order."""
        waiting = [start]
        for before in waiting:
            for after, price in enumerate(self.reach.prices[before]):
                if price == 0 and after != self.root and after not in found:
                    found[after] = before
                    waiting.append(after)


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(number for number in range(mask.bit_length()) if (mask >> number) & 1)


def mask_of(numbers: Sequence[int]) -> int:
    """Return a set of numbers as a bit mask."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
