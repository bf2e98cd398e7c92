"""Measured times of collectives over all devices of a system, by number of bytes.

    seconds(b) = linear between measured points, constant below the first, along the last two points beyond the last.
Noisy measurements are made monotone first, by isotonic regression:
    minimise  sum over i of (y[i] - x[i])^2   subject to  y[0] <= y[1] <= ...
Method: pool adjacent violators (Ayer et al., "An empirical distribution function for sampling with incomplete
information", 1955): neighbouring pools in the wrong order are merged to their mean.
Complexity: O(points), since each is pushed once and merged at most once.

Example: 3, 1, 4 becomes 2, 2, 4.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from math import inf

from p2smt.errors import ProblemError

Timing = tuple[tuple[int, float], ...]
"""Pairs of the whole tensor's bytes and the seconds, ascending."""

MOST_POINTS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Seconds of collectives over all devices, by bytes of the whole tensor, with shards padded to the largest.

    In `exchanged` variants, every device sends its blocks directly to all others, and reductions sum what they
    receive.
    """

    all_reduce: Timing
    all_gather: Timing
    all_gather_exchanged: Timing
    reduce_scatter: Timing
    reduce_scatter_exchanged: Timing
    all_to_all: Timing


COLLECTIVES = tuple(field.name for field in fields(Timings))
"""Names of the timed collectives."""


def seconds_of(timing: Timing, count: float) -> float:
    """Return the seconds for `count` bytes by linear interpolation.

    Below the first point the time is constant; beyond the last one it is extrapolated from the last two points.

    >>> [seconds_of(((4, 1.0), (8, 2.0)), count) for count in (1, 6, 16)]
    [1.0, 1.5, 4.0]
    """
    place = bisect_left(timing, count, key=lambda point: point[0])
    if place == 0 or len(timing) == 1:
        return timing[0][1]
    (below, before), (above, after) = timing[place - 1 : place + 1] if place < len(timing) else timing[-2:]
    return before + (after - before) * (count - below) / (above - below)


def never_less(seconds: Sequence[float]) -> list[float]:
    """Return the nearest non-decreasing sequence by least squares (isotonic regression).

    >>> never_less([3.0, 1.0, 4.0])
    [2.0, 2.0, 4.0]
    """
    pools: list[tuple[float, int]] = []
    for each in seconds:
        pools.append((each, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (mean, count), (last, more) = pools[-2:]
            pools[-2:] = [((mean * count + last * more) / (count + more), count + more)]
    return [mean for mean, count in pools for _ in range(count)]


def check_timings(timings: Timings) -> None:
    """Raise ProblemError for timings that are empty, not ascending, or not positive."""
    for name in COLLECTIVES:
        timing: Timing = getattr(timings, name)
        if not 1 <= len(timing) <= MOST_POINTS:
            raise ProblemError(f"timings: {name} has {len(timing)} points; give 1 to {MOST_POINTS}")
        for count, seconds in timing:
            if count < 1 or not 0 < seconds < inf:
                raise ProblemError(f"timings: {name}: {seconds:g} s for {count} bytes; both must be more than 0")
        for (below, before), (above, after) in pairwise(timing):
            if below >= above or before > after:
                raise ProblemError(
                    f"timings: {name}: {above} bytes in {after:g} s come after {below} bytes in {before:g} s; "
                    "bytes must ascend and times must not fall, so sort the points or smooth them"
                )
