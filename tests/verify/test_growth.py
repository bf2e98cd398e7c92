"""Counts of contributions have room in their fields, however they grow."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from frontend.msccl import schedules
from looped import looped
from tiers import is_full
from verify.random_plans import damaged, right_plan

from p2smt.collective import Collective, Exchange
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.verify import growth
from p2smt.verify.check import verify
from p2smt.verify.execution import counts, execute
from p2smt.verify.growth import greatest_count, unit
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Proved


@looped("doublings", [*range(9), 40])
def test_sums_that_are_added_to_themselves_again_and_again(doublings):
    """Everyone has 2^k times its own contribution, then all have that of all."""
    part, alone, everyone = BufferRange("data", 0, 1), ((0,), (1,), (2,)), (0, 1, 2)
    steps = [VerificationStep(LocalOperation.ADD, alone, part, part)] * doublings
    goal = Goal(collective=Collective.ALL_REDUCE, groups=(everyone,), source=part, target=part)
    plan = VerificationPlan(devices=3, buffers=(("data", 1),), goal=goal, steps=tuple(steps))
    outcome = execute(plan)
    for device in everyone:
        ((_, fields),) = outcome.cells[device]["data"][0].counts
        assert [outcome.count(fields, one) for one in everyone] == [2**doublings * (one == device) for one in everyone]
    assert greatest_count(plan) >= 2**doublings
    summed = replace(plan, steps=(*steps, VerificationStep(Collective.ALL_REDUCE, (everyone,), part, part)))
    ((_, fields),) = execute(summed).cells[0]["data"][0].counts
    assert [execute(summed).count(fields, one) for one in everyone] == [2**doublings] * 3


@pytest.mark.parametrize("few", [0, 2**16])
def test_no_count_is_above_the_bound(few, monkeypatch):
    """Counted by buffers or by cells, whatever the plan does, right or wrong."""
    monkeypatch.setattr(growth, "FEW", few)
    random, least = Random(12), 0
    for _ in range(300 if is_full() else 60):
        plan = damaged(right_plan(random)[0], random)
        if shape_mistake(plan):
            continue
        bound = greatest_count(plan)
        outcome = execute(plan)
        cells = [cell for held in outcome.cells for cells in held.values() for cell in cells if cell]
        counts = [
            outcome.count(fields, one) for cell in cells for _, fields in cell.counts for one in range(plan.devices)
        ]
        assert max(counts, default=0) <= bound * outcome.unit
        least += max(counts, default=0) > outcome.unit
    assert least > (5 if is_full() else 1)


def test_fields_have_room_for_the_difference_of_any_two_counts():
    """Of either sign, and in parts of contributions where a plan divides."""
    random, negative = Random(15), 0
    data, other, alone = BufferRange("data", 0, 1), BufferRange("other", 0, 1), ((0,), (1,), (2,))
    kinds = (
        LocalOperation.SCALE,
        LocalOperation.ADD,
        LocalOperation.NEGATE,
        LocalOperation.NEGATE,
        LocalOperation.COPY,
    )
    for _ in range(200):
        steps = [
            VerificationStep(
                random.choice(kinds), alone, *random.sample((data, other), 2), divisor=random.choice((1, 1, 3, 5))
            )
            for _ in range(random.randint(2, 6))
        ]
        goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1, 2),), source=data, target=data)
        buffers = (("data", 1), ("other", 1))
        outcome = execute(VerificationPlan(devices=3, buffers=buffers, goal=goal, steps=tuple(steps), zeros=("other",)))
        cells = [cell for held in outcome.cells for cells in held.values() for cell in cells if cell and cell.counts]
        fields = [cell.counts[0][1] for cell in cells] + [outcome.unit << one * outcome.width for one in range(3)]
        for left, right in product(fields, repeat=2):
            each = [outcome.count(left, one) - outcome.count(right, one) for one in range(3)]
            assert [outcome.count(left - right, one) for one in range(3)] == each, steps
            assert dict(counts(left - right, outcome.width)) == {one: each[one] for one in range(3) if each[one]}
            negative += min(each) < -outcome.unit
    assert negative > 20


def test_long_rings_need_little_room():
    """By buffers the bound doubles with every hop, by cells it is how many have added."""
    made = schedules.Schedule(8, "allreduce", 16, proto="LL")
    schedules.ring(made)
    plan = parse_msccl(made.text().encode(), "file")
    assert greatest_count(plan) <= 16
    assert isinstance(verify(plan), Proved)


def coefficients(plan):
    """How often every contribution is in every buffer of one chunk, after each step, as fractions."""
    given = plan.goal.source.buffer
    held = [
        {name: {device: Fraction(1)} if name == given else {} for name, _ in plan.buffers}
        for device in range(plan.devices)
    ]
    for step in plan.steps:
        for group in step.groups:
            brought = [added(*(held[device][part.buffer] for part in step.reads)) for device in group]
            match step.operation:
                case Collective.ALL_REDUCE:
                    got = [added(*brought)] * len(group)
                case Exchange.SEND | Collective.BROADCAST:
                    got = [brought[step.root]] * len(group)
                case _:
                    got = brought
            for place, device in enumerate(group):
                if step.operation is not Exchange.SEND or place != step.root:
                    divided = {one: number / step.divisor for one, number in got[place].items()}
                    held[device][step.target.buffer] = divided
        yield from (number for of in held for cell in of.values() for number in cell.values())


def added(*cells):
    return {one: sum(cell.get(one, Fraction(0)) for cell in cells) for one in set().union(*cells)}


def test_every_division_leaves_whole_numbers_of_units():
    """Divisors on some devices alone, whose results then reach the others."""
    rng, fine = Random(3), 0
    for _ in range(200):
        steps = []
        for _ in range(rng.randint(3, 8)):
            source, target = (BufferRange(rng.choice(("data", "data", "data", "other")), 0, 1) for _ in range(2))
            operation = rng.choice(
                (LocalOperation.SCALE, LocalOperation.SCALE, LocalOperation.ADD, Collective.ALL_REDUCE, Exchange.SEND)
            )
            groups = ((0,), (1,), (2,)) if isinstance(operation, LocalOperation) else (tuple(rng.sample(range(3), 2)),)
            groups = tuple(rng.sample(groups, rng.randint(1, len(groups))))
            steps.append(VerificationStep(operation, groups, source, target, divisor=rng.choice((1, 2, 2, 3))))
        part = BufferRange("data", 0, 1)
        goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1, 2),), source=part, target=part)
        buffers = (("data", 1), ("other", 1))
        plan = VerificationPlan(devices=3, buffers=buffers, goal=goal, steps=tuple(steps), zeros=("other",))
        numbers = list(coefficients(plan))
        assert all((number * unit(plan)).denominator == 1 for number in numbers), steps
        fine += any(number.denominator > 3 for number in numbers)
    assert fine > 20
