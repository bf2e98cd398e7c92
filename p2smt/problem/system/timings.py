"""Measured times of collectives among all devices of a system, by bytes."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from math import inf

from p2smt.errors import ProblemError

Timing = tuple[tuple[int, float], ...]
"""Bytes of the whole tensor, and seconds: ascending."""

MOST_POINTS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Seconds by bytes of the whole tensor, shards padded to the largest, among all devices at once.

    `exchanged`: every device sends its blocks to all others itself, and adds up what it gets where it reduces.
    """

    all_reduce: Timing
    all_gather: Timing
    all_gather_exchanged: Timing
    reduce_scatter: Timing
    reduce_scatter_exchanged: Timing
    all_to_all: Timing


COLLECTIVES = tuple(field.name for field in fields(Timings))
"""The names of all that is timed."""


def seconds_of(timing: Timing, count: float) -> float:
    """Seconds for so many bytes: linear between points, as the first below it, along the last two behind the last.

    >>> [seconds_of(((4, 1.0), (8, 2.0)), count) for count in (1, 6, 16)]
    [1.0, 1.5, 4.0]
    """
    place = bisect_left(timing, count, key=lambda point: point[0])
    if place == 0 or len(timing) == 1:
        return timing[0][1]
    (below, before), (above, after) = timing[place - 1 : place + 1] if place < len(timing) else timing[-2:]
    return before + (after - before) * (count - below) / (above - below)


def never_less(seconds: Sequence[float]) -> list[float]:
    """The nearest sequence that never falls, by least squares: those that do become their means.

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
    """Raise ProblemError for timings without points, that do not ascend, or are no times."""
    for name in COLLECTIVES:
        timing: Timing = getattr(timings, name)
        if not 1 <= len(timing) <= MOST_POINTS:
            raise ProblemError(f"timings: {name} has {len(timing)} points; give 1 to {MOST_POINTS}")
        for count, seconds in timing:
            if count < 1 or not 0 < seconds < inf:
                raise ProblemError(f"timings: {name}: {seconds:g} s for {count} bytes; both are more than 0")
        for (below, before), (above, after) in pairwise(timing):
            if below >= above or before > after:
                raise ProblemError(
                    f"timings: {name}: {above} bytes in {after:g} s come behind {below} bytes in {before:g} s; give "
                    "bytes ascending, and times that never fall"
                )
