"""Prices of all steps of a language on one placement, and their conversion to whole numbers for proofs."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from math import floor

from p2smt.cost.network.cost import Cost, step_work
from p2smt.cost.network.pattern import pattern_of
from p2smt.cost.ten_digits import ten_digits_text
from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.traces import CollectiveMove
from p2smt.reduction.semantics.level_algebra import scatterable

StepSeconds = dict[Step, dict[int, float]]
"""Seconds per step, and per set of levels (bit mask) that are scattered on the root that holds most."""

_FINENESS = 2**48
_SLACK = Fraction(1, 2**44)


def step_seconds(lowering: Lowering, language: Language, cost: Cost) -> StepSeconds:
    """Return the ranking's prices of every step of a language, for all amounts that its groups can hold before it."""
    patterns = cache(partial(pattern_of, lowering.direct))

    def seconds(step: Step, scattered: int) -> float:
        planned = lowering.step(CollectiveMove(*step, ((0, scattered),)), ())
        return cost.work_cost(step_work(lowering.problem.payload, planned, patterns)).seconds

    sets = {step: scatterable(step, language.levels) for step in language.steps()}
    return {step: {scattered: seconds(step, scattered) for scattered in sets[step]} for step in sets}


@dataclass(frozen=True, slots=True)
class Scale:
    """A conversion of seconds to whole units such that no program cheaper than the winner is missed.

    Seconds are rounded down to multiples of `unit`, 2^-48 of the winner's time, so no sum grows. Invariant: if the
    ranking puts a program before the winner, because its time is less to ten digits, then its prices add up to less
    than `bound` units. The bound includes 2^-44 on top, which exceeds the rounding error of the ranking's own sums.
    (Within that margin, a program's sum can be below the bound although it does not rank before the winner.)
    """

    unit: Fraction
    bound: int

    def units(self, seconds: float) -> int:
        """Return the time in whole units, rounded down."""
        # Whole numbers throughout: a float product could round up, and a bound must never.
        number, parts = seconds.as_integer_ratio()
        return number * self.unit.denominator // (parts * self.unit.numerator)

    def least_seconds(self, units: int) -> float:
        """Return a lower bound on the seconds, as the ranking adds them, of a program that costs `units`."""
        return float(units * self.unit * (1 - _SLACK))


def scale_of(winner_seconds: float) -> Scale:
    """Return the scale for a winner; a bound of 0 if it takes no time, because no program can rank before it.

    >>> scale_of(1.0).bound == 2**48 * (1 - Fraction(1, 2 * 10**10)) * (1 + _SLACK) // 1 + 1
    True
    """
    if winner_seconds == 0:
        return Scale(Fraction(1), 0)
    unit = Fraction(winner_seconds) / _FINENESS
    rounded = Decimal(ten_digits_text(winner_seconds))
    power_of_ten = rounded.scaleb(-rounded.adjusted()) == 1
    # Below a power of ten the numbers with ten digits stand ten times closer, so the edge of rounding is nearer.
    half_a_digit = Decimal(5).scaleb(rounded.adjusted() - (11 if power_of_ten else 10))
    return Scale(unit, floor(Fraction(rounded - half_a_digit) * (1 + _SLACK) / unit) + 1)
