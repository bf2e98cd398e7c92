"""Crossovers of a schedule: lengths, bandwidths and speeds from which it is faster than the unscheduled program.

    ratio(f) = time of the schedule / time of the unscheduled program,  with the parameter multiplied by f
is evaluated at f = 2^-12, 2^-11, ..., 2^12. Wherever it passes 1 between neighbours, bisection of the exponent narrows
the factor, `_HALVINGS` times (to about half a percent).
Complexity: 25 prices of both programs for each parameter, and 7 for each crossover.
Reference: Press et al., "Numerical Recipes", 2007, section 9.1 (bracketing and bisection).

Example: ratios 1.2, 1.1, 0.9, 0.8 at factors 1/2, 1, 2, 4: the schedule pays off from a factor between 1 and 2, which
bisection finds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from p2smt.errors import P2Error
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.knobs import Bandwidth, Knob, Length, Speed, knobs_of, turned
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.scheduled import ScheduledProgram

REACH = 12
"""Factors from 2 ** -REACH to 2 ** REACH are compared, in powers of two."""
_SAME = 1e-9
_HALVINGS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningPoint:
    """A factor from which the schedule is faster, or no longer faster."""

    factor: float
    faster: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleCrossover:
    """Crossovers between `least` and `most` times a parameter's value, in order; `faster` holds at the least factor.

    Only powers of two are compared, so two crossovers between neighbouring ones are missed.
    """

    knob: Knob
    least: float
    most: float
    faster: bool
    turns: tuple[TurningPoint, ...]


def crossovers(before: ScheduledProgram, after: ScheduledProgram, machine: Machine) -> tuple[ScheduleCrossover, ...]:
    """Return the crossovers of every parameter; parameters with fewer than two valid factors are left out."""
    found = []
    for knob in knobs_of(before.program, machine):
        made = _of_knob(knob, partial(_gain, knob, before, after, machine))
        if made is not None:
            found.append(made)
    return tuple(found)


def _gain(
    knob: Knob, before: ScheduledProgram, after: ScheduledProgram, machine: Machine, factor: float
) -> bool | None:
    """True if the schedule is faster at this factor; None if the program is invalid there."""
    try:
        one = estimate(*turned(knob, factor, before, machine)).seconds
        other = estimate(*turned(knob, factor, after, machine)).seconds
    except P2Error:
        return None
    return other < one * (1 - _SAME)


def _of_knob(knob: Knob, gain: Callable[[float], bool | None]) -> ScheduleCrossover | None:
    looked = [(factor, gain(factor)) for factor in _factors(knob)]
    known = [(factor, faster) for factor, faster in looked if faster is not None]
    if len(known) < 2:
        return None
    turns = []
    for (low, before), (high, after) in pairwise(known):
        if before != after:
            turns.append(TurningPoint(factor=_between(low, high, before, gain), faster=after))
    return ScheduleCrossover(knob=knob, least=known[0][0], most=known[-1][0], faster=known[0][1], turns=tuple(turns))


def _factors(knob: Knob) -> list[float]:
    powers = [2.0**power for power in range(-REACH, REACH + 1)]
    match knob:
        case Length(_, value):
            return [power for power in powers if value * power >= 1]
        case Bandwidth() | Speed():
            return powers


def _between(low: float, high: float, before: bool, gain: Callable[[float], bool | None]) -> float:
    """Return the crossover between two factors, to within one per cent."""
    for _ in range(_HALVINGS):
        middle = (low * high) ** 0.5
        if gain(middle) == before:
            low = middle
        else:
            high = middle
    return high
