"""The fraction of the payload that each rank holds before every step of a plan, for units of unequal size.

On such units, devices of the same class may hold different amounts, because a device whose group has no other member
takes no part in a step.

The recurrence is that of `holdings.py`, with the size of each rank's own group instead of one size for all groups.

    ReduceScatter  a / n[rank],    AllGather  a n[rank],    n[rank] = size of the group of the rank, 1 if it has none.

Complexity: O(ranks) for each step.
Reference: that of `holdings.py`.

Example: nodes of 4 GPUs and of 1. A ReduceScatter inside nodes leaves a quarter of the payload on ranks 0 to 3, and the
whole payload on rank 4.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from p2smt.errors import PlanError
from p2smt.reduction.plan.holdings import Amounts
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, applies


def rank_holdings(plan: Plan) -> tuple[Amounts, ...]:
    """Return each rank's amount before every step and at the end, in units of `1 / plan.multiple` of the payload.

    None stands for a buffer that a Reduce has consumed. Raises PlanError if execution would.
    """
    return tuple(_amounts(plan))


def check_portions(plan: Plan) -> None:
    """Raise PlanError for the first step whose portion differs from the amount that a rank holds.

    Stops at the first step that cannot run; executing the plan reports that one.
    """
    amounts = _amounts(plan)
    for number, step in enumerate(plan.steps, start=1):
        try:
            before = next(amounts)
        except PlanError:
            # The plan itself is wrong from here on, which `rank_holdings` and running it report
            # better.
            return
        match step:
            case PermuteStep(portion=portion):
                said = [(rank, portion) for rank in reordered_ranks(plan, step, before)]
            case CollectiveStep(groups=rule, portions=portions):
                roots = [members[0] for members in plan.groups(rule)]
                said = [(root, each) for root in roots for each in portions if applies(each, plan.device_class(root))]
        for rank, portion in said:
            amount = before[rank]
            if amount is not None and amount * portion.parts != plan.multiple:
                raise PlanError(
                    f"step {number} is for buffers of 1/{portion.parts} of the payload, but rank {rank} holds "
                    f"{Fraction(amount, plan.multiple)} of it; check the plan with p2smt verify"
                )


def _amounts(plan: Plan) -> Iterator[Amounts]:
    together = plan.groups(plan.reduction)
    amount = plan.multiple // (together.size if plan.goal.gathers else 1)
    roots = {*together.roots()} if plan.goal.from_root else range(plan.devices)
    held: Amounts = tuple(amount if rank in roots else None for rank in range(plan.devices))
    yield held
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case PermuteStep(sizes):
                if any((held[rank] or 0) % prod(sizes) for rank in reordered_ranks(plan, step, held)):
                    raise PlanError(
                        f"step {number}: the buffer of a device cannot be reshaped to {list(sizes)}; check the "
                        "plan with p2smt verify"
                    )
            case CollectiveStep():
                held = _after(plan, step, number, held)
        yield held


def reordered_ranks(plan: Plan, step: PermuteStep, before: Amounts) -> tuple[int, ...]:
    """Return the ranks that hold a buffer which the step permutes."""
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
            raise PlanError(
                f"step {number}: members of a group hold buffers of different lengths, or none; check the "
                "plan with p2smt verify"
            )
        if step.collective.scatters and amount % size:
            raise PlanError(
                f"step {number}: the buffers of members do not divide into {size} equal blocks; check the "
                "plan with p2smt verify"
            )
        result = amount // (size if step.collective.scatters else 1) * (size if step.collective.gathers else 1)
        for member in members:
            after[member] = None if step.collective.to_root and member != members[0] else result
    return tuple(after)
