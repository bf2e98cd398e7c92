"""Elimination orders, found greedily from sizes and neighbours alone, before any table is computed.

Eliminating choice x makes one table over its neighbours, and makes them neighbours of each other. Scores, least first:

    weight(x) = product of the options of its neighbours         (min-weight),
    fill(x)   = sum of options(a) * options(b) over pairs of neighbours not yet linked (weighted min-fill)

(Kjaerulff, "Triangulation of graphs - algorithms giving small total state space", 1990). Min-fill takes longer and is
used if min-weight leads to a large sum.

Choices are eliminated in rounds, and no two neighbours in the same round. Equal layers of a model are thus eliminated
alike and merged pairwise, so that the number of different sums grows with the logarithm of the number of layers.

Complexity: O(steps x neighbours^2 x log choices), with a heap that scores are pushed to again when they change.

Example: a chain of five. The first round takes 0, 4 and 2, the next ones 1 and 3; no sum has more than 2^3 entries.

>>> by_weight([2] * 5, [{1}, {0, 2}, {1, 3}, {2, 4}, {3}], range(5)).steps
((0, (1,)), (4, (3,)), (2, (1, 3)), (1, (3,)), (3, ()))
"""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

Step = tuple[int, tuple[int, ...]]
"""An eliminated choice, and its neighbours at that point in ascending order."""

_FIRST = 16
"""The largest score eliminated in the first rounds; later rounds accept larger ones."""

_FIRST_ENTRIES = 2**7
"""The first limit if the score is a number of entries, which includes the options of the choice itself."""

LARGE = 2**24
"""The number of entries of a sum beyond which another order is tried."""


@dataclass(frozen=True, slots=True)
class Order:
    """An elimination order, and the number of entries of its largest sum."""

    steps: tuple[Step, ...]
    largest: int


def by_weight(sizes: Sequence[int], near: Sequence[set[int]], left: Sequence[int]) -> Order:
    """Return a min-weight order of the choices in `left`; `sizes` are numbers of options, `near` the neighbours."""
    return _Rounds(sizes, near, left).run(_weight, growth=20, reach=1)


def by_fill(sizes: Sequence[int], near: Sequence[set[int]], left: Sequence[int]) -> Order:
    """Return a weighted min-fill order of the choices in `left`."""
    return _Rounds(sizes, near, left).run(_fill, growth=13, reach=2)


def small_sums(sizes: Sequence[int], near: Sequence[set[int]], left: Sequence[int], most: int) -> tuple[Step, ...]:
    """Return steps that eliminate choices as long as there is one whose sum has at most `most` entries."""
    return _Rounds(sizes, near, left).run(_entries, growth=20, reach=1, end=most).steps


Score = Callable[[Sequence[int], Sequence[set[int]], int], int]


def _weight(sizes: Sequence[int], near: Sequence[set[int]], choice: int) -> int:
    """Return the number of combinations of the neighbours' options."""
    return prod([sizes[neighbour] for neighbour in near[choice]])


def _entries(sizes: Sequence[int], near: Sequence[set[int]], choice: int) -> int:
    """Return the number of combinations of the options of a choice and its neighbours."""
    return sizes[choice] * _weight(sizes, near, choice)


def _fill(sizes: Sequence[int], near: Sequence[set[int]], choice: int) -> int:
    """Return the number of combinations of options, summed over pairs of neighbours that are not linked yet."""
    return sum([sizes[a] * sizes[b] for a, b in combinations(near[choice], 2) if b not in near[a]])


class _Rounds:
    def __init__(self, sizes: Sequence[int], near: Sequence[set[int]], left: Sequence[int]) -> None:
        self._sizes = sizes
        self._near = [set(each) for each in near]
        self._left = left
        self._gone = [False] * len(sizes)
        self._steps: list[Step] = []
        self._largest = 0

    def run(self, score: Score, growth: int, reach: int, end: int | None = None) -> Order:
        """Return an order by a score that depends on neighbours up to distance `reach`.

        The score limit of a round grows by the factor `growth / 10`; choices whose score exceeds `end` are not
        eliminated.
        """
        scores = [0] * len(self._sizes)
        for choice in self._left:
            scores[choice] = score(self._sizes, self._near, choice)
        # A heap with lazy deletion: outdated entries differ from `scores` and are skipped.
        heap = [(scores[choice], choice) for choice in self._left]
        heapq.heapify(heap)
        most = _FIRST if end is None else min(_FIRST_ENTRIES, end)
        while heap:
            if self._gone[heap[0][1]] or heap[0][0] != scores[heap[0][1]]:
                heapq.heappop(heap)
                continue
            if end is not None and heap[0][0] > end:
                break
            while heap[0][0] > most:
                most = (most * growth // 10) + 1
            # Rounds of choices that are not neighbours: their scores stay valid within the round.
            changed = self._round(heap, scores, most if end is None else min(most, end))
            if reach > 1:
                changed = changed.union(*[self._near[choice] for choice in changed])
            for choice in sorted(changed):
                if not self._gone[choice]:
                    scores[choice] = score(self._sizes, self._near, choice)
                    heapq.heappush(heap, (scores[choice], choice))
        return Order(tuple(self._steps), self._largest)

    def _round(self, heap: list[tuple[int, int]], scores: Sequence[int], most: int) -> set[int]:
        """Eliminate choices with a score of at most `most`, no two of them neighbours, and return their neighbours."""
        touched: set[int] = set()
        while heap and heap[0][0] <= most:
            score, choice = heapq.heappop(heap)
            if not (self._gone[choice] or choice in touched or score != scores[choice]):
                touched |= self._take(choice)
        return touched

    def _take(self, choice: int) -> set[int]:
        neighbours = self._near[choice]
        self._gone[choice] = True
        self._steps.append((choice, tuple(sorted(neighbours))))
        self._largest = max(self._largest, prod([self._sizes[other] for other in neighbours]) * self._sizes[choice])
        for neighbour in neighbours:
            near = self._near[neighbour]
            near |= neighbours
            near.discard(neighbour)
            near.discard(choice)
        return neighbours
