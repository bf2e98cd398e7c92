"""The steps of a plan as statements on a buffer with the same shape on all devices, as JAX requires.

Devices can hold different amounts. The buffer has the length of the largest amount; the elements after a device's own
amount have no meaning. Collectives move the amount of the fullest group. If a device's blocks would be at other
positions than those of the fullest one, its buffer is rearranged before and after the collective.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from p2smt.collective import Collective
from p2smt.reduction.plan.holdings import Amounts, DeviceClasses, check_end, holdings, reordered
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan

Classes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JaxStatement:
    """The statement `target = value` of a step; with `classes` only on such devices, elsewhere `target = otherwise`."""

    step: int
    target: str
    value: str
    classes: Classes = ()
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class _Shares:
    """Amounts before a collective: members by their root's amount, the largest amount of other devices, the length."""

    amounts: dict[int, Classes]
    others: int
    width: int


def statements(plan: Plan, classes: DeviceClasses, rules: Mapping[GroupRule, str]) -> tuple[JaxStatement, ...]:
    """Return the statements of every device, step by step; `rules` maps group rules to their names in the text.

    The statements use `buffer`, which initially holds the whole payload, and `unit`, the length of `1 / plan.multiple`
    of it. Raises PlanError for plans that cannot run.
    """
    amounts = holdings(plan, classes)
    check_end(plan, classes, amounts[-1])
    result: list[JaxStatement] = []
    for number, (step, before) in enumerate(zip(plan.steps, amounts, strict=False), start=1):
        match step:
            case PermuteStep():
                result += _permute(step, number, reordered(classes, step, before), before)
            case CollectiveStep():
                shares, size = _shares(classes, step, before), plan.groups(step.groups).size
                result += _collective(step.collective, number, rules[step.groups], size, shares)
    return tuple(result)


def _shares(classes: DeviceClasses, step: CollectiveStep, before: Amounts) -> _Shares:
    inside, members = classes.mask(step.groups.varying), classes.taking_part(step.groups)
    amounts: dict[int, Classes] = {}
    for member in members:
        amount = before[member & ~inside] or 0
        amounts[amount] = (*amounts.get(amount, ()), member)
    # Devices in no group keep what they have, which may be longer than what members end with.
    others = max((amount or 0 for number, amount in enumerate(before) if number not in members), default=0)
    return _Shares(amounts, others, _width(before))


def _permute(step: PermuteStep, number: int, concerned: Classes, before: Amounts) -> Iterator[JaxStatement]:
    holders = tuple(number for number, amount in enumerate(before) if amount is not None)
    for amount in sorted({before[device_class] or 0 for device_class in concerned}):
        classes = tuple(device_class for device_class in concerned if before[device_class] == amount)
        value = f"permuted({_first(amount, _width(before))}, {step.sizes}, {step.order})"
        if classes == holders:
            yield JaxStatement(number, "buffer", value)
        else:
            yield JaxStatement(number, "moved", value)
            yield JaxStatement(number, "buffer", "moved", classes, "buffer")


def _collective(kind: Collective, number: int, rule: str, size: int, shares: _Shares) -> Iterator[JaxStatement]:
    """Yield a collective: padding for devices with less data, the call, and a selection that spares all others."""
    most = max(shares.amounts)
    smaller = [(amount, classes) for amount, classes in sorted(shares.amounts.items()) if amount < most]
    source, target = "buffer", "members" if shares.others else "buffer"
    # A member with less than the fullest one spreads its data into the blocks that the fullest one
    # would scatter.
    if kind.scatters:
        for amount, classes in smaller:
            value = f"spread(buffer[{_up_to(amount)}], {size}, {_length((most - amount) // size)})"
            yield JaxStatement(number, target, value, classes, source)
            source = target
    yield JaxStatement(number, target, f"{kind.underscored}({_first(most, shares.width, source)}, {rule})")
    # And afterwards packs its blocks, which lie as far apart as those of the fullest member.
    if kind.gathers:
        for amount, classes in smaller:
            yield JaxStatement(number, target, f"packed({target}, {size}, {_length(amount)})", classes, target)
    # Devices in no group of the step keep what they had.
    if shares.others:
        kept = _first(shares.others, shares.width)
        yield JaxStatement(number, "buffer", f"either(zero_at({rule}.zero), members, {kept})")


def _first(amount: int, width: int, buffer: str = "buffer") -> str:
    return buffer if amount == width else f"{buffer}[{_up_to(amount)}]"


def _up_to(amount: int) -> str:
    return ":unit" if amount == 1 else f": {_length(amount)}"


def _length(amount: int) -> str:
    return "unit" if amount == 1 else f"{amount} * unit"


def _width(before: Amounts) -> int:
    return max(amount or 0 for amount in before)
