"""The joint graph problem as a value: choices, each with options of a cost, and links between two choices.

A choice stands for an operation (its options are the rules that keep a layout) or for a tensor (its options are the
layout that it is produced in, and the set of layouts that conversions make of it). Options of linked choices go
together, or do not. What is sought is one option for each choice, all links kept, with the least sum of costs.
Engines know nothing else of programs. Choices and links are tuples: searches make and compare them by the million.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Choice(NamedTuple):
    """A choice, and the cost of each option in picoseconds."""

    name: str
    costs: tuple[int, ...]


class Link(NamedTuple):
    """Compatible options of two choices: bit j of `allowed[i]` says that option j of `right` goes with i."""

    left: int
    right: int
    allowed: tuple[int, ...]

    def keeps(self, left: int, right: int) -> bool:
        """True if these options go together."""
        return bool((self.allowed[left] >> right) & 1)


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound on a sum, such as the bytes on a device: `weights[c][o]` for option o of choice c; no entry is 0."""

    name: str
    most: int
    weights: tuple[tuple[int, tuple[int, ...]], ...]

    def total(self, assignment: Sequence[int]) -> int:
        """The sum that an assignment makes."""
        return sum(weights[assignment[choice]] for choice, weights in self.weights)


@dataclass(frozen=True, slots=True)
class JointProblem:
    """Choices, links between them, and limits.

    Holds: no link joins a choice to itself; costs are whole numbers, at least 0.
    """

    choices: tuple[Choice, ...]
    links: tuple[Link, ...]
    limits: tuple[Limit, ...] = ()

    def cost(self, assignment: Sequence[int]) -> int:
        """The cost of an assignment."""
        return sum(choice.costs[option] for choice, option in zip(self.choices, assignment, strict=True))

    def allows(self, assignment: Sequence[int]) -> bool:
        """True if an assignment keeps all links and limits."""
        linked = all(link.keeps(assignment[link.left], assignment[link.right]) for link in self.links)
        return linked and all(limit.total(assignment) <= limit.most for limit in self.limits)


@dataclass(frozen=True, slots=True)
class Best:
    """An assignment that costs least: the number of an option for each choice."""

    assignment: tuple[int, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Impossible:
    """No assignment keeps all links and limits."""


Answer = Best | Impossible
