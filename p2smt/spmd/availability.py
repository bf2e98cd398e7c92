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

Prices = tuple[tuple[int | None, ...], ...]
"""What the conversion of layout i to j takes; None where there is none."""


@dataclass(frozen=True)
class Ways:
    """What it takes to have a set of layouts, given the one that is there first.

    `prices[i][j]` is what the conversion of layout i to j takes, None where there is none. Sets are bit masks.
    """

    prices: Prices
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
        return _leading(tuple(reversed(found)), needed)

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
        return _undominated(made)


@dataclass(frozen=True)
class FewWays:
    """As `Ways`, with at most `most` conversions that cost something: none, or one."""

    prices: Prices
    root: int
    most: int

    @cached_property
    def _sets(self) -> tuple[tuple[int, int, tuple[Step, ...]], ...]:
        """What can be had: its cost, the set, the conversions."""
        free, steps = self._closed(1 << self.root)
        sets = [(0, free, steps)]
        for before, row in enumerate(self.prices):
            for after, price in enumerate(row):
                if self.most and price is not None and (free >> before) & 1 and not (free >> after) & 1:
                    grown, more = self._closed(free | (1 << after))
                    sets.append((price, grown, (*steps, (before, after), *more)))
        return tuple(sorted(sets))

    def _closed(self, there: int) -> tuple[int, tuple[Step, ...]]:
        """With all that costs nothing."""
        steps: list[Step] = []
        waiting = [layout for layout in range(len(self.prices)) if (there >> layout) & 1]
        while waiting:
            before = waiting.pop(0)
            for after, price in enumerate(self.prices[before]):
                if price == 0 and not (there >> after) & 1:
                    there |= 1 << after
                    steps.append((before, after))
                    waiting.append(after)
        return there, tuple(steps)

    def best(self, needed: int) -> tuple[int, int] | None:
        """The least cost of a set that has all that is needed, and the set; None if there is none."""
        return next(((cost, there) for cost, there, _ in self._sets if not needed & ~there), None)

    def steps(self, needed: int) -> tuple[Step, ...]:
        """The conversions of that set, in order; those that lead to nothing that is needed are left out."""
        return _leading(next(steps for _, there, steps in self._sets if not needed & ~there), needed)

    def options(self, needs: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Sets of needed layouts with their cost, but for those that another set has and more, for no more."""
        wanted = sum(1 << need for need in dict.fromkeys(needs))
        return _undominated([(cost, there & wanted) for cost, there, _ in self._sets])


def ways(prices: Prices, root: int, most: int | None) -> Ways | FewWays:
    """Of conversions of which at most `most` cost something; None: any number."""
    return Ways(prices, root) if most is None else FewWays(prices, root, most)


def _leading(steps: Sequence[Step], needed: int) -> tuple[Step, ...]:
    """Those that lead to something that is needed, in order."""
    used, kept = needed, []
    for before, after in reversed(steps):
        if (used >> after) & 1:
            kept.append((before, after))
            used |= 1 << before
    return tuple(reversed(kept))


def _undominated(made: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sets with their cost, without those that another has and more, for no more; in the order of cost, then size."""
    kept: list[tuple[int, int]] = []
    for cost, mask in sorted(made, key=lambda pair: (pair[0], -pair[1].bit_count(), pair[1])):
        if not any(not mask & ~larger for _, larger in kept):
            kept.append((cost, mask))
    return tuple((mask, cost) for cost, mask in kept)
