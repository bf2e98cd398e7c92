"""What ranks hold, worked out without running a plan: as much as a run leaves, refused where a run is refused."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from support import plans, problem
from tiers import is_full
from unlike_plans import every_plan

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.reduction.plan.check import check_plan
from p2smt.reduction.plan.execute import execute
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep
from p2smt.reduction.plan.rank_holdings import check_portions, rank_holdings


def spoiled(rng, plan):
    """The plan with one step changed, left out, twice, elsewhere, or a permutation more."""
    steps = list(plan.steps)
    at = rng.randrange(len(steps))
    match rng.randrange(5):
        case 0:
            del steps[at]
        case 1:
            steps.insert(rng.randrange(len(steps) + 1), steps[at])
        case 2:
            steps.append(steps.pop(at))
        case 3 if isinstance(steps[at], CollectiveStep):
            steps[at] = replace(steps[at], collective=rng.choice(list(Collective)))
        case _:
            sizes = rng.choice([(2, 2), (plan.multiple, 1), (2, plan.multiple // 2)])
            portion = rng.choice([each for step in steps if isinstance(step, CollectiveStep) for each in step.portions])
            steps.insert(at, PermuteStep(sizes, (1, 0), portion))
    return replace(plan, steps=tuple(steps))


def run(plan):
    """How much every rank ends with, in parts of the multiple; None where the run is refused."""
    own = plan.multiple // (plan.groups(plan.reduction).size if plan.goal.gathers else 1)
    try:
        return [len(buffer) for buffer in execute(plan, [np.ones(own) for _ in range(plan.devices)])]
    except PlanError:
        return None


def left(plan, held):
    """What a run gives of what ranks hold in the end: None where that is not what the goal leaves."""
    groups = plan.groups(plan.reduction)
    wanted = plan.multiple // (groups.size if plan.goal.scatters else 1)
    ends = [plan.goal.to_root and rank not in {*groups.roots()} for rank in range(plan.devices)]
    given = [0 if nothing else amount for nothing, amount in zip(ends, held, strict=True)]
    return (
        given
        if all(amount == (0 if nothing else wanted) for nothing, amount in zip(ends, given, strict=True))
        else None
    )


@pytest.mark.parametrize("goal", Collective)
def test_holdings_are_those_of_a_run(goal):
    rng, seen = random.Random(7), Counter()
    asked = [*plans(problem([2, 4], [8], goal=goal, limit=3)), *every_plan("node:[3,2]", (5,), "2x3", goal, limit=2)]
    for plan in (rng.choice(asked) for _ in range(200 if is_full() else 80)):
        other = spoiled(rng, plan)
        try:
            check_plan(other)
        except PlanError:
            continue
        wanted = run(other)
        try:
            held = rank_holdings(other)
        except PlanError:
            assert wanted is None, other.steps
            seen["refused"] += 1
            continue
        assert left(other, held[-1]) == wanted, other.steps
        seen["no end" if wanted is None else "unlike" if other.tree is not None else "alike"] += 1
    assert set(seen) >= {"refused", "no end", "alike"}
    assert seen["refused"] > 3


@pytest.mark.parametrize("goal", [Collective.REDUCE_SCATTER, Collective.ALL_GATHER, Collective.ALL_REDUCE])
def test_no_portion_is_taken_but_what_roots_hold(goal):
    """Those of plans that do their goal are right, so any other number is wrong, a larger and a smaller one."""
    larger = smaller = 0
    for plan in every_plan("node:[3,2]", (5,), "2x3", goal, limit=2):
        check_portions(plan)
        for place, step in enumerate(plan.steps):
            for spot, portion in enumerate(step.portions):
                for parts in {1, 2, 5, 10} - {portion.parts}:
                    portions = (*step.portions[:spot], replace(portion, parts=parts), *step.portions[spot + 1 :])
                    steps = (*plan.steps[:place], replace(step, portions=portions), *plan.steps[place + 1 :])
                    with pytest.raises(PlanError, match=f"step {place + 1} is for buffers of 1/{parts} of the payload"):
                        check_portions(replace(plan, steps=steps))
                    larger, smaller = larger + (parts < portion.parts), smaller + (parts > portion.parts)
    assert smaller
    assert larger or not goal.gathers
