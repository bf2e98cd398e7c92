"""The lowered plan: what every device does, with groups given by rule so that it stays small on any cluster.

A device number spells one digit per factor of the parallelism matrix (`Plan.digits`). A group rule names the
digits that vary inside a group; the groups are listed on demand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from p2smt.collective import Collective
from p2smt.display import one_line
from p2smt.placement.digits import DeviceMap
from p2smt.placement.groups import DigitGroups, device_class
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.tree import PresentGroups
from p2smt.problem.model import Payload, Problem
from p2smt.problem.system.network import System
from p2smt.problem.system.tree import Tree
from p2smt.wording import counted

MAX_CHUNKS = 1024


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
    request; `program` is the text of the program that was lowered. `system` is what the plan was made for, with the
    same levels; None where a file does not say. The payload is cut into `chunks` pieces (`chunking.py`); each goes
    through all steps, and steps of different pieces are at work at once. On a `tree` of units of unlike size, digits
    spell numbers of its hull, some of which no device has; groups and all else are of ranks, the places of devices
    among those that there are.
    """

    levels: tuple[tuple[str, int], ...]
    axes: tuple[tuple[str, int], ...]
    reduce: tuple[str, ...]
    matrix: ParallelismMatrix
    payload: Payload
    program: str
    digits: tuple[PlanDigit, ...]
    reduction_levels: tuple[PlanLevel, ...]
    reduction: GroupRule
    multiple: int
    steps: tuple[PlanStep, ...]
    goal: Collective = Collective.ALL_REDUCE
    system: System | None = None
    chunks: int = 1
    tree: Tree | None = None

    @property
    def devices(self) -> int:
        """Number of devices."""
        return prod(self.sizes) if self.tree is None else self.tree.devices

    @property
    def present(self) -> Sequence[int]:
        """The numbers spelled by the digits of the devices, by rank. They differ from the ranks only on a tree."""
        return range(self.devices) if self.tree is None else self.tree.present

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of every digit."""
        return tuple(digit.size for digit in self.digits)

    def groups(self, rule: GroupRule) -> DigitGroups | PresentGroups:
        """The groups of a rule, listed on demand."""
        groups = DigitGroups(self.sizes, rule.varying, rule.zero)
        return groups if self.tree is None else PresentGroups(groups, self.tree.present)

    def device_class(self, device: int) -> int:
        """The class of a device: which of the plan's levels have a digit that is not 0."""
        return device_class(self.present[device], self.sizes, [level.digits for level in self.reduction_levels])

    def __repr__(self) -> str:
        steps, devices = counted(len(self.steps), "step"), counted(self.devices, "device")
        return one_line(self, f"on {self.matrix}, {devices}, {steps}: {self.program or 'nothing to do'}")

    def _repr_html_(self) -> str:
        """The groups of every step, a column per device."""
        from p2smt.reduction.plan.picture import plan_picture

        return plan_picture(self)


def plan_of(
    problem: Problem,
    matrix: ParallelismMatrix,
    reduction_levels: tuple[PlanLevel, ...],
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
        reduction_levels=reduction_levels,
        reduction=GroupRule(tuple(p for p, d in enumerate(digits) if d.axis in problem.reduce and d.size > 1)),
        multiple=multiple,
        steps=steps,
        goal=problem.goal,
        system=problem.system,
        tree=problem.system.tree,
    )


def applies(portion: Portion, device_class: int) -> bool:
    """True if a portion is about devices of a class.

    >>> applies(Portion(1), 3), applies(Portion(1, (0, 2)), 3)
    (True, False)
    """
    return not portion.classes or device_class in portion.classes
