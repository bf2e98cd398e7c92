"""Sharding ratios: the size of each device's part of a cut: as fractions, and rounded to whole atoms.

Rounding (`Shares.atoms`) is apportionment by nearest numbers: with w[i] = count * part[i],
    a[i] = w[i] rounded; while the sum is not `count`, the a[i] whose |a[i] + step - w[i]| grows least moves by step,
with a heap in O(n log n) and in whole numbers. Candidates (`vertices`) come from filling vessels up to a level,
    part[i] proportional to min(level, speed[i])   for each distinct speed as the level,
of which one is optimal for every cost that grows with the largest share and the largest share per speed.

Example: parts 1/2, 1/4, 1/4 of 6 atoms: 3, 1.5 and 1.5 are rounded to 3, 1, 1; one is missing, and the first of the
equal errors gets it: 3, 2, 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm


@dataclass(frozen=True, slots=True)
class Shares:
    """The sharding ratio of each device for every cut; they sum to 1.

    `name` says where they come from. `name` says where they come from.
    """

    name: str
    parts: tuple[Fraction, ...]

    def atoms(self, count: int) -> tuple[int, ...]:
        """The parts of `count` as whole numbers that sum to it, by apportionment.

        Each part is rounded to the nearest whole number; then those whose rounding error is least in the right
        direction move by 1 until the sum is right (HAP, section 5.1). Of equal errors the largest part moves, of
        equal parts the first.

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
    """The nearest whole number of parts of a unit; halves are rounded down.

    >>> _nearest(5, 2), _nearest(8, 3)
    (2, 3)
    """
    # Floor division rounds down, its negative up; so ties go down without floating point.
    return -((unit - 2 * number) // (2 * unit))


class Parts(tuple[Fraction, ...]):
    """Each device's part of a whole: a tuple that knows its largest entry and how many are positive."""

    largest: Fraction
    present: int


def parts_of(counts: Sequence[int]) -> Parts:
    """The parts that devices with so many of something have.

    >>> parts_of((1, 3, 0)).largest
    Fraction(3, 4)
    """
    total = sum(counts)
    each = {count: Fraction(count, total) for count in set(counts)}
    made = Parts([each[count] for count in counts])
    made.largest, made.present = each[max(counts)], sum(1 for count in counts if count)
    return made


def even(devices: int) -> Shares:
    """Equal ratios for all devices."""
    return Shares("even", (Fraction(1, devices),) * devices)


def proportional(speeds: Sequence[int]) -> Shares:
    """In proportion to the speeds of the devices."""
    total = sum(speeds)
    return Shares("proportional", tuple(Fraction(speed, total) for speed in speeds))


def given(weights: Sequence[Fraction]) -> Shares:
    """In proportion to weights that are given."""
    total = sum(weights)
    return Shares("given", tuple(weight / total for weight in weights))


def vertices(speeds: Sequence[int]) -> tuple[Shares, ...]:
    """The candidate ratios, one of which is optimal for every program whose cost depends on two of their properties.

    Costs are to grow with the largest share (padded communication) and with the largest share per speed (computation).
    Filling up devices as vessels, each as fast as its speed until it is as full as the largest may be, all but the
    slower ones end at the same level: one vertex for each distinct speed. The slowest gives "even", the fastest
    "proportional".

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
