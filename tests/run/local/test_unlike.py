"""Plans on units of unlike size in real gloo processes, with torch's own checks that ranks of a group do the same."""

import pytest
from unlike_plans import every_plan

from p2smt.collective import Collective
from p2smt.run.local.cluster import Cluster

UNITS = [("node:[5,3]", "2x5"), ("node:[3,3,2]", "3x3")]


@pytest.mark.slow
def test_every_collective_on_five_and_three_and_on_three_three_and_two():
    with Cluster(8, timeout_s=120) as cluster:
        assert cluster.debug
        for (system, matrix), goal in zip(UNITS * 3, (*Collective, Collective.ALL_REDUCE), strict=True):
            plans = list(every_plan(system, (8,), matrix, goal))
            for plan in {plan.program: plan for plan in (plans[0], plans[-1])}.values():
                report = cluster.run(plan, elements=1003, repeats=1)
                assert report.ok, (system, plan.goal, plan.program, report)
