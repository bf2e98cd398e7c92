"""What classes of devices hold, against the devices one by one and against what steps say of themselves."""

from support import problem, programs

from p2smt.collective import Collective
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine
from p2smt.reduction.plan.holdings import device_classes, holdings, reordered
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, applies


def plans(sizes: list[int], axes: list[int], reduce: tuple[int, ...] = (0,)) -> list[Plan]:
    asked = problem(sizes, axes, reduce)
    lowering = Lowering(asked, all_placements(asked).items[0])
    levels = tuple(level.size for level in lowering.hierarchy.reduction_levels)
    return [lowering.plan(lowering.language.program(steps)) for steps in sorted(programs(Engine.LEVELS, levels))]


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
