"""Making several layouts of a tensor out of the one that it is produced in, as cheaply as can be.

A way is a set of layouts that grows by one conversion at a time: a minimum arborescence whose root is the layout that
is there first (layouts that nobody needs may stand between). Found by Dijkstra's search over sets of layouts.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

Step = tuple[int, int]
"""A conversion: the numbers of the layouts before and after."""


@dataclass(frozen=True)
class Ways:
    """What it takes to have a set of layouts, given the one that is there first.

    `prices[i][j]` is what the conversion of layout i to j takes, None where there is none. Sets are bit masks.
    """

    prices: tuple[tuple[int | None, ...], ...]
    root: int

    @cached_property
    def _reached(self) -> dict[int, tuple[int, Step | None]]:
        """For every set that can be had, its least cost and the last conversion."""
        start = 1 << self.root
        done: dict[int, tuple[int, Step | None]] = {}
        heap: list[tuple[int, int, Step]] = [(0, start, (-1, -1))]
        while heap:
            cost, there, last = heapq.heappop(heap)
            if there in done:
                continue
            done[there] = (cost, last if last[0] >= 0 else None)
            for before, row in enumerate(self.prices):
                if not (there >> before) & 1:
                    continue
                for after, price in enumerate(row):
                    grown = there | (1 << after)
                    if price is not None and grown not in done:
                        heapq.heappush(heap, (cost + price, grown, (before, after)))
        return done

    @cached_property
    def _supersets(self) -> list[tuple[int, int] | None]:
        """For every set the cheapest that has all of it, with its cost."""
        count = len(self.prices)
        least: list[tuple[int, int] | None] = [None] * (1 << count)
        for there, (cost, _) in self._reached.items():
            least[there] = (cost, there)
        for layout in range(count):
            for mask in range(1 << count):
                larger = least[mask | (1 << layout)]
                mine = least[mask]
                if larger is not None and (mine is None or larger < mine):
                    least[mask] = larger
        return least

    def best(self, needed: int) -> tuple[int, int] | None:
        """The least cost of a set that has all that is needed, and the set; None if there is none."""
        return self._supersets[needed]

    def steps(self, needed: int) -> tuple[Step, ...]:
        """The conversions of that set, in order; those that lead to nothing that is needed are left out."""
        best = self.best(needed)
        assert best is not None
        _, there = best
        found: list[Step] = []
        while (last := self._reached[there][1]) is not None:
            found.append(last)
            there &= ~(1 << last[1])
        used, kept = needed, []
        for before, after in found:
            if (used >> after) & 1:
                kept.append((before, after))
                used |= 1 << before
        return tuple(reversed(kept))

    def options(self, needs: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Sets of needed layouts with their cost, but for those that another set has and more, for no more.

        In the order of cost, then size.
        """
        made = []
        for chosen in range(1 << len(needs)):
            mask = sum(1 << need for number, need in enumerate(needs) if (chosen >> number) & 1)
            best = self.best(mask)
            if best is not None:
                made.append((best[0], mask))
        made.sort(key=lambda pair: (pair[0], -pair[1].bit_count(), pair[1]))
        kept: list[tuple[int, int]] = []
        for cost, mask in made:
            if not any(not mask & ~larger for _, larger in kept):
                kept.append((cost, mask))
        return tuple((mask, cost) for cost, mask in kept)
