"""Finds why steps do not reach a goal: the first invalid step, and the rule that it violates."""

from collections.abc import Sequence

from p2smt.collective import Collective
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine

_MOST_LEVELS = 4
"""The most levels for which the state matrices of all devices are built for the message."""

_SOME = "some step breaks the rule of its collective or the goal is not reached"


def mistake_of(steps: Sequence[Step], levels: int, goal: Collective, tree: Tree | None = None) -> str:
    """Describe the first mistake; it is found on levels of size 2, because validity does not depend on sizes.

    On a tree of unequal units validity does depend on them, so the mistake is found on the `tree` itself.

    >>> from p2smt.reduction.language.instruction import Grouping
    >>> mistake_of([(Grouping(1, 2), Collective.ALL_REDUCE)], 2, Collective.ALL_REDUCE)
    'after the last step the goal is not reached'
    """
    if levels > _MOST_LEVELS:
        return _SOME
    concrete = machine((2,) * levels if tree is None else tree, goal=goal)
    state = concrete.goal.start
    for number, step in enumerate(steps, start=1):
        if concrete.goal.is_reached(state):
            return f"the goal is reached before step {number}"
        after = concrete.apply(state, step)
        if isinstance(after, Violation):
            return f"step {number}, {step[1]}, may not be taken: {after}"
        state = after
    return _SOME if concrete.goal.is_reached(state) else "after the last step the goal is not reached"
