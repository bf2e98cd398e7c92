"""The mistake of steps that reach no goal: the first step that may not be taken, at any sizes."""

from itertools import product

import pytest

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.plan.mistake import mistake_of
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine

GROUPINGS = (Grouping(0, 1), Grouping(1, 2), Grouping(0, 2), Grouping(0, 1, masters=True))
STEPS = tuple(product(GROUPINGS, Collective))
GOAL = Collective.ALL_REDUCE


def first_wrong(steps, sizes):
    """Which step may not be taken, from 1, and why; none where the last leaves the goal unreached."""
    concrete = machine(sizes, goal=GOAL)
    state = concrete.goal.start
    for number, step in enumerate(steps, start=1):
        if concrete.goal.is_reached(state):
            return f"the goal is reached before step {number}"
        state = concrete.apply(state, step)
        if isinstance(state, Violation):
            return f"step {number}, "
    return "" if concrete.goal.is_reached(state) else "after the last step"


def test_the_first_wrong_step_is_named_whatever_the_sizes():
    seen = set()
    for steps in (*product(STEPS, repeat=1), *product(STEPS, repeat=2)):
        wanted = first_wrong(steps, (3, 4))
        if wanted:
            said = mistake_of(steps, 2, GOAL)
            assert said.startswith(wanted), steps
            seen.add(said.partition(": ")[2] or wanted)
    assert len(seen) > 5  # several rules, and the two ends


def test_on_four_levels_the_mistake_is_worked_out():
    step = (Grouping(0, 4), GOAL)
    assert mistake_of([step, step], 4, GOAL) == "the goal is reached before step 2"


def test_on_many_levels_nothing_is_worked_out():
    assert mistake_of([(Grouping(4, 5), GOAL)], 5, GOAL).startswith("some step breaks")


@pytest.mark.parametrize("steps", [[(Grouping(0, 2), GOAL)]])
def test_valid_steps_have_no_mistake_of_their_own(steps):
    assert mistake_of(steps, 2, GOAL).startswith("some step breaks")
