"""A stopping rule for repeated measurements."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True, slots=True)
class Patience:
    """Repeat between `least` and `most` times, until the median's relative standard error is at most `error`.

    No further repeat starts once a program has taken `seconds` in total.
    """

    least: int = 3
    most: int = 15
    error: float = 0.03
    seconds: float = 10.0

    def enough(self, times: Sequence[float]) -> bool:
        """True if the given times suffice."""
        if len(times) < self.least:
            return False
        return len(times) >= self.most or sum(times) >= self.seconds or spread(times) <= self.error


def spread(times: Sequence[float]) -> float:
    """Return the relative standard error of the median, estimated from quartiles under a normal distribution.

    Needs two or more times.

    >>> spread([1.0, 1.0, 1.0])
    0.0
    """
    low, middle, high = quantiles(times, n=4, method="inclusive")
    return float(1.253 * (high - low) / 1.349 / (len(times) ** 0.5 * middle))


def settled(times: Sequence[float]) -> float:
    """Return the median of the times in seconds."""
    return float(median(times))
