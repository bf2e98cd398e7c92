from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from job.jobs import best_by_force, every_matrix, jobs, keeps_by_devices

from p2smt.collective import Collective
from p2smt.cost.network.cost import NetworkCost
from p2smt.job.infeasible import Infeasible
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum, optimize, placements_of
from p2smt.placement.condition import keeps
from p2smt.problem.condition import PlacementCondition
from p2smt.problem.workload import GOALS


def agrees(job):
    cost = NetworkCost(job.system)
    found = optimize(job, cost)
    seconds, _ = best_by_force(job, cost)
    if isinstance(found, Infeasible):
        assert seconds == inf
        return
    assert isinstance(found, Optimum)
    assert found.proved
    assert found.best.seconds == pytest.approx(seconds, rel=1e-8)
    assert found.gap == 0
    times = [one.seconds for one in found.placements]
    assert all(a <= b * (1 + 1e-9) for a, b in pairwise(times))


@pytest.mark.slow
@settings(max_examples=40)
@given(jobs(limit=3, goals=(Collective.ALL_REDUCE, *GOALS)))
def test_nothing_is_faster_than_the_optimum(job):
    agrees(job)


@pytest.mark.slow
@settings(max_examples=60)
@given(jobs(conditions=True, limit=2, goals=GOALS))
def test_nothing_that_keeps_the_conditions_is_faster(job):
    agrees(job)


@settings(max_examples=30)
@given(jobs(limit=2, goals=GOALS))
def test_what_a_placement_takes_at_least_is_never_more_than_it_takes(job):
    pricer = JobPricer(job, NetworkCost(job.system))
    matrices = list(every_matrix(job))
    assert all(pricer.least(matrix) == 0 for matrix in matrices)
    for matrix in matrices:
        before = [pricer.least(other) for other in matrices]
        seconds = pricer.placement(matrix).seconds
        assert before[matrices.index(matrix)] <= seconds * (1 + 1e-9)
        assert 0 <= pricer.least(matrix) <= seconds * (1 + 1e-9)
    assert all(now >= then for now, then in zip(map(pricer.least, matrices), before, strict=True))


@settings(max_examples=100)
@given(jobs(conditions=True))
def test_the_placements_are_those_that_keep_the_conditions(job):
    placing = [one for one in job.conditions if isinstance(one, PlacementCondition)]
    wanted = []
    for matrix in every_matrix(job):
        kept = [keeps_by_devices(job, matrix, one) for one in placing]
        assert kept == [keeps(matrix, one) for one in placing]
        wanted += [matrix] * all(kept)
    assert list(placements_of(job).items) == sorted(wanted)
