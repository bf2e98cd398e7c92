"""How much every rank holds before every step of a plan, rank by rank: for units of unlike size.

There, devices of one class may hold unlike amounts: one whose group has no other member takes no part in a step.
"""

from math import prod

from p2smt.errors import PlanError
from p2smt.reduction.plan.holdings import Amounts
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, applies


def rank_holdings(plan: Plan) -> tuple[Amounts, ...]:
    """What every rank holds before every step and at the end, in parts of `1 / plan.multiple` of the payload.

    None stands for a buffer that Reduce gave away. Raises PlanError where running the plan would.
    """
    together = plan.groups(plan.reduction)
    amount = plan.multiple // (together.size if plan.goal.gathers else 1)
    roots = {*together.roots()} if plan.goal.from_root else range(plan.devices)
    found: list[Amounts] = [tuple(amount if rank in roots else None for rank in range(plan.devices))]
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case PermuteStep(sizes):
                if any((found[-1][rank] or 0) % prod(sizes) for rank in reordered_ranks(plan, step, found[-1])):
                    raise PlanError(f"step {number}: dimensions {list(sizes)} do not divide what a device holds")
                found.append(found[-1])
            case CollectiveStep():
                found.append(_after(plan, step, number, found[-1]))
    return tuple(found)


def reordered_ranks(plan: Plan, step: PermuteStep, before: Amounts) -> tuple[int, ...]:
    """The ranks that hold a buffer which the step reorders."""
    return tuple(
        rank
        for rank, amount in enumerate(before)
        if amount is not None and applies(step.portion, plan.device_class(rank))
    )


def _after(plan: Plan, step: CollectiveStep, number: int, before: Amounts) -> Amounts:
    after = list(before)
    for members in plan.groups(step.groups):
        amount, size = before[members[0]], len(members)
        alike = step.collective.from_root or all(before[member] == amount for member in members)
        if amount is None or not alike:
            raise PlanError(f"step {number}: members of a group hold buffers of different lengths, or none")
        if step.collective.scatters and amount % size:
            raise PlanError(f"step {number}: what members hold does not divide among {size} of them")
        result = amount // (size if step.collective.scatters else 1) * (size if step.collective.gathers else 1)
        for member in members:
            after[member] = None if step.collective.to_root and member != members[0] else result
    return tuple(after)
