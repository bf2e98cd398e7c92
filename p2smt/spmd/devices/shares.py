"""Sharding ratios: each device's part of a sharded dimension, as fractions and rounded to whole atoms.

Rounding (`Shares.atoms`) apportions by rounding to nearest: with w[i] = count * part[i],

    a[i] = w[i] rounded; while sum(a) is not `count`, the a[i] whose |a[i] + step - w[i]| grows least moves by step,

with a heap in O(n log n) and in whole numbers. The candidates (`vertices`) are, for each distinct speed as the level,

    part[i] proportional to min(level, speed[i]);

one of them is optimal for every cost that grows with the largest share and with the largest share per speed.
Reference: Balinski and Young, "Fair Representation", 1982 (apportionment).

Example: parts 1/2, 1/4, 1/4 of 6 atoms are 3, 1.5 and 1.5, rounded to 3, 1, 1. One atom is missing; the first of the
equal errors gets it: 3, 2, 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm


@dataclass(frozen=True, slots=True)
class Shares:
    """Each device's fraction of every sharded dimension; they sum to 1. `name` says how they were chosen."""

    name: str
    parts: tuple[Fraction, ...]

    def atoms(self, count: int) -> tuple[int, ...]:
        """Return `count` divided by the ratios into whole numbers that sum to `count`.

        Each part is rounded to the nearest whole number. Then parts move by 1 until the sum is right, the least
        resulting error first (HAP, section 5.1); ties go to the largest part, then to the first.

        >>> Shares("given", (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))).atoms(6)
        (3, 2, 1)
        """
        # All parts as whole numbers of one unit: fractions would be made at every comparison.
        unit = lcm(*[part.denominator for part in self.parts])
        wanted = [count * part.numerator * (unit // part.denominator) for part in self.parts]
        rounded = [_nearest(each, unit) for each in wanted]
        missing = count - sum(rounded)
        step = 1 if missing > 0 else -1
        waiting = (
            [
                (step * (atoms * unit - each), -each, number)
                for number, (each, atoms) in enumerate(zip(wanted, rounded, strict=True))
                if atoms + step >= 0
            ]
            if missing
            else []
        )
        heapify(waiting)
        while missing:
            error, each, number = heappop(waiting)
            rounded[number] += step
            missing -= step
            if rounded[number] + step >= 0:
                heappush(waiting, (error + unit, each, number))
        return tuple(rounded)


def _nearest(number: int, unit: int) -> int:
    """Return `number / unit` rounded to the nearest whole number; halves are rounded down.

    >>> _nearest(5, 2), _nearest(8, 3)
    (2, 3)
    """
    # Floor division rounds down, its negative up; so ties go down without floating point.
    return -((unit - 2 * number) // (2 * unit))


class Parts(tuple[Fraction, ...]):
    """Each device's fraction of a tensor: a tuple that stores its largest entry and the number of positive ones."""

    largest: Fraction
    present: int


def parts_of(counts: Sequence[int]) -> Parts:
    """Return each device's fraction of the total, from its count.

    >>> parts_of((1, 3, 0)).largest
    Fraction(3, 4)
    """
    total = sum(counts)
    each = {count: Fraction(count, total) for count in set(counts)}
    made = Parts([each[count] for count in counts])
    made.largest, made.present = each[max(counts)], sum(1 for count in counts if count)
    return made


def even(devices: int) -> Shares:
    """Return equal ratios for all devices."""
    return Shares("even", (Fraction(1, devices),) * devices)


def proportional(speeds: Sequence[int]) -> Shares:
    """Return ratios proportional to the devices' speeds."""
    total = sum(speeds)
    return Shares("proportional", tuple(Fraction(speed, total) for speed in speeds))


def given(weights: Sequence[Fraction]) -> Shares:
    """Return ratios proportional to the given weights."""
    total = sum(weights)
    return Shares("given", tuple(weight / total for weight in weights))


def vertices(speeds: Sequence[int]) -> tuple[Shares, ...]:
    """Return candidate ratios, one of which is optimal for every cost that grows with two properties of the ratios.

    The properties are the largest share (padded communication) and the largest share per speed (computation). If the
    largest share is limited, slower devices optimally get shares proportional to their speed, and all others the limit.
    This yields one candidate for each distinct speed; the slowest gives "even", the fastest "proportional".

    >>> [tuple(map(str, shares.parts)) for shares in vertices((2, 1))]
    [('1/2', '1/2'), ('2/3', '1/3')]
    """
    levels = sorted(set(speeds))
    made = []
    for level in levels:
        capped = [min(level, speed) for speed in speeds]
        parts = tuple(Fraction(each, sum(capped)) for each in capped)
        name = "even" if level == levels[0] else "proportional" if level == levels[-1] else f"capped at speed {level}"
        made.append(Shares(name, parts))
    return tuple(made)
