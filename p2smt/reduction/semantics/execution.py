"""Execution of instructions on state matrices: the reference semantics for all engines and plans.

All groups of a step act at once: with S the state before it and G the group of device d,
    S'[d] = rule(S[m] for m in G)[d],   S'[d] = S[d] if d is in no group.
A program is valid if no rule refuses a step, and the goal is reached by the last step and not earlier.
Complexity: O(k^2) operations on rows of k bits for each step on k devices.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, sections 3.2 and 3.3, figure 8.

Example: two devices start with their own contribution to both chunks. After a ReduceScatter device 0 has chunk 0 and
device 1 chunk 1, each with both contributions; an AllGather then reaches the goal of an all-reduce.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2smt.collective import Collective
from p2smt.placement.tree import Shape
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.collectives import RULES, Violation
from p2smt.reduction.semantics.goal import MatrixGoal, matrix_goal
from p2smt.reduction.semantics.groups import Blocks, groups_with_blocks
from p2smt.reduction.semantics.state import State


@dataclass(frozen=True, slots=True)
class MatrixMachine:
    """State matrices of one hierarchy, which by default has reduction levels only, and the goal of programs on it.

    `shape` has the level sizes, or is an irregular tree. Groups and blocks are cached.
    """

    shape: Shape
    goal: MatrixGoal
    _groups: dict[Grouping, tuple[tuple[tuple[int, ...], Blocks], ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def apply(self, state: State, step: Step) -> State | Violation:
        """Return the state after one step of all groups at once; devices in no group are unchanged."""
        grouping, collective = step
        rule = RULES[collective]
        after = list(state)
        # All groups read `state` and write `after`: they act at once.
        for members, blocks in self.groups(grouping):
            result = rule(tuple([state[device] for device in members]), blocks)
            if isinstance(result, Violation):
                return result
            for device, new in zip(members, result, strict=True):
                after[device] = new
        return tuple(after)

    def is_valid(self, steps: Sequence[Step]) -> bool:
        """True if every step is allowed and the goal is reached by the last step, not earlier."""
        # A program ends as soon as the goal is reached; steps behind it make it invalid.
        state: State | Violation = self.goal.start
        for step in steps:
            if isinstance(state, Violation) or self.goal.is_reached(state):
                return False
            state = self.apply(state, step)
        return not isinstance(state, Violation) and self.goal.is_reached(state)

    def groups(self, grouping: Grouping) -> tuple[tuple[tuple[int, ...], Blocks], ...]:
        """Return the groups of a grouping, with each member's own chunks."""
        groups = self._groups.get(grouping)
        if groups is None:
            groups = self._groups[grouping] = groups_with_blocks(self.shape, grouping)
        return groups


def machine(
    shape: Shape, reducing: Sequence[bool] | None = None, goal: Collective = Collective.ALL_REDUCE
) -> MatrixMachine:
    """Return the machine of a hierarchy; `reducing` marks the reduction levels, by default all.

    >>> machine((2, 3)).is_valid([(Grouping(0, 2), Collective.ALL_REDUCE)])
    True
    """
    return MatrixMachine(shape if isinstance(shape, Tree) else tuple(shape), matrix_goal(goal, shape, reducing))
