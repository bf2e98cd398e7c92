"""What a report says of a plan: step by step who acts together, on how many bytes, for how long."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from p2smt.cost.explanation import busiest_link
from p2smt.cost.network.backend import Cost
from p2smt.cost.network.cost import StepCost
from p2smt.placement.groups import device_class
from p2smt.problem.quantity import format_seconds
from p2smt.reduction.plan.holdings import Amounts, DeviceClasses, device_classes, holdings, reordered
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan
from p2smt.report.content.content import ProgramContent, StepContent

LOCAL = "local permutation"


@dataclass(frozen=True, slots=True)
class Members:
    """Who acts together in a step; the fields are those of `StepContent`."""

    roots: tuple[int, ...]
    among: int
    groups: int
    along: tuple[str, ...]

    @classmethod
    def of(cls, plan: Plan, rule: GroupRule, devices: Sequence[int]) -> "Members":
        """The groups of a rule, as they are for these devices."""
        groups = plan.groups(rule)
        roots = (groups.root_of(device) for device in devices)
        known = tuple(-1 if root is None else root for root in roots)
        return cls(known, groups.size, groups.count, _names(plan, rule.varying))


def program_content(
    name: str, text: str, seconds: float, payload: int, steps: tuple[StepContent, ...]
) -> ProgramContent:
    """A program called `name` in a list of programs, beside its seconds and what its steps are."""
    label = f"{name} {format_seconds(seconds)}: {', '.join(step.what for step in steps) or 'nothing to do'}"
    return ProgramContent(label, text, seconds, payload, steps)


def steps_of(plan: Plan, cost: Cost, devices: Sequence[int]) -> tuple[StepContent, ...]:
    """The steps of a plan, as they are for these devices; raises PlanError for a plan that cannot run."""
    classes = device_classes(plan)
    amounts = holdings(plan, classes)
    own = [device_class(device, plan.sizes, classes.sets) for device in devices]
    found = []
    for number, step in enumerate(plan.steps):
        before, after = amounts[number : number + 2]
        match step:
            case CollectiveStep(collective, rule):
                what, active = str(collective), classes.taking_part(rule)
                members = Members.of(plan, rule, devices)
            case PermuteStep():
                what, active = LOCAL, reordered(classes, step, before)
                roots = (device if kind in active else -1 for device, kind in zip(devices, own, strict=True))
                members = Members(tuple(roots), 1, sum(_members(plan, classes, kind) for kind in active), ())
        found.append(
            step_content(
                what,
                members,
                (_different(plan, before, active), _different(plan, after, active)),
                tuple(_bytes(plan, after[kind]) for kind in own),
                cost.step_cost(plan, step),
            )
        )
    return shared(found)


def step_content(
    what: str,
    members: Members,
    amounts: tuple[tuple[float, ...], tuple[float, ...]],
    held: tuple[float, ...],
    price: StepCost,
) -> StepContent:
    """A step whose share of the program's time is not known yet; `amounts` are those before and after it."""
    name = busiest_link(price)
    return StepContent(
        what,
        members.among,
        members.groups,
        members.along,
        *amounts,
        name or "",
        next((load.busiest for load in price.loads if load.link.name == name), 0.0),
        price.seconds,
        0.0,
        members.roots,
        held,
    )


def shared(steps: Sequence[StepContent]) -> tuple[StepContent, ...]:
    """The steps with the shares that they have of the time of all of them."""
    whole = sum(step.seconds for step in steps)
    return tuple(replace(step, share=step.seconds / whole if whole else 0.0) for step in steps)


def _members(plan: Plan, classes: DeviceClasses, kind: int) -> int:
    """Number of devices of a class."""
    sizes = [prod(plan.sizes[place] for place in places) for places in classes.sets]
    inside = prod(size - 1 if kind >> i & 1 else 1 for i, size in enumerate(sizes))
    return inside * (plan.devices // prod(sizes))


def _names(plan: Plan, places: Sequence[int]) -> tuple[str, ...]:
    digits = (plan.digits[place] for place in places)
    return tuple(f"{digit.level}.{digit.axis}" for digit in digits if digit.size > 1)


def _different(plan: Plan, amounts: Amounts, classes: Sequence[int]) -> tuple[float, ...]:
    return tuple(sorted({_bytes(plan, amounts[kind]) for kind in classes}))


def _bytes(plan: Plan, amount: int | None) -> float:
    return (amount or 0) * plan.payload.bytes / plan.multiple
