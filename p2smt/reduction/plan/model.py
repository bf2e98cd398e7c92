"""The lowered plan: what every device does, with groups given by rule so that it stays small on any cluster.

A device number spells one digit per factor of the parallelism matrix (`Plan.digits`). A group rule names the
digits that vary inside a group; the groups are listed on demand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from p2smt.collective import Collective
from p2smt.placement.digits import DeviceMap, split
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Payload, Problem


@dataclass(frozen=True, slots=True)
class PlanDigit:
    """One digit of the device number: the system level and the axis it belongs to, and its number of values."""

    level: str
    axis: str
    size: int


@dataclass(frozen=True, slots=True)
class PlanLevel:
    """One level that the program is made over: its name and the places of its digits."""

    name: str
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupRule:
    """Groups in which the digits at `varying` differ; only groups whose digits at `zero` are 0."""

    varying: tuple[int, ...]
    zero: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Portion:
    """Groups whose root is of one of these classes hold `1 / parts` of the payload before the step.

    A class is a bit mask over the plan's levels: bit `i` is set when the device's digits of level `i` are not
    all 0. No classes means all.
    """

    parts: int
    classes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CollectiveStep:
    """All groups of the rule do the collective at once; the first member is the root."""

    collective: Collective
    groups: GroupRule
    portions: tuple[Portion, ...]


@dataclass(frozen=True, slots=True)
class PermuteStep:
    """Devices of these classes (none: all) view their buffer as a tensor and reorder its dimensions.

    The buffer has the dimensions `sizes` and one more for what is left; afterwards dimension `i` is the former
    dimension `order[i]`, the rest stays innermost.
    """

    sizes: tuple[int, ...]
    order: tuple[int, ...]
    portion: Portion


PlanStep = CollectiveStep | PermuteStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A reduction, ready to run: digits, levels, who reduces together, padding, steps.

    `reduction` groups the devices that reduce together, and `goal` names the collective that the steps take the place
    of in each of these groups. Payloads are padded to a multiple of `multiple` elements. `axes` and `reduce` name the
    request; `program` is the text of the program that was lowered.
    """

    levels: tuple[tuple[str, int], ...]
    axes: tuple[tuple[str, int], ...]
    reduce: tuple[str, ...]
    matrix: ParallelismMatrix
    payload: Payload
    program: str
    digits: tuple[PlanDigit, ...]
    carrying: tuple[PlanLevel, ...]
    reduction: GroupRule
    multiple: int
    steps: tuple[PlanStep, ...]
    goal: Collective = Collective.ALL_REDUCE

    @property
    def devices(self) -> int:
        """Number of devices."""
        return prod(digit.size for digit in self.digits)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of every digit."""
        return tuple(digit.size for digit in self.digits)

    def groups(self, rule: GroupRule) -> Iterator[tuple[int, ...]]:
        """The groups of a rule in ascending order, members ascending."""
        offsets = list(self._spelled(sorted(rule.varying)))
        for root in self.roots(rule):
            yield tuple(root + offset for offset in offsets)

    def roots(self, rule: GroupRule) -> Iterator[int]:
        """The first member of every group, ascending, one at a time."""
        fixed = {*rule.varying, *rule.zero}
        return self._spelled([place for place in range(len(self.digits)) if place not in fixed])

    def members(self, rule: GroupRule, root: int) -> Iterator[int]:
        """The members of the group of a root, ascending, one at a time."""
        return (root + offset for offset in self._spelled(sorted(rule.varying)))

    def group_size(self, rule: GroupRule) -> int:
        """Number of members of every group of a rule."""
        return prod(self.sizes[place] for place in rule.varying)

    def _spelled(self, places: Sequence[int]) -> Iterator[int]:
        """The devices whose digits are 0 but at these places, ascending."""
        sizes = [self.sizes[place] for place in places]
        strides = [prod(self.sizes[place + 1 :]) for place in places]
        for number in range(prod(sizes)):
            yield sum(digit * stride for digit, stride in zip(split(number, sizes), strides, strict=True))

    def device_class(self, device: int) -> int:
        """The class of a device: which of the plan's levels have a digit that is not 0."""
        values = split(device, self.sizes)
        return sum(1 << i for i, level in enumerate(self.carrying) if any(values[place] for place in level.digits))


def plan_of(
    problem: Problem,
    matrix: ParallelismMatrix,
    carrying: tuple[PlanLevel, ...],
    program: str,
    multiple: int,
    steps: tuple[PlanStep, ...],
) -> Plan:
    """The plan of some steps on one placement of a problem; digits and reduction groups follow from these."""
    digits = DeviceMap(matrix).digits
    return Plan(
        levels=tuple((level.name, level.size) for level in problem.levels),
        axes=tuple((axis.name, axis.size) for axis in problem.axes),
        reduce=tuple(problem.axes[axis].name for axis in problem.reduce),
        matrix=matrix,
        payload=problem.payload,
        program=program,
        digits=tuple(PlanDigit(problem.levels[d.level].name, problem.axes[d.axis].name, d.size) for d in digits),
        carrying=carrying,
        reduction=GroupRule(tuple(p for p, d in enumerate(digits) if d.axis in problem.reduce and d.size > 1)),
        multiple=multiple,
        steps=steps,
        goal=problem.goal,
    )


def applies(portion: Portion, device_class: int) -> bool:
    """Whether a portion speaks of devices of a class.

    >>> applies(Portion(1), 3), applies(Portion(1, (0, 2)), 3)
    (True, False)
    """
    return not portion.classes or device_class in portion.classes
