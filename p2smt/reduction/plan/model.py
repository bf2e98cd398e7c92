"""The lowered plan: what every device does. Groups are defined by rules, so a plan is small on any cluster.

A device number has one digit per factor of the parallelism matrix (`Plan.digits`). A group rule names the digits that
vary inside a group; the groups themselves are computed on demand.
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
from p2smt.reduction.plan.picture import Roots, groups_table, shown_devices
from p2smt.wording import counted

MAX_CHUNKS = 1024


@dataclass(frozen=True, slots=True)
class PlanDigit:
    """One digit of the device number: its system level, its axis, and its number of values."""

    level: str
    axis: str
    size: int


@dataclass(frozen=True, slots=True)
class PlanLevel:
    """One level of the program: its name, and the positions of its digits."""

    name: str
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupRule:
    """A rule for groups: the digits at `varying` differ inside a group, and those at `zero` are 0 for all members."""

    varying: tuple[int, ...]
    zero: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Portion:
    """A buffer size: before the step, groups whose root has one of these classes hold `1 / parts` of the payload.

    A class is a bit mask over the plan's levels: bit `i` is set if the device's digits of level `i` are not all 0. An
    empty tuple means all classes.
    """

    parts: int
    classes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CollectiveStep:
    """A step in which all groups of the rule perform the collective at once; the first member is the root."""

    collective: Collective
    groups: GroupRule
    portions: tuple[Portion, ...]


@dataclass(frozen=True, slots=True)
class PermuteStep:
    """A step in which devices of these classes (none: all) transpose their buffer locally.

    The buffer is viewed with the dimensions `sizes` and a last one for the rest; afterwards dimension `i` is the former
    dimension `order[i]`, and the rest stays innermost.
    """

    sizes: tuple[int, ...]
    order: tuple[int, ...]
    portion: Portion


PlanStep = CollectiveStep | PermuteStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A reduction, ready to run: digits, levels, reduction groups, padding, steps.

    `reduction` defines the groups of devices that reduce together; `goal` is the collective that the steps implement in
    each of them. Payloads are padded to a multiple of `multiple` elements. `axes` and `reduce` name the request;
    `program` is the text of the lowered program. `system` is the system that the plan was made for, with the same
    levels; None if a file lacks it. The payload is split into `chunks` pieces (`chunking.py`), which run through the
    steps as a pipeline. On a `tree` of units of unequal size, digits count units of its hull, the smallest regular
    hierarchy that contains it, so some numbers have no device; groups and everything else use ranks, which number the
    existing devices.
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
        """Return the number of devices."""
        return prod(self.sizes) if self.tree is None else self.tree.devices

    @property
    def present(self) -> Sequence[int]:
        """Return each rank's device number, as spelled by its digits; it differs from the rank only on a tree."""
        return range(self.devices) if self.tree is None else self.tree.present

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the number of values of every digit."""
        return tuple(digit.size for digit in self.digits)

    def groups(self, rule: GroupRule) -> DigitGroups | PresentGroups:
        """Return the groups of a rule; they are computed on demand."""
        groups = DigitGroups(self.sizes, rule.varying, rule.zero)
        return groups if self.tree is None else PresentGroups(groups, self.tree.present)

    def device_class(self, device: int) -> int:
        """Return the class of a device: the levels (a bit mask) on which some digit is not 0."""
        return device_class(self.present[device], self.sizes, [level.digits for level in self.reduction_levels])

    def __repr__(self) -> str:
        steps, devices = counted(len(self.steps), "step"), counted(self.devices, "device")
        return one_line(self, f"on {self.matrix}, {devices}, {steps}: {self.program or 'nothing to do'}")

    def _repr_html_(self) -> str:
        """Return an HTML table of the groups of every step, with a column per device."""
        return groups_table(self.program, self.devices, map(self._shown_step, self.steps))

    def _shown_step(self, step: PlanStep) -> tuple[str, Roots | None]:
        match step:
            case CollectiveStep(collective, rule, portions):
                roots = [self.groups(rule).root_of(device) for device in shown_devices(self.devices)]
                return str(collective), [None if root is None else self._active(root, portions) for root in roots]
            case PermuteStep():
                return "permute", None

    def _active(self, root: int, portions: Sequence[Portion]) -> int | None:
        """Return the root of a group, or None if the group takes no part in a step."""
        return root if any(applies(portion, self.device_class(root)) for portion in portions) else None


def plan_of(
    problem: Problem,
    matrix: ParallelismMatrix,
    reduction_levels: tuple[PlanLevel, ...],
    program: str,
    multiple: int,
    steps: tuple[PlanStep, ...],
) -> Plan:
    """Return the plan of these steps on one placement.

    Its digits and reduction groups are derived from the placement.
    """
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
    """True if a portion includes this device class.

    >>> applies(Portion(1), 3), applies(Portion(1, (0, 2)), 3)
    (True, False)
    """
    return not portion.classes or device_class in portion.classes
