"""What classes of devices hold, against the devices one by one and against what steps say of themselves."""

from dataclasses import replace

import pytest
from support import problem, programs

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine
from p2smt.reduction.plan.holdings import check_end, device_classes, holdings, reordered
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, applies


def plans(sizes: list[int], axes: list[int], reduce: tuple[int, ...] = (0,)) -> list[Plan]:
    asked = problem(sizes, axes, reduce)
    lowering = Lowering(asked, all_placements(asked).items[0])
    levels = tuple(level.size for level in lowering.hierarchy.reduction_levels)
    return [lowering.plan(lowering.language.program(steps)) for steps in sorted(programs(Engine.EXPLICIT, levels))]


def one_by_one(plan: Plan) -> list[list[int | None]]:
    """What every device holds before every step and at the end."""
    found: list[list[int | None]] = [[plan.multiple] * plan.devices]
    for step in plan.steps:
        now = list(found[-1])
        for group in plan.groups(step.groups) if isinstance(step, CollectiveStep) else ():
            held = now[group[0]]
            for member in group:
                match step.collective:
                    case Collective.REDUCE_SCATTER:
                        now[member] = held // len(group)
                    case Collective.ALL_GATHER:
                        now[member] = held * len(group)
                    case Collective.REDUCE if member != group[0]:
                        now[member] = None
                    case _:
                        now[member] = held
        found.append(now)
    return found


def class_of(sets: tuple[tuple[int, ...], ...], device: int, plan: Plan) -> int:
    digits = []
    for size in reversed(plan.sizes):
        device, digit = divmod(device, size)
        digits.insert(0, digit)
    return sum(1 << i for i, places in enumerate(sets) if any(digits[place] for place in places))


@pytest.mark.thorough  # steps say what roots hold below
def test_classes_hold_what_their_devices_hold():
    for plan in (*plans([2, 3], [6]), *plans([2, 2, 2], [8])[::7], *plans([2, 2, 2], [4, 2], (0, 1))[::29]):
        classes = device_classes(plan)
        own = [class_of(classes.sets, device, plan) for device in range(plan.devices)]
        assert [classes.carried[number] for number in own] == list(map(plan.device_class, range(plan.devices)))
        amounts = [[before[number] for number in own] for before in holdings(plan, classes)]
        assert amounts == one_by_one(plan)


def test_steps_say_what_the_roots_of_their_groups_hold():
    for plan in (*plans([2, 4], [8]), *plans([2, 2, 2], [8])[::3]):
        classes = device_classes(plan)
        for step, before in zip(plan.steps, holdings(plan, classes), strict=False):
            match step:
                case CollectiveStep(_, rule, portions):
                    inside = classes.mask(rule.varying)
                    concerned = [(number, portions) for number in classes.taking_part(rule) if not number & inside]
                case PermuteStep(_, _, portion):
                    concerned = [(number, (portion,)) for number in reordered(classes, step, before)]
            for number, said in concerned:
                parts = next(one.parts for one in said if applies(one, classes.carried[number]))
                assert before[number] == plan.multiple // parts


def test_digits_that_are_always_named_together_are_one_set():
    (plan, *_) = plans([2, 2, 2], [4, 2], (0, 1))
    assert len(plan.digits) == 6
    assert len(device_classes(plan).sets) == len(plan.reduction_levels) == 3


def test_a_device_is_in_a_level_that_steps_take_apart_where_any_of_its_digits_is_not_0():
    """The digits of four devices are 00, 01, 10 and 11."""
    (plan, *_) = plans([4], [2, 2], (0, 1))
    ((step, *_), places) = plan.steps, range(len(plan.digits))
    apart = replace(plan, steps=tuple(replace(step, groups=GroupRule((place,))) for place in places))
    classes = device_classes(apart)
    assert classes.sets == ((0,), (1,))
    assert [classes.carried[class_of(classes.sets, device, apart)] for device in range(4)] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        (
            [Collective.ALL_GATHER],
            ("step 1: the buffers of 6 members are together larger than the payload; check the plan with p2smt verify"),
        ),
        (
            [Collective.REDUCE_SCATTER],
            ("step 1: the buffers of members do not divide into 6 equal blocks; check the plan with p2smt verify"),
        ),
        ([Collective.REDUCE, Collective.ALL_REDUCE], "step 2: members of a group hold buffers of different lengths"),
    ],
)
def test_steps_that_cannot_be_done_are_refused(calls, message):
    plan = next(plan for plan in plans([6], [6]) if len(plan.steps) == 1)
    (step,) = plan.steps
    broken = replace(plan, steps=tuple(replace(step, collective=collective) for collective in calls))
    with pytest.raises(PlanError, match=message):
        holdings(broken, device_classes(broken))


@pytest.mark.parametrize(
    ("goal", "first", "last"),
    [
        (Collective.BROADCAST, (6, None), (6, 6)),
        (Collective.REDUCE, (6, 6), (6, None)),
        (Collective.ALL_GATHER, (1, 1), (6, 6)),
        (Collective.REDUCE_SCATTER, (6, 6), (1, 1)),
    ],
)
def test_goals_begin_and_end_with_what_they_say(goal, first, last):
    """In parts of a payload of six; the second device is no root, and what a Reduce leaves there does not matter."""
    asked = problem([6], [6], goal=goal)
    lowering = Lowering(asked, all_placements(asked).items[0])
    for steps in programs(Engine.LEVELS, (6,), goal=goal):
        plan = lowering.plan(lowering.language.program(steps))
        amounts = holdings(plan, device_classes(plan))
        shares = [tuple(None if amount is None else amount * 6 // plan.multiple for amount in one) for one in amounts]
        assert shares[0] == first
        assert all(wanted in (None, share) for share, wanted in zip(shares[-1], last, strict=True))
        check_end(plan, device_classes(plan), amounts[-1])
        with pytest.raises(PlanError, match="does not hold the result of"):
            check_end(plan, device_classes(plan), (0, 0))


def test_a_plan_after_which_some_devices_hold_too_little_is_refused_though_the_roots_hold_all():
    """Every program cut short, and held against the devices one by one: roots alone are not all."""
    refused, by_roots = 0, 0
    for plan in plans([2, 4], [8]):
        for count in range(len(plan.steps)):
            cut = replace(plan, steps=plan.steps[:count])
            classes, ends = device_classes(cut), one_by_one(cut)[-1]
            end = holdings(cut, classes)[-1]
            if all(amount == plan.multiple for amount in ends):
                check_end(cut, classes, end)
                continue
            with pytest.raises(PlanError, match="does not hold the result of AllReduce"):
                check_end(cut, classes, end)
            refused += 1
            by_roots += ends[0] == plan.multiple
    assert refused > by_roots > 10
