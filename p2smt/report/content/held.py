"""Contents of devices around every step of a plan: by class of devices, or rank by rank on irregular units."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from p2smt.placement.groups import device_class
from p2smt.reduction.plan.holdings import Amounts, DeviceClasses, device_classes, holdings, reordered
from p2smt.reduction.plan.model import GroupRule, PermuteStep, Plan
from p2smt.reduction.plan.rank_holdings import rank_holdings, reordered_ranks


@dataclass(frozen=True, slots=True)
class HeldByClass:
    """Contents by class: devices of one class hold equal amounts at all times."""

    plan: Plan
    classes: DeviceClasses
    amounts: tuple[Amounts, ...]

    def kinds(self, devices: Sequence[int]) -> tuple[int, ...]:
        """The classes of devices: their places among the amounts."""
        return tuple(device_class(device, self.plan.sizes, self.classes.sets) for device in devices)

    def taking_part(self, rule: GroupRule) -> tuple[int, ...]:
        """The classes whose devices are in a group."""
        return self.classes.taking_part(rule)

    def reordered(self, step: PermuteStep, before: Amounts) -> tuple[int, ...]:
        """The classes whose devices have something to reorder."""
        return reordered(self.classes, step, before)

    def count(self, kind: int) -> int:
        """Number of devices of a class."""
        sizes = [prod(self.plan.sizes[place] for place in places) for places in self.classes.sets]
        inside = prod(size - 1 if kind >> i & 1 else 1 for i, size in enumerate(sizes))
        return inside * (self.plan.devices // prod(sizes))


@dataclass(frozen=True, slots=True)
class HeldByRank:
    """Contents by rank: on irregular units every device stands for itself."""

    plan: Plan
    amounts: tuple[Amounts, ...]

    def kinds(self, devices: Sequence[int]) -> tuple[int, ...]:
        """The devices themselves."""
        return tuple(devices)

    def taking_part(self, rule: GroupRule) -> tuple[int, ...]:
        """The devices that are in a group."""
        return tuple(rank for group in self.plan.groups(rule) for rank in group)

    def reordered(self, step: PermuteStep, before: Amounts) -> tuple[int, ...]:
        """The devices that have something to reorder."""
        return reordered_ranks(self.plan, step, before)

    def count(self, kind: int) -> int:
        """One, of any device."""
        return int(kind < self.plan.devices)


def held_of(plan: Plan) -> HeldByClass | HeldByRank:
    """The contents of devices along a plan; raises PlanError for a plan that cannot run."""
    if plan.tree is not None:
        return HeldByRank(plan, rank_holdings(plan))
    classes = device_classes(plan)
    return HeldByClass(plan, classes, holdings(plan, classes))
