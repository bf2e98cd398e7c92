"""Plans on units of unlike size in real gloo processes, with torch's own checks that ranks of a group do the same."""

import pytest
from tiers import is_full
from unlike_plans import every_plan

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.run.local.cluster import LocalCluster

UNITS, RANKS = (
    ([("node:[5,3]", "2x5"), ("node:[3,3,2]", "3x3")], 8)
    if is_full()
    else ([("node:[3,2]", "2x3"), ("node:[2,2,1]", "3x2")], 5)
)


@pytest.mark.thorough  # plans of such units are run on chunks in tests/reduction/plan
@pytest.mark.slow
def test_every_collective_on_five_and_three_and_on_three_three_and_two():
    """The standard tier takes a rank less of every unit."""
    with LocalCluster(RANKS, timeout_s=120) as cluster:
        assert cluster.debug
        for (system, matrix), goal in zip(UNITS * 3, (*Collective, Collective.ALL_REDUCE), strict=True):
            plans = list(every_plan(system, (RANKS,), matrix, goal))
            for plan in {plan.program: plan for plan in (plans[0] if is_full() else plans[-1], plans[-1])}.values():
                text, groups = emit_torch(plan), tuple(plan.groups(plan.reduction))
                report = cluster.time(text, goal, groups, 1003, warmups=0, repeats=1, check=True)
                assert report.ok, (system, plan.goal, plan.program, report)
