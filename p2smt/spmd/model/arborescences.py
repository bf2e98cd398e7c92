"""Minimum arborescences over layouts by dynamic programming over sets of needed layouts (Dreyfus and Wagner).

Recurrence: with d(v, w) the least cost of a chain of conversions from v to w (Floyd and Warshall), and S a set of
needed layouts,

    cost(v, {w}) = d(v, w)
    cost(v, S)   = min over u of  d(v, u) + split(u, S)
    split(u, S)  = min over disjoint A, B with union S of  cost(u, A) + cost(u, B).

An arborescence goes from v to the layout u where it branches, and both branches continue from there; u itself need not
be needed. Complexity: n^3 for distances between n layouts; 2^k n + n^2 for each set of k layouts, for all roots at
once. It depends on the number of layouts needed together, at most one per reader, and not on the number of sets of
layouts that can be made: on three axes a few readers have 54 layouts between them, and hundreds of thousands of sets
of these are cheap.
Reference: Dreyfus and Wagner, "The Steiner problem in graphs", Networks 1 (1971).

Example: converting partial to sliced costs 3, sliced to replicated 3, partial to replicated 6. For {sliced, replicated}
from partial: with u = sliced it is 3 + split(sliced) = 3 + (0 + 3).
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

_NEVER = 2**60
"""The cost of a layout that cannot be made; the sum of two such costs still fits into 64 bits."""


class Arborescences:
    """Least costs of sets of layouts from every root; `prices[i][j]` is the price of a conversion, None for none."""

    def __init__(self, prices: Sequence[Sequence[int | None]]) -> None:
        entries = [[_NEVER if price is None else price for price in row] for row in prices]
        self._prices: Integers = np.array(entries, dtype=np.int64)
        self._least = self._prices.copy()
        np.fill_diagonal(self._least, 0)
        for middle in range(len(prices)):
            np.minimum(self._least, self._least[:, middle, None] + self._least[None, middle], out=self._least)
        self._costs: dict[int, Integers] = {}
        self._before: dict[int, dict[int, int]] = {}

    def distances(self, root: int) -> dict[int, int]:
        """Return the least cost of each layout that can be made from a root, taken by itself."""
        return {layout: cost for layout, cost in enumerate(self._least[root].tolist()) if cost < _NEVER}

    def prepare(self, sets: Iterable[int]) -> None:
        """Compute the costs of sets of layouts, given as bit masks; sets of equal size are computed together."""
        waiting, missing = list(sets), set[int]()
        while waiting:
            mask = waiting.pop()
            if mask not in missing and mask not in self._costs:
                missing.add(mask)
                waiting += [mask & ~(1 << layout) for layout in _bits(mask)] if mask.bit_count() > 1 else []
        by_size: dict[int, list[int]] = {}
        for mask in sorted(missing):
            by_size.setdefault(mask.bit_count(), []).append(mask)
        for size in sorted(by_size):
            masks = by_size[size]
            made = self._alone(masks) if size == 1 else self._joined(masks)
            self._costs.update(zip(masks, made, strict=True))

    def _alone(self, masks: Sequence[int]) -> Integers:
        return self._least.T[[mask.bit_length() - 1 for mask in masks]]

    def _joined(self, masks: Sequence[int]) -> Integers:
        parted = np.array([self._parted(mask) for mask in masks])
        made = np.full_like(parted, _NEVER)
        for layout in range(parted.shape[1]):
            np.minimum(made, self._least[None, :, layout] + parted[:, layout, None], out=made)
        return made

    def _parted(self, mask: int) -> Integers:
        """Return for each layout the least cost of a set if the arborescence branches at that layout."""
        pairs = _divisions(mask)
        made = self._costs[pairs[0][0]] + self._costs[pairs[0][1]]
        for one, other in pairs[1:]:
            np.minimum(made, self._costs[one] + self._costs[other], out=made)
        return made

    def cost(self, root: int, needed: int) -> int | None:
        """Return the least cost of a set of layouts (as bits) from a root; None if it cannot be made."""
        if not needed:
            return 0
        self.prepare((needed,))
        cost = int(self._costs[needed][root])
        return cost if cost < _NEVER else None

    def origins(self, root: int, needed: int) -> dict[int, int]:
        """Map each layout of the cheapest arborescence, except the root, to the layout that it is converted from."""
        found: dict[int, int] = {}
        waiting = [(root, needed)] if needed else []
        self.prepare([mask for _, mask in waiting])
        while waiting:
            start, mask = waiting.pop()
            if mask.bit_count() == 1:
                self._follow(start, mask.bit_length() - 1, root, found)
                continue
            end = int(np.argmin(self._least[start] + self._parted(mask)))
            self._follow(start, end, root, found)
            pair = min(_divisions(mask), key=lambda both: int(self._costs[both[0]][end] + self._costs[both[1]][end]))
            waiting += [(end, each) for each in pair]
        return found

    def _follow(self, start: int, end: int, root: int, found: dict[int, int]) -> None:
        """Add the layouts of a cheapest chain of conversions; layouts that are already present keep their origin."""
        if start not in self._before:
            self._before[start] = self._tree(start)
        chain = [end]
        while chain[-1] != start:
            chain.append(self._before[start][chain[-1]])
        for before, after in pairwise(reversed(chain)):
            if after != root:
                found.setdefault(after, before)

    def _tree(self, start: int) -> dict[int, int]:
        """Map each layout that can be made to its predecessor on a cheapest chain with the fewest conversions."""
        least, found, waiting = self._least[start], dict[int, int](), [start]
        for before in waiting:
            ends = (least[before] + self._prices[before] == least) & (least < _NEVER)
            for after in np.flatnonzero(ends).tolist():
                if after != start and after not in found:
                    found[after] = before
                    waiting.append(after)
        return found


def _divisions(mask: int) -> list[tuple[int, int]]:
    """Return all partitions of a set of at least two layouts into two parts; the lowest layout is in the first."""
    lowest = mask & -mask
    rest = mask ^ lowest
    pairs, part = [], rest
    while part:
        pairs.append((mask ^ part, part))
        part = (part - 1) & rest
    return pairs


def needed_together(readers: Iterable[Sequence[int]], free: Sequence[int], most: int) -> frozenset[int] | None:
    """Return the sets of layouts (as bits) that satisfy all readers; None if there are more than `most`.

    Each reader needs one of its layouts. `free[i]` has the layouts that layout i converts to at no cost, including
    itself; these are left out of sets that contain i.
    """
    found = frozenset((0,))
    for layouts in readers:
        found = frozenset([_without_free(mask | (1 << layout), free) for mask in found for layout in layouts])
        if len(found) > most:
            return None
    return found


def _without_free(mask: int, free: Sequence[int]) -> int:
    for layout in _bits(mask):
        if (mask >> layout) & 1:
            mask &= ~free[layout] | (1 << layout)
    return mask


def _bits(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if (mask >> number) & 1]
