"""Patterns of the groups of a step, level by level, which hold all that prices depend on.

A device number is mixed radix over the digits of all levels. On each level, with m members, f other sets and z zero
digits,
    m * f * z = units in one parent,
so the groups of a step are known without listing them: the size of a group is the product of all m, and the number of
groups that of all f.
Complexity: O(levels).
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, section 3.3 (the groups).

Example: 2 nodes of 4 GPUs, groups of GPUs 0 and 1, and 2 and 3 of every node. Levels: (free 2), (free 2, varying 2).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from math import prod

from p2smt.placement.groups import DigitGroups
from p2smt.placement.tree import PresentGroups
from p2smt.reduction.plan.model import GroupRule, Plan


class Role(StrEnum):
    """The role of a digit of the device number: it varies inside a group, tells groups apart, or is 0 (Master)."""

    VARYING = "varying"
    FREE = "free"
    ZERO = "zero"


Digits = tuple[tuple[Role, int], ...]


def merged(digits: Iterable[tuple[Role, int]]) -> Digits:
    """Return the digits with adjacent ones of equal role merged.

    >>> merged([(Role.FREE, 2), (Role.FREE, 4), (Role.VARYING, 2)])
    ((<Role.FREE: 'free'>, 8), (<Role.VARYING: 'varying'>, 2))
    """
    return tuple((role, prod(size for _, size in each)) for role, each in groupby(digits, key=lambda pair: pair[0]))


@dataclass(frozen=True)
class Pattern:
    """The digits of each level with their roles, outermost level first; adjacent digits of one role are merged.

    Invariant: the sizes of a level's digits multiply to the level's size. On a tree of units of different sizes, the
    sizes are those of the enclosing regular hierarchy, and `present` holds the numbers of the existing devices; None
    means all exist.
    """

    levels: tuple[Digits, ...]
    present: tuple[int, ...] | None = None

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Prices are looked up by pattern again and again, and roles take long to hash.
        return hash((self.levels, self.present))

    def count(self, role: Role) -> tuple[int, ...]:
        """Return, per level, the number of values that its digits of a role take together."""
        return tuple(prod(size for kind, size in digits if kind is role) for digits in self.levels)

    @cached_property
    def members(self) -> tuple[int, ...]:
        """Per level, the number of units that a group has in one parent unit."""
        return self.count(Role.VARYING)

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Per level, the number of disjoint sets of units in one parent that have groups of their own."""
        return self.count(Role.FREE)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Per level, the number of units in one parent."""
        return tuple(prod(size for _, size in digits) for digits in self.levels)

    @cached_property
    def group_size(self) -> int:
        """The number of members of every group."""
        return prod(self.members)

    @property
    def groups(self) -> DigitGroups:
        """The groups, over the digits of all levels."""
        digits = [digit for of_level in self.levels for digit in of_level]
        varying, zero = (
            tuple(position for position, (role, _) in enumerate(digits) if role is wanted)
            for wanted in (Role.VARYING, Role.ZERO)
        )
        return DigitGroups(tuple(size for _, size in digits), varying, zero)

    @cached_property
    def device_groups(self) -> tuple[tuple[int, ...], ...]:
        """The device numbers of each group, without devices that do not exist."""
        if self.present is None:
            return tuple(self.groups)
        numbers = self.present
        return tuple(tuple(numbers[rank] for rank in group) for group in PresentGroups(self.groups, numbers))

    def coordinates(self, level: int, role: Role) -> tuple[int, ...]:
        """Return the numbers (in their parent) of the units that the digits of one role reach if all others are 0.

        >>> Pattern((((Role.FREE, 2), (Role.VARYING, 3)),)).coordinates(0, Role.FREE)
        (0, 3)
        """
        found, stride = [0], 1
        for kind, size in reversed(self.levels[level]):
            if kind is role:
                found = [digit * stride + number for digit in range(size) for number in found]
            stride *= size
        return tuple(found)


def pattern_of(plan: Plan, rule: GroupRule) -> Pattern:
    """Return the pattern of the groups of a plan's group rule."""
    levels: dict[str, list[tuple[Role, int]]] = {name: [] for name, _ in plan.levels}
    for place, digit in enumerate(plan.digits):
        levels[digit.level].append((_role(place, rule), digit.size))
    # A digit with one value tells nothing apart; without it patterns that are alike are equal, and share prices.
    found = tuple(merged(digit for digit in digits if digit[1] > 1) for digits in levels.values())
    return Pattern(found, None if plan.tree is None else plan.tree.present)


def _role(place: int, rule: GroupRule) -> Role:
    if place in rule.varying:
        return Role.VARYING
    return Role.ZERO if place in rule.zero else Role.FREE
