"""The fraction of the payload that each class of devices holds before every step of a plan.

Devices whose nonzero digits are at the same positions always hold equal amounts, so the work depends on the number of
classes, not of devices. Used by targets in which all devices have the same buffer shape.

With a the amount before a step in groups of n members, the amount after it is
    AllReduce, Broadcast    a (of the root)
    Reduce                  a on the root, None elsewhere
    ReduceScatter           a / n
    AllGather               a n
Classes are the coarsest partition that all steps respect: positions of digits that belong to the same sets of positions
in all steps are merged, so m sets that remain give 2^m classes.
Complexity: O(2^m) for each step, whatever the sizes of levels.
Reference: Paige and Tarjan, "Three partition refinement algorithms", 1987 (the coarsest partition that is stable).

Example: a payload of 4 units on 2 nodes of 2 GPUs. A ReduceScatter inside nodes leaves 2 units on all devices; a Reduce
across nodes leaves them on node 0 alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, applies

# Every set doubles the number of classes.
MAX_SETS = 10

Amounts = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class DeviceClasses:
    """The device classes that the steps of a plan distinguish.

    `sets` are sets of digit positions that each step names all together or not at all; bit `i` of a class is set if the
    device's digits at `sets[i]` are not all 0. `carried[c]` is the class over the plan's levels (see `Portion`) that
    contains class `c`.
    """

    sets: tuple[tuple[int, ...], ...]
    carried: tuple[int, ...]

    def mask(self, places: Iterable[int]) -> int:
        """Return the bits of the sets that lie in these positions."""
        return _mask(self.sets, places)

    def taking_part(self, rule: GroupRule) -> tuple[int, ...]:
        """Return the classes of the devices that take part in some group of a rule."""
        return tuple(number for number in range(len(self.carried)) if not number & self.mask(rule.zero))


def device_classes(plan: Plan) -> DeviceClasses:
    """Return the coarsest classes that all steps respect; raises PlanError for more than 2 ** `MAX_SETS` classes.

    For plans written by p2smt the sets are the plan's levels; other plan files may name other digits.
    """
    rules = [step.groups for step in plan.steps if isinstance(step, CollectiveStep)]
    named = dict.fromkeys(
        (*(level.digits for level in plan.reduction_levels), *(r.varying for r in rules), *(r.zero for r in rules))
    )
    # Places with the same membership in all named sets are never told apart: one set for each
    # column of that table. Digits of size 1 are always 0.
    together: dict[tuple[bool, ...], list[int]] = {}
    for place, size in enumerate(plan.sizes):
        if size > 1 and any(place in places for places in named):
            together.setdefault(tuple(place in places for places in named), []).append(place)
    sets = tuple(map(tuple, together.values()))
    if len(sets) > MAX_SETS:
        raise PlanError(
            f"the steps distinguish {len(sets)} sets of digits, more than the limit of {MAX_SETS}; use "
            "a program with fewer steps"
        )
    masks = [_mask(sets, level.digits) for level in plan.reduction_levels]
    classes = range(1 << len(sets))
    return DeviceClasses(sets, tuple(sum(1 << i for i, mask in enumerate(masks) if c & mask) for c in classes))


def _mask(sets: Iterable[tuple[int, ...]], places: Iterable[int]) -> int:
    # A set counts if it lies in `places` whole; by construction none of them straddles a rule.
    within = {*places}
    return sum(1 << i for i, places_of_set in enumerate(sets) if within.issuperset(places_of_set))


def holdings(plan: Plan, classes: DeviceClasses) -> tuple[Amounts, ...]:
    """Return each class's amount before every step and at the end, in units of `1 / plan.multiple` of the payload.

    None stands for a buffer that a Reduce has consumed. Raises PlanError if execution would: when a step combines
    buffers that do not exist, differ in length or do not divide evenly; and if a device would ever hold more than the
    payload.
    """
    found: list[Amounts] = [_at_first(plan, classes)]
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case PermuteStep():
                for device_class in reordered(classes, step, found[-1]):
                    _check_dimensions(step, number, found[-1][device_class])
                found.append(found[-1])
            case CollectiveStep():
                found.append(_after(plan, classes, step, number, found[-1]))
    return tuple(found)


def _at_first(plan: Plan, classes: DeviceClasses) -> Amounts:
    amount = plan.multiple // (plan.groups(plan.reduction).size if plan.goal.gathers else 1)
    # A class with any of these bits is not a root: some digit that varies in the reduction group is not 0.
    others = classes.mask(plan.reduction.varying) if plan.goal.from_root else 0
    return tuple(None if number & others else amount for number in range(len(classes.carried)))


def check_end(plan: Plan, classes: DeviceClasses, end: Amounts) -> None:
    """Raise PlanError unless every class ends with the amount that the goal demands."""
    expected = plan.multiple // (plan.groups(plan.reduction).size if plan.goal.scatters else 1)
    others = classes.mask(plan.reduction.varying) if plan.goal.to_root else 0
    if any(amount != expected for number, amount in enumerate(end) if not number & others):
        raise PlanError(
            f"after the plan, some device does not hold the result of {plan.goal}; check it with p2smt verify"
        )


def reordered(classes: DeviceClasses, step: PermuteStep, before: Amounts) -> tuple[int, ...]:
    """Return the classes whose devices hold a buffer that the step permutes."""
    holding = (number for number, amount in enumerate(before) if amount is not None)
    return tuple(number for number in holding if applies(step.portion, classes.carried[number]))


def _check_dimensions(step: PermuteStep, number: int, amount: int | None) -> None:
    if (amount or 0) % prod(step.sizes):
        raise PlanError(
            f"step {number}: the buffer of a device cannot be reshaped to {list(step.sizes)}; check "
            "the plan with p2smt verify"
        )


def _after(plan: Plan, classes: DeviceClasses, step: CollectiveStep, number: int, before: Amounts) -> Amounts:
    inside, size = classes.mask(step.groups.varying), plan.groups(step.groups).size
    after = list(before)
    for member in classes.taking_part(step.groups):
        # The root of a member's group: the digits that vary are 0.
        root = member & ~inside
        amount = before[root]
        if amount is None or (before[member] != amount and not step.collective.from_root):
            raise PlanError(
                f"step {number}: members of a group hold buffers of different lengths, or none; check the "
                "plan with p2smt verify"
            )
        if step.collective.scatters and amount % size:
            raise PlanError(
                f"step {number}: the buffers of members do not divide into {size} equal blocks; check the "
                "plan with p2smt verify"
            )
        if step.collective.gathers and amount * size > plan.multiple:
            raise PlanError(
                f"step {number}: the buffers of {size} members are together larger than the payload; check "
                "the plan with p2smt verify"
            )
        after[member] = _amount(step.collective, amount, size, is_root=member == root)
    return tuple(after)


def _amount(kind: Collective, amount: int, size: int, *, is_root: bool) -> int | None:
    if kind.to_root and not is_root:
        return None
    return amount // (size if kind.scatters else 1) * (size if kind.gathers else 1)
