"""Solver queries about a plan: inputs that yield a wrong result, and the results for given inputs."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from p2smt.smt.answer import Answer, Sat, Unsat
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.solver import Solver
from p2smt.smt.sums import BitVectorSums, IntegerSums, Number, Numbers
from p2smt.verify.growth import greatest_count, unit
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.rules import PlanRules

LEAST_BITS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Inputs that yield a wrong result: `contributions[device, chunk]`, with all others 0.

    `got` and `wanted` are the actual and the required value on `device` in `chunk` of the goal's target. They
    are given modulo 2^`bits` and, if the plan divides, multiplied by a common factor. For integer plans they
    are exact, and `bits` is None.
    """

    device: int
    chunk: int
    contributions: dict[tuple[int, int], int]
    got: int
    wanted: int
    bits: int | None


@Interruptible()
def difference(plan: VerificationPlan, deadline: float | None = None) -> Answer[Difference]:
    """Search for inputs that yield a wrong result; Unsat proves that the plan is right.

    The plan's steps must satisfy the rules of shape. `deadline` is a time of `time.monotonic`.
    """
    with _numbers(plan, 0) as numbers:
        return _difference(plan, PlanRules(plan, numbers), deadline)


def _difference(plan: VerificationPlan, rules: PlanRules, deadline: float | None) -> Answer[Difference]:
    # Devices of a group often hold the same terms; each pair of terms is compared once.
    equal: set[tuple[int, int]] = set()
    state, target = rules.run(), plan.goal.target
    for group in plan.goal.groups:
        for device, aims in zip(group, rules.goal(group), strict=True):
            cells = state[device][target.buffer][target.start : target.end]
            for at, aim in enumerate(aims):
                pairs = rules.compared(cells[at], aim)
                key = pairs[-1][0].value, pairs[-1][1].value
                if key in equal:
                    continue
                # Syntactically equal sums need no solver, which is the usual case for a right plan.
                if not any(rules.sums.same(*pair) for pair in pairs):
                    answer = _ask(rules, pairs[-1], (device, at), deadline)
                    if not isinstance(answer, Unsat):
                        return answer
                equal.add(key)
    return Unsat()


def _ask(
    rules: PlanRules, pair: tuple[Number, Number], where: tuple[int, int], deadline: float | None
) -> Answer[Difference]:
    """Search for contributions for which two numbers differ."""
    numbers = rules.sums
    terms = [numbers.differ(*pair), *numbers.assumed]
    answer = Solver("numbers on which the plan goes wrong", terms, numbers.logic).ask(deadline)
    if not isinstance(answer, Sat):
        return answer
    given = {key: numbers.in_model(answer.model, number) for key, number in rules.given.items()}
    got, wanted = (numbers.in_model(answer.model, number) for number in pair)
    return Sat(
        Difference(
            device=where[0],
            chunk=where[1],
            contributions={key: number for key, number in given.items() if number},
            got=got,
            wanted=wanted,
            bits=numbers.bits if isinstance(numbers, BitVectorSums) else None,
        )
    )


@Interruptible()
def evaluated(
    plan: VerificationPlan, contributions: Mapping[tuple[int, int], int], device: int, at: int
) -> tuple[Fraction, Fraction] | None:
    """Return the actual and the required value on a device in chunk `at` of the goal's target.

    Contributions that are not given are 0. Return None if a value depends on undefined contents. The plan's
    steps must satisfy the rules of shape.
    """
    with _numbers(plan, max(contributions.values())) as numbers:
        rules = PlanRules(plan, numbers, contributions)
        group = next(group for group in plan.goal.groups if device in group)
        target, aims = plan.goal.target, rules.goal(group)[group.index(device)]
        cells = rules.run()[device][target.buffer][target.start + at], aims[at]
        found = [rules.value(cell) for cell in cells]
        return None if found[0] is None or found[1] is None else (found[0], found[1])


def _numbers(plan: VerificationPlan, largest: int) -> Numbers:
    """Return integers, or bit-vectors wide enough that counts of contributions up to `largest` do not wrap around."""
    if plan.integers:
        return IntegerSums()
    divided = sum(step.divisor.bit_length() for step in plan.steps) + plan.devices.bit_length()
    counted = greatest_count(plan).bit_length() + divided + unit(plan).bit_length() + 1
    return BitVectorSums(max(LEAST_BITS, counted) + largest.bit_length())
