"""Plans on integers made for trouble: exact divisions, accumulators of zeros, divisors one after the other.

What is said of them is held against whole numbers in buffers, divided as integers are, and against the solver.
"""

import time
from collections import Counter
from dataclasses import replace
from math import prod
from random import Random

from tiers import is_full
from verify.interpreter import contributions, given_by, reaches, run, wanted

from p2smt.collective import Collective
from p2smt.smt.answer import NoAnswer, Sat, Unsat
from p2smt.verify.check import verify
from p2smt.verify.difference import difference
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import PlanRule
from p2smt.verify.verdict import Proved, Refuted

PLANS = 60 if is_full() else 15
SECONDS = 20
DATA, AGAIN, ZEROS = (BufferRange(name, 0, 1) for name in ("data", "again", "zeros"))


class Maker:
    """Steps that leave every device the sum, or the average, of all, with detours that should change nothing."""

    def __init__(self, random):
        self.random = random
        self.sizes = random.choice([(2,), (3,), (2, 2), (2, 3), (3, 3), (2, 2, 2), (4, 2), (5,), (2, 5), (7,)])
        self.devices = prod(self.sizes)
        self.alone = tuple((device,) for device in range(self.devices))
        self.zeros_left = True

    def groups(self, level):
        inner = prod(self.sizes[level + 1 :])
        size = self.sizes[level]
        starts = [first for first in range(self.devices) if first // inner % size == 0]
        return tuple(tuple(start + inner * k for k in range(size)) for start in starts)

    def divide(self, divisor):
        return VerificationStep(LocalOperation.SCALE, self.alone, DATA, DATA, divisor=divisor)

    def halves(self, divisor):
        """At once, or one factor after the other."""
        factors = [a for a in range(2, divisor) if divisor % a == 0]
        if factors and self.random.random() < 0.6:
            first = self.random.choice(factors)
            return [self.divide(first), self.divide(divisor // first)]
        return [self.divide(divisor)]

    def repeated(self):
        """So many times the number: by adding it to itself, or by a sum of equal numbers."""
        times = self.random.choice([2, 2, 3, 4, 6])
        copy = VerificationStep(LocalOperation.COPY, self.alone, DATA, AGAIN)
        return times, [copy, *[VerificationStep(LocalOperation.ADD, self.alone, AGAIN, DATA)] * (times - 1)]

    def accumulated(self):
        """Added to zeros, or zeros to it, once."""
        self.zeros_left = False
        if self.random.random() < 0.5:
            return [VerificationStep(LocalOperation.ADD, self.alone, ZEROS, DATA)]
        return [
            VerificationStep(LocalOperation.ADD, self.alone, DATA, ZEROS),
            VerificationStep(LocalOperation.COPY, self.alone, ZEROS, DATA),
        ]

    def plan(self):
        random, steps, owed = self.random, [], []
        average = random.random() < 0.6
        for level in random.sample(range(len(self.sizes)), len(self.sizes)):
            steps.append(VerificationStep(Collective.ALL_REDUCE, self.groups(level), DATA, DATA))
            if average:
                owed.append(self.sizes[level])
            while random.random() < 0.4:
                steps += self.detour(owed)
            if owed and random.random() < 0.5:
                steps += self.paid(owed)
        while random.random() < 0.5:
            steps += self.detour(owed)
        while owed:
            steps += self.paid(owed)
            if self.zeros_left and random.random() < 0.3:
                steps += self.accumulated()
        if random.random() < 0.15:
            del steps[random.randrange(len(steps))]
        everyone = (tuple(range(self.devices)),)
        goal = Goal(collective=Collective.ALL_REDUCE, groups=everyone, source=DATA, target=DATA, average=average)
        buffers = (("data", 1), ("again", 1), ("zeros", 1))
        return VerificationPlan(
            devices=self.devices, buffers=buffers, goal=goal, steps=tuple(steps), zeros=("zeros",), integers=True
        )

    def detour(self, owed):
        """More of everything, to be divided again at once or later; or zeros."""
        if self.zeros_left and self.random.random() < 0.4:
            return self.accumulated()
        level = self.random.randrange(len(self.sizes) + 1)
        if level < len(self.sizes) and self.random.random() < 0.4:
            return []
        times, steps = self.repeated()
        owed.append(times)
        return [*steps, *(self.paid(owed) if self.random.random() < 0.6 else [])]

    def paid(self, owed):
        """One or all of the factors that are in excess are divided away."""
        if self.random.random() < 0.3:
            divisor = prod(owed)
            owed.clear()
            return self.halves(divisor)
        return self.halves(owed.pop(self.random.randrange(len(owed))))


def inputs(plan, count):
    """Random contributions, small and large, and single ones of divisors and their neighbours."""
    yield from (contributions(plan, seed) for seed in range(count))
    for step in plan.steps:
        for number in {step.divisor - 1, step.divisor, step.divisor + 1}:
            yield given_by(plan, {(0, 0): number, (plan.devices - 1, 0): 1})


def right_on(plan, given):
    found = run(plan, given)
    return all((found[device] == numbers).all() for device, numbers in wanted(plan, given).items())


def decided(plan, outcomes):
    """The verdict is that of whole numbers; what the solver cannot do in time is counted as unknown."""
    verdict = verify(plan, time.monotonic() + SECONDS)
    solved = difference(plan, time.monotonic() + SECONDS)
    if isinstance(verdict, Proved):
        assert all(right_on(plan, given) for given in inputs(plan, 30 if is_full() else 8)), plan
        assert isinstance(solved, Unsat), plan
        outcomes["valid"] += 1
    elif isinstance(verdict, Refuted):
        example = verdict.counter_example.example
        assert (example is None) == (verdict.counter_example.rule is PlanRule.UNDEFINED), plan
        if example is not None:
            given = given_by(plan, example.contributions)
            assert run(plan, given)[example.device, example.at] == example.got
            assert not right_on(plan, given), plan
        assert isinstance(solved, Sat | NoAnswer), plan
        outcomes[verdict.counter_example.rule] += 1
    else:
        assert isinstance(solved, NoAnswer), (verdict, plan)
        assert "time was up" in verdict.reason
        outcomes["unknown"] += 1
    divisors = [step.divisor for step in plan.steps if step.divisor > 1]
    outcomes["divided twice"] += len(divisors) > 1
    outcomes["zeros"] += any("zeros" in (step.source.buffer, step.target.buffer) for step in plan.steps)
    outcomes["valid with divisions"] += isinstance(verdict, Proved) and bool(divisors)


def test_plans_on_integers_are_decided_as_whole_numbers_are():
    outcomes = Counter()
    random = Random(5)
    for _ in range(PLANS):
        decided(Maker(random).plan(), outcomes)
    assert outcomes["unknown"] <= PLANS / 20
    assert min(outcomes[one] for one in ("valid with divisions", "zeros", "divided twice")) > PLANS / 5
    assert outcomes[PlanRule.TRUNCATED] > PLANS / 10


def test_what_is_whole_does_not_mend_what_was_truncated():
    """One device brings twice the half of what it has; whoever comes first in the sum, it is no sum any more."""
    goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=DATA, target=DATA)
    for device in range(2):
        alone = ((device,),)
        steps = (
            VerificationStep(LocalOperation.SCALE, alone, DATA, DATA, divisor=2),
            VerificationStep(LocalOperation.COPY, alone, DATA, AGAIN),
            VerificationStep(LocalOperation.ADD, alone, AGAIN, DATA),
            VerificationStep(Collective.ALL_REDUCE, ((0, 1),), DATA, DATA),
        )
        plan = VerificationPlan(devices=2, buffers=(("data", 1), ("again", 1)), goal=goal, steps=steps, integers=True)
        verdict = verify(plan)
        assert isinstance(verdict, Refuted)
        assert (verdict.counter_example.rule, verdict.counter_example.example.contributions) == (
            PlanRule.TRUNCATED,
            {(device, 0): 1},
        )
        assert isinstance(verify(replace(plan, integers=False)), Proved)


def test_real_numbers_lose_nothing_where_integers_do():
    """The same plans without `integers`: what is truncated there is right here."""
    random, truncated = Random(6), 0
    for _ in range(PLANS // 2):
        plan = Maker(random).plan()
        verdict = verify(plan, time.monotonic() + SECONDS)
        if isinstance(verdict, Refuted) and verdict.counter_example.rule is PlanRule.TRUNCATED:
            real = replace(plan, integers=False)
            assert isinstance(verify(real), Proved)
            assert reaches(real, 1)
            truncated += 1
    assert truncated >= 2


def test_halves_of_one_device_beside_wholes_of_others_are_truncated():
    """x0 + x2 / 2 and x1 + x2 / 2, each without its fraction, are no sum of the three, though the shares are right."""
    goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1, 2),), source=DATA, target=DATA)
    steps = (
        VerificationStep(LocalOperation.COPY, ((0,), (1,), (2,)), DATA, AGAIN),
        VerificationStep(LocalOperation.ADD, ((0,), (1,)), AGAIN, DATA),
        VerificationStep(Collective.ALL_REDUCE, ((0, 2),), DATA, DATA),
        VerificationStep(LocalOperation.COPY, ((2,),), AGAIN, DATA),
        VerificationStep(Collective.ALL_REDUCE, ((1, 2),), DATA, DATA),
        VerificationStep(LocalOperation.SCALE, ((0,), (1,)), DATA, DATA, divisor=2),
        VerificationStep(Collective.ALL_REDUCE, ((0, 1),), DATA, DATA),
        VerificationStep(Collective.BROADCAST, ((0, 2),), DATA, DATA),
    )
    plan = VerificationPlan(devices=3, buffers=(("data", 1), ("again", 1)), goal=goal, steps=steps, integers=True)
    verdict = verify(plan)
    assert isinstance(verdict, Refuted)
    assert (verdict.counter_example.rule, verdict.counter_example.example.contributions) == (
        PlanRule.TRUNCATED,
        {(2, 0): 1},
    )
    assert isinstance(verify(replace(plan, integers=False)), Proved)
