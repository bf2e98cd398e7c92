"""How large each device's share of a cut is: as fractions, and rounded to whole atoms."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Shares:
    """The part of every cut that each device gets; they sum to 1. `name` says where they come from."""

    name: str
    parts: tuple[Fraction, ...]

    def atoms(self, count: int) -> tuple[int, ...]:
        """Whole numbers that sum to `count`, nearest to the parts of it.

        Each part is rounded to the nearest whole number; then those whose rounding error is least in the right
        direction move by 1 until the sum is right (HAP, section 5.1). Of equal errors the largest part moves, of
        equal parts the first.

        >>> Shares("given", (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))).atoms(6)
        (3, 2, 1)
        """
        wanted = [part * count for part in self.parts]
        rounded = [_nearest(each) for each in wanted]
        missing = count - sum(rounded)
        step = 1 if missing > 0 else -1
        while missing:
            able = [number for number, atoms in enumerate(rounded) if atoms + step >= 0]
            best = max(able, key=lambda number: (step * (wanted[number] - rounded[number]), wanted[number], -number))
            rounded[best] += step
            missing -= step
        return tuple(rounded)


def _nearest(number: Fraction) -> int:
    """Halves go down.

    >>> _nearest(Fraction(5, 2)), _nearest(Fraction(8, 3))
    (2, 3)
    """
    below = number.numerator // number.denominator
    return below + (number - below > Fraction(1, 2))


def even(devices: int) -> Shares:
    """The same for all."""
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
    """The shares of which one is optimal for every program, as long as costs depend on two numbers of theirs alone.

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
