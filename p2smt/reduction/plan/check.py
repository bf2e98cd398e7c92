"""Consistency checks of a plan's fields; an inconsistent file is refused before anything runs.

These checks do not tell if the steps compute the reduction; running or verifying the plan does.
"""

from collections.abc import Sequence
from math import prod

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.placement.reduction_tree import reduction_tree
from p2smt.reduction.plan.model import MAX_CHUNKS, CollectiveStep, GroupRule, PermuteStep, Plan, Portion

MAX_STEPS = 1000


def check_plan(plan: Plan) -> None:
    """Raise PlanError for the first inconsistency: chunks, levels, padding, rules, portions, orders.

    Raises ProblemError if units have unequal sizes and the reduction groups are not placed alike.
    """
    _check_counts(plan)
    placed = [place for level in plan.reduction_levels for place in level.digits]
    if sorted(placed) != sorted(plan.reduction.varying):
        raise PlanError(
            f"levels have the digits {placed}, but the reduction is over the digits "
            f"{list(plan.reduction.varying)}; the two must be equal"
        )
    most = _check_together(plan)
    if plan.multiple < 1 or most % plan.multiple:
        raise PlanError(
            f"multiple {plan.multiple} does not divide the {most} devices of a reduction group; use a "
            "multiple of that number"
        )
    # A shard for every device is one block of the payload, so the payload has exactly as many
    # blocks as devices.
    if (plan.goal.scatters or plan.goal.gathers) and plan.multiple != most:
        raise PlanError(
            f"multiple {plan.multiple} is not {most}; {plan.goal} cuts the payload into one shard per "
            f"device of a reduction group, so set it to {most}"
        )
    for number, step in enumerate(plan.steps, start=1):
        where = f"steps[{number - 1}]"
        match step:
            case CollectiveStep(collective, rule, portions):
                _check_rule(plan, rule, where)
                _check_sizes(plan, collective, rule, where)
                if not portions or len(portions) > 1 << len(plan.reduction_levels):
                    raise PlanError(f"{where}: {len(portions)} portions; give one, or one per class of devices")
                for portion in portions:
                    _check_portion(plan, portion, where)
            case PermuteStep(sizes, order, portion):
                _check_portion(plan, portion, where)
                _check_order(plan, sizes, order, where)


def _check_together(plan: Plan) -> int:
    """Return the size of the reduction groups; raises PlanError if they differ."""
    together = plan.groups(plan.reduction)
    most = together.size
    if most * together.count != plan.devices:
        raise PlanError(
            f"all reduction groups must have the same number of devices, but some have {most} and "
            "others fewer; choose a placement with equal groups"
        )
    if plan.tree is not None and plan.reduction_levels:
        reduction_tree(plan.tree, plan.sizes, [level.digits for level in plan.reduction_levels])
    return most


def check_alike(plan: Plan, target: str) -> None:
    """Raise PlanError if the plan has units of unequal size, which this target cannot express."""
    if plan.tree is not None:
        raise PlanError(
            f"the plan is for the irregular hierarchy {plan.tree}, which {target} cannot express; emit it for torch"
        )


def _check_counts(plan: Plan) -> None:
    if len(plan.steps) > MAX_STEPS:
        raise PlanError(f"{len(plan.steps)} steps are too many; a plan has at most {MAX_STEPS}")
    if not 1 <= plan.chunks <= MAX_CHUNKS:
        raise PlanError(f"{plan.chunks} chunks is out of range; a plan has 1 to {MAX_CHUNKS}")


def _check_rule(plan: Plan, rule: GroupRule, where: str) -> None:
    places = (*rule.varying, *rule.zero)
    known = range(len(plan.digits))
    if len(set(places)) != len(places) or any(place not in known for place in places):
        raise PlanError(f"{where}: digits {list(places)} must be different indices in 0..{len(known) - 1}")
    if plan.groups(rule).size < 2:
        raise PlanError(f"{where}: groups of one device do nothing; choose a digit with more than one value")


def _check_sizes(plan: Plan, collective: Collective, rule: GroupRule, where: str) -> None:
    """Raise PlanError for a ReduceScatter or AllGather in groups of unequal size: shards would differ in length."""
    sizes = plan.groups(rule).group_sizes
    if len(sizes) > 1 and (collective.scatters or collective.gathers):
        unlike = " and ".join(map(str, sizes))
        raise PlanError(
            f"{where}: {collective} in groups of different sizes, {unlike}; shards must have equal "
            "length, so use groups of one size"
        )


def _check_portion(plan: Plan, portion: Portion, where: str) -> None:
    if portion.parts < 1 or plan.multiple % portion.parts:
        raise PlanError(
            f"{where}: parts {portion.parts} does not divide the padding multiple {plan.multiple}; use a divisor"
        )
    classes = range(1 << len(plan.reduction_levels))
    if any(number not in classes for number in portion.classes):
        raise PlanError(f"{where}: classes {list(portion.classes)} must lie in 0..{len(classes) - 1}")


def _check_order(plan: Plan, sizes: Sequence[int], order: Sequence[int], where: str) -> None:
    if sorted(order) != list(range(len(sizes))):
        raise PlanError(f"{where}: order {list(order)} is not a permutation of {len(sizes)} dimensions; name each once")
    if any(size < 1 for size in sizes) or plan.multiple % prod(sizes):
        raise PlanError(
            f"{where}: dimensions {list(sizes)} do not divide the padding multiple {plan.multiple}; their product must"
        )
