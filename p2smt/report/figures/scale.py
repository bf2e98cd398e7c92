"""Map values to positions along a chart axis, and choose ticks.

    linear        place(v) = begin + (end - begin) * v / most,
    logarithmic   place(v) = begin + (end - begin) * log(v / least) / log(most / least).
Ticks are multiples of 1, 2 or 5 times a power of ten (Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990):
the linear step is the least such number that is at least most / 6.
Complexity: O(ticks).

Example: most = 0.009; the step is 0.002, the least round number from 0.0015 on, so ticks are 0, 0.002, ..., 0.008.
"""

from dataclasses import dataclass
from math import ceil, floor, log10

_MANY_DECADES = 6


@dataclass(frozen=True, slots=True)
class LinearScale:
    """A linear scale that maps 0 to `begin` and `most` to `end`."""

    most: float
    begin: float
    end: float

    def place(self, value: float) -> float:
        """Return the position of a value."""
        return self.begin + (self.end - self.begin) * value / self.most

    @property
    def ticks(self) -> tuple[float, ...]:
        """About five round values from 0 to `most`.

        >>> LinearScale(0.009, 0, 100).ticks
        (0.0, 0.002, 0.004, 0.006, 0.008)
        """
        step = next(s for s in _round_steps(self.most / 6) if s >= self.most / 6)
        # Through text: multiples in floating point may show as 0.6000000000000001.
        return tuple(float(f"{number * step:.6g}") for number in range(floor(self.most / step * (1 + 1e-9)) + 1))


@dataclass(frozen=True, slots=True)
class LogarithmicScale:
    """A logarithmic scale that maps `least` to `begin` and `most` to `end`."""

    least: float
    most: float
    begin: float
    end: float

    def place(self, value: float) -> float:
        """Return the position of a value; values below `least` are mapped to the position of `least`."""
        part = log10(max(value, self.least) / self.least) / log10(self.most / self.least)
        return self.begin + (self.end - self.begin) * part

    @property
    def ticks(self) -> tuple[float, ...]:
        """Powers of ten in the range, with their multiples by 2 and 5 if the range is narrow.

        >>> LogarithmicScale(0.001, 0.1, 0, 100).ticks
        (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
        """
        powers = range(floor(log10(self.least)) - 1, ceil(log10(self.most)) + 1)
        every = max(1, ceil(len(powers) / _MANY_DECADES / 2))
        few = len(powers) <= _MANY_DECADES
        # Written as text and parsed: 1e-3 times 2 would not be exactly 0.002.
        values = [float(f"{m}e{p}") for p in powers if few or p % every == 0 for m in ((1, 2, 5) if few else (1,))]
        # Ends of the range count as inside despite rounding.
        return tuple(value for value in values if self.least * (1 - 1e-9) <= value <= self.most * (1 + 1e-9))

    def powers(self, base: int) -> tuple[float, ...]:
        """Return the powers of `base` in the range; choose a base that yields about eight of them.

        >>> LogarithmicScale(1, 2**20, 0, 100).powers(32)
        (1.0, 32.0, 1024.0, 32768.0, 1048576.0)
        """
        found, value = [], 1.0
        while value <= self.most * (1 + 1e-9):
            found += [value] if value >= self.least * (1 - 1e-9) else []
            value *= base
        return tuple(found)


def _round_steps(near: float) -> list[float]:
    power = floor(log10(near))
    return [float(f"{digit}e{power + more}") for more in (0, 1) for digit in (1, 2, 5)]


def decades(least: float, most: float) -> tuple[float, float]:
    """Return the range widened to multiples of powers of ten by 1, 2 or 5.

    >>> decades(0.003, 0.7)
    (0.002, 1.0)
    """
    steps = [float(f"{d}e{p}") for p in range(floor(log10(least)), ceil(log10(most)) + 1) for d in (1, 2, 5)]
    below = max((step for step in steps if step <= least), default=least)
    above = min((step for step in steps if step >= most), default=most)
    return below, above if above > below else 10 * below
