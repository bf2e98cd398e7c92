"""Plans with a step changed: what cannot be run is refused by targets that follow buffers, the rest is as right."""

import random
from dataclasses import replace

import numpy as np
import pytest
from reduction.plan.test_rank_holdings import run, spoiled
from support import plans, problem
from tiers import is_full

from p2smt.collective import Collective
from p2smt.emit.emission import emit
from p2smt.emit.target import Target
from p2smt.errors import P2Error, PlanError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.reduction.plan.check import check_plan
from p2smt.reduction.plan.execute import execute
from p2smt.reduction.plan.model import PermuteStep, Portion
from p2smt.verify.judge import judge
from p2smt.verify.verdict import Proved

FOLLOW = (Target.JAX, Target.MSCCL, Target.MSCCLPP)


def is_right(plan):
    """Whether a run on numbers ends with what the goal wants of all eight devices."""
    size = plan.multiple // (8 if plan.goal.gathers else 1)
    given = [np.random.default_rng(rank).integers(1, 1000, size) for rank in range(8)]
    total, goal = sum(given), plan.goal
    wanted = {
        Collective.ALL_REDUCE: [total] * 8,
        Collective.REDUCE: [total],
        Collective.BROADCAST: [given[0]] * 8,
        Collective.ALL_GATHER: [np.concatenate(given)] * 8,
        Collective.REDUCE_SCATTER: np.split(total, 8) if goal.scatters else [],
    }[goal]
    return all(np.array_equal(one, other) for one, other in zip(execute(plan, given), wanted, strict=False))


@pytest.mark.parametrize("goal", Collective)
def test_what_cannot_be_run_is_not_emitted(goal):
    rng, refused, emitted = random.Random(11), 0, 0
    asked, root = plans(problem([2, 4], [8], goal=goal, limit=3)), 0 if goal.to_root or goal.from_root else None
    for plan in (rng.choice(asked) for _ in range(60 if is_full() else 25)):
        other = spoiled(rng, plan)
        try:
            check_plan(other)
        except PlanError:
            continue
        if run(other) is None:
            refused += 1
            for target in FOLLOW:
                with pytest.raises(P2Error):
                    emit(other, target)
            continue
        try:
            text = emit(other, Target.MSCCL)
        except PlanError:
            continue
        emitted += 1
        written = parse_msccl(text.encode(), "file", AskedGoal(collective=goal, root=root))
        assert isinstance(judge(written), Proved) is is_right(other), other.steps
    assert min(refused, emitted) > (3 if is_full() else 1)


@pytest.mark.parametrize("goal", [each for each in Collective if each.adds])
@pytest.mark.parametrize("target", [Target.MSCCL, Target.MSCCLPP])
def test_sums_of_different_chunks_are_not_emitted(goal, target):
    """All devices but the first turn their payload before a plain collective: what the first has looks right."""
    plain = replace(next(each for each in plans(problem([2, 4], [8], goal=goal)) if len(each.steps) == 1), multiple=8)
    turned = replace(plain, steps=(PermuteStep((2, 4), (1, 0), Portion(1, (1, 2, 3))), *plain.steps))
    check_plan(turned)
    assert is_right(plain)
    assert not is_right(turned)
    assert emit(plain, target)
    with pytest.raises(PlanError, match="would add different chunks to each other"):
        emit(turned, target)
