from itertools import combinations
from math import inf, prod

import pytest
from hypothesis import assume, given, settings
from job.jobs import best_by_force, jobs

from p2smt.cost.network.cost import NetworkCost
from p2smt.job.infeasible import Infeasible, explain_infeasible
from p2smt.job.optimize import Optimum, Unfinished, optimize
from p2smt.problem.build import build_workload
from p2smt.problem.condition import FewCommunicators, LittleMemory
from p2smt.problem.condition_text import condition_text
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import Reduction, Workload
from p2smt.smt.cores import Minimality


def possible(job: Workload, conditions) -> bool:
    """Whether something keeps these conditions, by trying all placements and programs."""
    texts = [condition_text(one, job.axes, job.levels) for one in conditions]
    changed = build_workload(job.system, job.axes, job.reductions, texts, job.search)
    return best_by_force(changed, NetworkCost(job.system))[0] < inf


@pytest.mark.slow
@settings(max_examples=70)
@given(jobs(conditions=True, limit=2))
def test_cores_are_smallest_and_remedies_work(job):
    found = optimize(job, NetworkCost(job.system))
    assume(isinstance(found, Infeasible))
    assert found.minimality is Minimality.SMALLEST
    assert not possible(job, found.core)
    for fewer in combinations(job.conditions, len(found.core) - 1):
        assert possible(job, fewer)
    for number, matrix in enumerate(found.without):
        assert matrix is not None
        assert possible(job, [one for place, one in enumerate(found.core) if place != number])
    assert found.dropped
    for some in found.dropped:
        assert possible(job, [one for one in job.conditions if one not in some])
        for fewer in combinations(job.conditions, len(some) - 1):
            assert not possible(job, [one for one in job.conditions if one not in fewer])
    for old, new in found.looser:
        assert possible(job, [new if one == old else one for one in job.conditions])
        if isinstance(new, FewCommunicators) and new.most > 1:
            assert not possible(job, [FewCommunicators(new.most - 1) if one == old else one for one in job.conditions])
        if isinstance(new, LittleMemory):
            less = LittleMemory(new.most_bytes - 1)
            assert not possible(job, [less if one == old else one for one in job.conditions])
    for axes in found.sizes:
        assert prod(axis.size for axis in axes) == job.devices
        assert axes != job.axes
        texts = [condition_text(one, job.axes, job.levels) for one in job.conditions]
        other = build_workload(job.system, axes, job.reductions, texts, job.search)
        assert possible(other, other.conditions)


def job(*conditions, system="dgx-h100:4x8"):
    axes = [Axis("dp", 4), Axis("tp", 8)]
    payload = Payload(1 << 20, "float32")
    reductions = [Reduction(name=name, axes=(axis,), payload=payload) for axis, name in enumerate("ga")]
    return build_workload(find_system(system), axes, reductions, conditions)


def test_what_would_work_by_hand():
    asked = job("dp inside node", "tp inside node", "at most 9 communicators")
    found = explain_infeasible(asked, NetworkCost(asked.system))
    texts = [condition_text(one, asked.axes, asked.levels) for one in found.core]
    assert texts == ["dp inside node", "tp inside node"]  # 32 devices do not fit in a node of 8
    assert [len(some) for some in found.dropped] == [1, 1]
    assert found.sizes == ()  # no other sizes of two axes inside a node have a product of 32


def test_the_nearest_sizes_come_first():
    asked = job("tp inside node", "dp not on gpu", "tp not on node", system="node:8,gpu:4")
    found = explain_infeasible(asked, NetworkCost(asked.system))
    assert [[axis.size for axis in axes] for axes in found.sizes] == [[8, 4]]


def test_time_that_is_up_is_said_and_never_called_infeasible():
    asked = job("dp inside node", "tp inside node")
    found = optimize(asked, NetworkCost(asked.system), deadline=0.0)
    assert isinstance(found, Unfinished)
    assert found.stop == "deadline"


def test_a_deadline_in_the_middle_leaves_a_lower_bound(monkeypatch):
    asked = job()
    whole = optimize(asked, NetworkCost(asked.system))
    assert isinstance(whole, Optimum)
    done = []

    def interrupted(priced, of):
        done.append(priced)
        if priced == 2:
            raise KeyboardInterrupt

    part = optimize(asked, NetworkCost(asked.system), progress=interrupted)
    assert isinstance(part, Optimum)
    assert (len(part.placements), part.found, part.proved, str(part.stop)) == (2, whole.found, False, "interrupted")
    assert 0 <= part.lower_bound_s <= whole.best.seconds
    assert 0 <= part.gap <= 1
