"""A stopping rule for repeated measurements."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True, slots=True)
class Patience:
    """Between `least` and `most` repeats, until the median's relative error is at most `error`.

    No further repeat begins once a program has taken `seconds` in all.
    """

    least: int = 3
    most: int = 15
    error: float = 0.03
    seconds: float = 10.0

    def enough(self, times: Sequence[float]) -> bool:
        """True if these repeats suffice."""
        if len(times) < self.least:
            return False
        return len(times) >= self.most or sum(times) >= self.seconds or spread(times) <= self.error


def spread(times: Sequence[float]) -> float:
    """The relative standard error of the median of two or more times, from their quartiles, as if they were normal.

    >>> spread([1.0, 1.0, 1.0])
    0.0
    """
    low, middle, high = quantiles(times, n=4, method="inclusive")
    return float(1.253 * (high - low) / 1.349 / (len(times) ** 0.5 * middle))


def settled(times: Sequence[float]) -> float:
    """The time that stands for all."""
    return float(median(times))
