"""The joint problem as a value: choices, each with options of a cost, and links between two choices.

A choice is for an operation (its options are its sharding rules) or for a tensor (its options are the layout that it is
produced in, with the set of layouts that it is converted to). Options of linked choices are compatible or not. The task
is to select one option per choice, compatible along all links, with the least sum of costs. Engines know nothing else
of programs. Choices and links are tuples, because searches create and compare millions of them.
As a formula:  minimise  sum over choices i of cost[i][x[i]]  subject to  (x[i], x[j]) allowed, for every link (i, j).
Reference: Cooper et al., "Soft arc consistency revisited", 2010 (weighted constraint satisfaction).

Example: choices of costs (1, 3) and (2, 0) whose link forbids (0, 1): the least sum is 3, by (0, 0) or (1, 1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Choice(NamedTuple):
    """A choice, and the cost of each option in picoseconds."""

    name: str
    costs: tuple[int, ...]


class Compatibility(NamedTuple):
    """The compatible options of two choices: bit j of `allowed[i]` allows option i of `left` with j of `right`."""

    left: int
    right: int
    allowed: tuple[int, ...]

    def keeps(self, left: int, right: int) -> bool:
        """True if these options are compatible."""
        return bool((self.allowed[left] >> right) & 1)


@dataclass(frozen=True, slots=True)
class Limit:
    """An upper bound `most` on a sum, such as the bytes on a device: `weights[c][o]` is for option o of choice c.

    No entry of `weights` is 0.
    """

    name: str
    most: int
    weights: tuple[tuple[int, tuple[int, ...]], ...]

    def total(self, assignment: Sequence[int]) -> int:
        """Return the weighted sum of an assignment."""
        return sum(weights[assignment[choice]] for choice, weights in self.weights)


@dataclass(frozen=True, slots=True)
class JointProblem:
    """Choices, the links between them, and limits.

    No link joins a choice to itself; costs are integers of at least 0.
    """

    choices: tuple[Choice, ...]
    links: tuple[Compatibility, ...]
    limits: tuple[Limit, ...] = ()

    def cost(self, assignment: Sequence[int]) -> int:
        """Return the cost of an assignment."""
        return sum(choice.costs[option] for choice, option in zip(self.choices, assignment, strict=True))

    def allows(self, assignment: Sequence[int]) -> bool:
        """True if an assignment satisfies all links and limits."""
        linked = all(link.keeps(assignment[link.left], assignment[link.right]) for link in self.links)
        return linked and all(limit.total(assignment) <= limit.most for limit in self.limits)


@dataclass(frozen=True, slots=True)
class Best:
    """An optimal assignment: the number of an option for each choice."""

    assignment: tuple[int, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Impossible:
    """No assignment satisfies all links and limits."""


Answer = Best | Impossible
