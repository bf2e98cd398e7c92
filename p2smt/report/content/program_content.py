"""Collect the steps of a plan for display: the groups that act together, their bytes, and their times."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from p2smt.cost.bus_bandwidth import work_bus_bandwidth
from p2smt.cost.explanation import busiest_link
from p2smt.cost.network.cost import Cost, StepCost, Work, step_work
from p2smt.cost.network.pattern import pattern_of
from p2smt.placement.tree import PresentGroups
from p2smt.problem.quantity import format_seconds
from p2smt.reduction.plan.holdings import Amounts
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, PlanStep
from p2smt.report.content.content import ProgramContent, StepContent
from p2smt.report.content.held import held_of

LOCAL = "local permutation"


@dataclass(frozen=True, slots=True)
class StepMembers:
    """The members of a step's groups; the fields have the meaning of those of `StepContent`."""

    roots: tuple[int, ...]
    members: tuple[int, ...]
    sizes: tuple[int, ...]
    groups: int
    along: tuple[str, ...]

    @classmethod
    def of(cls, plan: Plan, rule: GroupRule, devices: Sequence[int]) -> "StepMembers":
        """Return the groups of a rule, with the per-device fields given for `devices`."""
        groups, names = plan.groups(rule), _names(plan, rule.varying)
        if isinstance(groups, PresentGroups):
            own = {member: group for group in groups for member in group}
            pairs = [(own[device][0], len(own[device])) if device in own else (-1, 0) for device in devices]
        else:
            roots = (groups.root_of(device) for device in devices)
            pairs = [(-1, 0) if root is None else (root, groups.size) for root in roots]
        first, many = (tuple(pair[place] for pair in pairs) for place in (0, 1))
        return cls(first, many, groups.group_sizes, groups.count, names)

    @classmethod
    def alone(cls, roots: Sequence[int], count: int) -> "StepMembers":
        """Return `count` one-device groups; drawn devices whose entry in `roots` is -1 do not take part."""
        return cls(tuple(roots), tuple(int(root >= 0) for root in roots), (1,), count, ())


def program_content(
    name: str, text: str, seconds: float, payload: int, steps: tuple[StepContent, ...]
) -> ProgramContent:
    """Return a program whose label consists of `name`, its time and its steps."""
    label = f"{name} {format_seconds(seconds)}: {', '.join(step.what for step in steps) or 'nothing to do'}"
    return ProgramContent(label, text, seconds, payload, steps)


def steps_of(plan: Plan, cost: Cost, devices: Sequence[int]) -> tuple[StepContent, ...]:
    """Return the steps of a plan, with the per-device fields given for `devices`. Raises PlanError if it cannot run."""
    held = held_of(plan)
    own = held.kinds(devices)
    found = []
    for number, step in enumerate(plan.steps):
        before, after = held.amounts[number : number + 2]
        match step:
            case CollectiveStep(collective, rule):
                what, active = str(collective), held.taking_part(rule)
                members = StepMembers.of(plan, rule, devices)
            case PermuteStep():
                what, active = LOCAL, held.reordered(step, before)
                roots = [device if kind in active else -1 for device, kind in zip(devices, own, strict=True)]
                members = StepMembers.alone(roots, sum(map(held.count, active)))
        found.append(
            step_content(
                what,
                members,
                (_different(plan, before, active), _different(plan, after, active)),
                tuple(_bytes(plan, after[kind]) for kind in own),
                cost.step_cost(plan, step),
                _rate(plan, step, cost),
            )
        )
    return shared(found)


def step_content(
    what: str,
    members: StepMembers,
    amounts: tuple[tuple[float, ...], tuple[float, ...]],
    held: tuple[float, ...],
    price: StepCost,
    rate: float | None = None,
) -> StepContent:
    """Return a step with its share of the program's time still unset; `amounts` are the bytes before and after."""
    name = busiest_link(price)
    return StepContent(
        what,
        members.sizes,
        members.groups,
        members.along,
        *amounts,
        name or "",
        next((load.busiest for load in price.loads if load.link.name == name), 0.0),
        price.seconds,
        0.0,
        members.roots,
        members.members,
        held,
        rate,
    )


def _rate(plan: Plan, step: PlanStep, cost: Cost) -> float | None:
    """Return a step's bus bandwidth in bytes/s; None for a local step or if groups differ in size."""
    if not isinstance(step, CollectiveStep) or cost.system.is_uneven:
        return None
    work = step_work(plan.payload, step, partial(pattern_of, plan))
    return work_bus_bandwidth(work, cost.step_cost(plan, step).seconds) if isinstance(work, Work) else None


def shared(steps: Sequence[StepContent]) -> tuple[StepContent, ...]:
    """Return the steps with their shares of the total time filled in."""
    whole = sum(step.seconds for step in steps)
    return tuple(replace(step, share=step.seconds / whole if whole else 0.0) for step in steps)


def _names(plan: Plan, places: Sequence[int]) -> tuple[str, ...]:
    digits = (plan.digits[place] for place in places)
    return tuple(f"{digit.level}.{digit.axis}" for digit in digits if digit.size > 1)


def _different(plan: Plan, amounts: Amounts, classes: Sequence[int]) -> tuple[float, ...]:
    return tuple(sorted({_bytes(plan, amounts[kind]) for kind in classes}))


def _bytes(plan: Plan, amount: int | None) -> float:
    return (amount or 0) * plan.payload.bytes / plan.multiple
