"""Amounts of data held by devices around each step of a plan: per device class, or per rank on irregular units."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from p2smt.placement.groups import device_class
from p2smt.reduction.plan.holdings import Amounts, DeviceClasses, device_classes, holdings, reordered
from p2smt.reduction.plan.model import GroupRule, PermuteStep, Plan
from p2smt.reduction.plan.rank_holdings import rank_holdings, reordered_ranks


@dataclass(frozen=True, slots=True)
class HeldByClass:
    """Amounts held per device class; devices of one class hold equal amounts at all times."""

    plan: Plan
    classes: DeviceClasses
    amounts: tuple[Amounts, ...]

    def kinds(self, devices: Sequence[int]) -> tuple[int, ...]:
        """Return the class of each device, as an index into the amounts."""
        return tuple(device_class(device, self.plan.sizes, self.classes.sets) for device in devices)

    def taking_part(self, rule: GroupRule) -> tuple[int, ...]:
        """Return the classes whose devices belong to a group of the rule."""
        return self.classes.taking_part(rule)

    def reordered(self, step: PermuteStep, before: Amounts) -> tuple[int, ...]:
        """Return the classes whose devices reorder data in a permutation step."""
        return reordered(self.classes, step, before)

    def count(self, kind: int) -> int:
        """Return the number of devices of a class."""
        sizes = [prod(self.plan.sizes[place] for place in places) for places in self.classes.sets]
        inside = prod(size - 1 if kind >> i & 1 else 1 for i, size in enumerate(sizes))
        return inside * (self.plan.devices // prod(sizes))


@dataclass(frozen=True, slots=True)
class HeldByRank:
    """Amounts held per rank, for irregular units, where every device is its own class."""

    plan: Plan
    amounts: tuple[Amounts, ...]

    def kinds(self, devices: Sequence[int]) -> tuple[int, ...]:
        """Return the devices unchanged, as every device is its own class."""
        return tuple(devices)

    def taking_part(self, rule: GroupRule) -> tuple[int, ...]:
        """Return the devices that belong to a group of the rule."""
        return tuple(rank for group in self.plan.groups(rule) for rank in group)

    def reordered(self, step: PermuteStep, before: Amounts) -> tuple[int, ...]:
        """Return the devices that reorder data in a permutation step."""
        return reordered_ranks(self.plan, step, before)

    def count(self, kind: int) -> int:
        """Return 1 for every existing device."""
        return int(kind < self.plan.devices)


def held_of(plan: Plan) -> HeldByClass | HeldByRank:
    """Return the amounts held along a plan. Raises PlanError if the plan cannot run."""
    if plan.tree is not None:
        return HeldByRank(plan, rank_holdings(plan))
    classes = device_classes(plan)
    return HeldByClass(plan, classes, holdings(plan, classes))
