"""Contents about a plan: step by step who acts together, on how many bytes, for how long."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from p2smt.cost.bus_bandwidth import work_bus_bandwidth
from p2smt.cost.explanation import busiest_link
from p2smt.cost.network.backend import Cost
from p2smt.cost.network.cost import StepCost, Work, step_work
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
    """The members of a step's groups; the fields are those of `StepContent`."""

    roots: tuple[int, ...]
    members: tuple[int, ...]
    sizes: tuple[int, ...]
    groups: int
    along: tuple[str, ...]

    @classmethod
    def of(cls, plan: Plan, rule: GroupRule, devices: Sequence[int]) -> "StepMembers":
        """The groups of a rule, as they are for these devices."""
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
        """Each of `count` devices as its own group; drawn devices that are no `roots` (-1) do nothing."""
        return cls(tuple(roots), tuple(int(root >= 0) for root in roots), (1,), count, ())


def program_content(
    name: str, text: str, seconds: float, payload: int, steps: tuple[StepContent, ...]
) -> ProgramContent:
    """A program called `name` in a list of programs, beside its seconds and what its steps are."""
    label = f"{name} {format_seconds(seconds)}: {', '.join(step.what for step in steps) or 'nothing to do'}"
    return ProgramContent(label, text, seconds, payload, steps)


def steps_of(plan: Plan, cost: Cost, devices: Sequence[int]) -> tuple[StepContent, ...]:
    """The steps of a plan, as they are for these devices; raises PlanError for a plan that cannot run."""
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
    """A step whose share of the program's time is not known yet; `amounts` are those before and after it."""
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
    """Bytes/s of bus bandwidth of a step; None of a local one, and among groups of unlike size."""
    if not isinstance(step, CollectiveStep) or cost.system.is_uneven:
        return None
    work = step_work(plan.payload, step, partial(pattern_of, plan))
    return work_bus_bandwidth(work, cost.step_cost(plan, step).seconds) if isinstance(work, Work) else None


def shared(steps: Sequence[StepContent]) -> tuple[StepContent, ...]:
    """The steps with their shares of the total time."""
    whole = sum(step.seconds for step in steps)
    return tuple(replace(step, share=step.seconds / whole if whole else 0.0) for step in steps)


def _names(plan: Plan, places: Sequence[int]) -> tuple[str, ...]:
    digits = (plan.digits[place] for place in places)
    return tuple(f"{digit.level}.{digit.axis}" for digit in digits if digit.size > 1)


def _different(plan: Plan, amounts: Amounts, classes: Sequence[int]) -> tuple[float, ...]:
    return tuple(sorted({_bytes(plan, amounts[kind]) for kind in classes}))


def _bytes(plan: Plan, amount: int | None) -> float:
    return (amount or 0) * plan.payload.bytes / plan.multiple
