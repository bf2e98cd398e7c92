"""Times of programs that take turns: round by round, and without what all of a round took longer or less.

A core does up to twice as much from one minute to the next, for all programs of a round alike.
"""

from collections.abc import Sequence
from math import exp, log
from statistics import fmean, median

CONTENDING = 1.25
"""Programs that take at most so many times as long as the fastest, or are predicted to, have more rounds."""


def in_rounds(seconds: Sequence[float], counted: int) -> tuple[float, ...]:
    """The mean of every so many steps, which are a round's."""
    return tuple(fmean(seconds[start : start + counted]) for start in range(0, len(seconds), counted))


def contending(times: Sequence[Sequence[float]], predicted: Sequence[float | None]) -> list[int]:
    """The numbers of programs near the fastest, by medians over rounds or as predicted.

    A program of which nothing is predicted cannot win, but may be near what wins.
    """
    middles = [median(mine) for mine in times]
    fastest = min(middle for middle, told in zip(middles, predicted, strict=True) if told is not None)
    least = min(told for told in predicted if told is not None)
    return [
        number
        for number, (middle, told) in enumerate(zip(middles, predicted, strict=True))
        if middle <= CONTENDING * fastest or (told is not None and told <= CONTENDING * least)
    ]


def drift(times: Sequence[Sequence[float]]) -> list[float]:
    """For every round by how much it was slower than the others, for programs that had all of them: their median."""
    middles = [median(mine) for mine in times]
    rounds = zip(*times, strict=True)
    return [exp(median(log(mine / middle) for mine, middle in zip(each, middles, strict=True))) for each in rounds]


def levelled(times: Sequence[Sequence[float]]) -> list[float]:
    """The median of every program over its rounds, each without its drift; all have the same rounds."""
    slower = drift(times)
    return [median(mine / more for mine, more in zip(each, slower, strict=True)) for each in times]
