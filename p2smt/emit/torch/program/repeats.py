"""Repeated lines that differ only in names, such as layers of a model, or parameters with the same update.

Method: periods by comparison of the sequence with itself. Lines that are equal except for names have one number; for
each length p
    runs of i with number[i] = number[i + p]
are stretches of period p, and a run of r lines saves floor(r / p) p of them. The run that saves most is shifted to the
phase in which the fewest names cross its ends, all other occurrences are added, and the search begins again on the
lines that are left, at most `_MOST_REPEATS` times. Greedy; the fewest lines are not guaranteed.
Complexity: O(lines x `_MOST_LINES`) comparisons by numpy for each repeat.
Reference: Main and Lorentz, "An O(n log n) algorithm for finding all repetitions in a string", 1984, for the problem.

Example: the numbers 7 1 2 3 1 2 3 1 2 3 9 have a run of 6 with period 3 from place 1: three repetitions, 6 lines saved.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from p2smt.emit.torch.program.marks import MarkedLine, MarkRole

Numbers = NDArray[np.int64]
_LEAST_LINES, _MOST_LINES, _LEAST_SAVED = 4, 512, 12
_MOST_REPEATS, _MOST_TRIED = 16, 16


@dataclass(frozen=True, slots=True)
class Repeat:
    """`length` lines that occur at each of `starts` (ascending), equal except for names.

    Invariant: each value read is made by the same line in every repetition, or outside of the repetition in all of
    them.
    """

    length: int
    starts: tuple[int, ...]

    @property
    def saved(self) -> int:
        """The number of lines that the repeat saves."""
        return self.length * (len(self.starts) - 1)


def repeats(lines: Sequence[MarkedLine]) -> list[Repeat]:
    """Return non-overlapping repeats, those that save most first."""
    search = _Search(lines)
    found: list[Repeat] = []
    while len(found) < _MOST_REPEATS and (best := search.best()) is not None:
        found.append(best)
        search.take(best)
    return found


class _Search:
    """The search for repeats; `numbers` has one number per line, equal for lines that are alike.

    Lines of repeats found get numbers that no other line has.
    """

    def __init__(self, lines: Sequence[MarkedLine]) -> None:
        self._lines = lines
        known: dict[str, int] = {}
        self._numbers = np.array([known.setdefault(line.skeleton, len(known)) for line in lines], dtype=np.int64)
        # The last reader of each name, to find what leaves a stretch.
        self._last = {
            mark.text: number for number, line in enumerate(lines) for mark in line.marks if mark.role is MarkRole.READ
        }

    def take(self, repeat: Repeat) -> None:
        """Exclude the lines of a repeat from all others."""
        for start in repeat.starts:
            self._numbers[start : start + repeat.length] = -1 - np.arange(start, start + repeat.length)

    def best(self) -> Repeat | None:
        """Return the repeat that saves most among those with adjacent repetitions, with all its occurrences."""
        best: Repeat | None = None
        # Most savings first; ties by length and position keep the output deterministic.
        runs = sorted(self._runs(), key=lambda run: (-run[2], run[0], run[1]))
        for length, first, saved, slack in runs[:_MOST_TRIED]:
            if best is not None and saved <= best.saved:
                break
            # A periodic stretch can be cut at any phase; the phase with the fewest names crossing
            # is the layer boundary.
            shifted = [self._from(length, first + shift) for shift in range(min(slack, length - 1) + 1)]
            pairs = [(self._width(each), each) for each in shifted if each.saved >= _LEAST_SAVED]
            if not pairs:
                continue
            width, each = min(pairs, key=lambda pair: (-pair[1].saved, pair[0]))
            # A function with more parameters than twice its lines is harder to read than the lines.
            if width <= 2 * length and (best is None or each.saved > best.saved):
                best = each
        return best

    def _runs(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield periodic stretches: the period, the start, the lines saved, and the possible shift."""
        numbers = self._numbers
        for length in range(_LEAST_LINES, min(_MOST_LINES, len(numbers) // 2) + 1):
            # Compare the sequence with itself shifted by the period: runs of equality are
            # repetitions.
            same = np.concatenate(([False], numbers[:-length] == numbers[length:], [False]))
            edges = np.flatnonzero(same[1:] != same[:-1])
            for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
                saved = (last - first) // length * length
                if saved >= _LEAST_SAVED:
                    yield length, first, saved, last - first - saved

    def _from(self, length: int, first: int) -> Repeat:
        """Return all occurrences of the lines from `first` on, adjacent or not, with the same dependences."""
        numbers = self._numbers
        wanted, starts = numbers[first : first + length], [first]
        dependences = _dependences(self._lines[first : first + length])
        alike = np.flatnonzero(numbers[: len(numbers) - length + 1] == wanted[0]).tolist()
        # Places in phase with the first one are preferred, so that neighbours do not block them.
        for start in sorted(alike, key=lambda each: ((each - first) % length != 0, each)):
            if (
                all(abs(start - other) >= length for other in starts)
                and np.array_equal(numbers[start : start + length], wanted)
                and _dependences(self._lines[start : start + length]) == dependences
            ):
                starts.append(start)
        return Repeat(length, tuple(sorted(starts)))

    def _width(self, repeat: Repeat) -> int:
        """Return the largest number of names that go in and out of a repetition."""
        most = 0
        for start in repeat.starts:
            end = start + repeat.length
            inside = [mark for line in self._lines[start:end] for mark in line.marks]
            made = {mark.text for mark in inside if mark.role is MarkRole.MADE}
            read = {mark.text for mark in inside if mark.role is MarkRole.READ} - made
            most = max(most, len(read) + sum(self._last.get(name, 0) >= end for name in made))
        return most


def _dependences(lines: Sequence[MarkedLine]) -> tuple[int, ...]:
    """Return, for every mark, the number of the line that makes its value; -1 if none of these lines does."""
    made: dict[str, int] = {}
    found = []
    for number, line in enumerate(lines):
        for mark in line.marks:
            if mark.role is MarkRole.MADE:
                made[mark.text] = number
            found.append(made.get(mark.text, -1) if mark.role is not MarkRole.NUMBER else -1)
    return tuple(found)
