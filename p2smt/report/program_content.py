"""What a report says of a program: step by step who acts together, on how many bytes, for how long."""

from collections.abc import Sequence
from math import prod

from p2smt.cost.backend import Cost
from p2smt.cost.explanation import busiest_link
from p2smt.cost.network_cost import StepCost
from p2smt.cost.ranking import RankedProgram
from p2smt.placement.digits import split
from p2smt.plan.holdings import Amounts, DeviceClasses, device_classes, holdings, reordered
from p2smt.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan
from p2smt.report.content import ProgramContent, StepContent
from p2smt.report.selection import group_roots

LOCAL = "local permutation"


def program_content(ranked: RankedProgram, cost: Cost, devices: Sequence[int]) -> ProgramContent:
    """The steps of a ranked program, as they are for these devices."""
    plan = ranked.plan
    return ProgramContent(ranked.rank, ranked.text, ranked.seconds, plan, steps_of(plan, cost, devices))


def steps_of(plan: Plan, cost: Cost, devices: Sequence[int]) -> tuple[StepContent, ...]:
    """The steps of a plan, as they are for these devices; raises PlanError for a plan that cannot run."""
    classes = device_classes(plan)
    amounts = holdings(plan, classes)
    costs = [cost.step_cost(plan, step) for step in plan.steps]
    whole = sum(price.seconds for price in costs)
    own = [_class_of(plan, classes, device) for device in devices]
    found = []
    for number, (step, price) in enumerate(zip(plan.steps, costs, strict=True)):
        before, after = amounts[number : number + 2]
        match step:
            case CollectiveStep(collective, rule):
                roots = group_roots(devices, plan.sizes, rule.varying, rule.zero)
                among, groups, along = plan.group_size(rule), _group_count(plan, rule), _names(plan, rule.varying)
                what, active = str(collective), classes.taking_part(rule)
            case PermuteStep():
                what, active = LOCAL, reordered(classes, step, before)
                roots = [device if kind in active else -1 for device, kind in zip(devices, own, strict=True)]
                among, groups, along = 1, sum(_members(plan, classes, kind) for kind in active), ()
        link, link_bytes = _busiest(price)
        found.append(
            StepContent(
                what,
                among,
                groups,
                along,
                _different(plan, before, active),
                _different(plan, after, active),
                link,
                link_bytes,
                price.seconds,
                price.seconds / whole if whole else 0.0,
                tuple(roots),
                tuple(_bytes(plan, after[kind]) for kind in own),
            )
        )
    return tuple(found)


def _class_of(plan: Plan, classes: DeviceClasses, device: int) -> int:
    digits = split(device, plan.sizes)
    return sum(1 << i for i, places in enumerate(classes.sets) if any(digits[place] for place in places))


def _members(plan: Plan, classes: DeviceClasses, kind: int) -> int:
    """Number of devices of a class."""
    sizes = [prod(plan.sizes[place] for place in places) for places in classes.sets]
    inside = prod(size - 1 if kind >> i & 1 else 1 for i, size in enumerate(sizes))
    return inside * (plan.devices // prod(sizes))


def _group_count(plan: Plan, rule: GroupRule) -> int:
    fixed = {*rule.varying, *rule.zero}
    return prod(size for place, size in enumerate(plan.sizes) if place not in fixed)


def _names(plan: Plan, places: Sequence[int]) -> tuple[str, ...]:
    digits = (plan.digits[place] for place in places)
    return tuple(f"{digit.level}.{digit.axis}" for digit in digits if digit.size > 1)


def _different(plan: Plan, amounts: Amounts, classes: Sequence[int]) -> tuple[float, ...]:
    return tuple(sorted({_bytes(plan, amounts[kind]) for kind in classes}))


def _bytes(plan: Plan, amount: int | None) -> float:
    return (amount or 0) * plan.payload.bytes / plan.multiple


def _busiest(price: StepCost) -> tuple[str, float]:
    name = busiest_link(price)
    return name or "", next((load.busiest for load in price.loads if load.link.name == name), 0.0)
