"""What a job takes at least, where the search ended early: never more than the best placement really takes."""

from collections import Counter

import pytest
from hypothesis import given, settings
from job.by_force import SYNTHESIZER, every_matrix
from job.jobs import jobs
from tiers import examples, is_full

from p2smt.cost.network.nccl import NetworkCost
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum, Unfinished, optimize
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import GOALS, Reduction
from p2smt.reduction.synth import session
from p2smt.smt.answer import Enumeration, Stop

ROUNDING = 1 + 1e-9


def stopped_after(count, job):
    """The answer when Ctrl-C comes after so many placements."""

    def stop(priced, of):
        if priced == count:
            raise KeyboardInterrupt

    return optimize(job, NetworkCost(job.system), on_progress=stop, synthesizer=SYNTHESIZER)


def test_a_search_stopped_anywhere_claims_no_more_than_is_so():
    seen = Counter()

    @settings(max_examples=examples(5))
    @given(jobs(limit=2, goals=GOALS))
    def check(job):
        whole = optimize(job, NetworkCost(job.system), synthesizer=SYNTHESIZER)
        assert isinstance(whole, Optimum)
        for count in range(1, len(whole.placements)):
            part = stopped_after(count, job)
            assert isinstance(part, Optimum)
            assert (len(part.placements), part.stop, part.proved) == (count, Stop.INTERRUPTED, False)
            assert part.found == whole.found
            assert 0 <= part.lower_bound_s <= whole.best.seconds * ROUNDING
            assert part.best.seconds * (1 - part.gap) <= whole.best.seconds * ROUNDING
            seen["before the best"] += part.best.seconds > whole.best.seconds * 1.01
            seen["above nothing"] += part.lower_bound_s > 0

    check()
    assert seen["before the best"] > (3 if is_full() else 1)
    assert seen["above nothing"] > 0


@settings(max_examples=examples(4))
@given(jobs(limit=2, goals=GOALS))
def test_what_a_placement_takes_at_least_is_never_more_than_it_takes(job):
    pricer = JobPricer(job, NetworkCost(job.system), synthesizer=SYNTHESIZER)
    matrices = list(every_matrix(job))
    for matrix in matrices:
        before = [pricer.least(other) for other in matrices]
        seconds = pricer.placement(matrix).seconds
        assert before[matrices.index(matrix)] <= seconds * ROUNDING
        assert (before[matrices.index(matrix)] > 0) == (seconds > 0)
        assert 0 <= pricer.least(matrix) <= seconds * ROUNDING
    assert all(now >= then for now, then in zip(map(pricer.least, matrices), before, strict=True))


def test_a_placement_that_was_not_priced_is_bounded_by_the_wire():
    """One placement is priced; the bound of the others is within a third of the best, not 0."""
    axes = [Axis("dp", 8), Axis("tp", 8)]
    payload = Payload(1 << 30, "float32")
    reductions = [Reduction(name=axes[number].name, axes=(number,), payload=payload) for number in (0, 1)]
    job = build_workload(find_system("dgx-h100:8x8"), axes, reductions)
    whole, part = optimize(job, NetworkCost(job.system)), stopped_after(1, job)
    assert isinstance(whole, Optimum)
    assert isinstance(part, Optimum)
    assert len(whole.placements) > 2
    assert whole.best.seconds / 1.34 < part.lower_bound_s <= whole.best.seconds
    assert all(one.wire_seconds <= one.seconds for one in whole.placements)


@pytest.fixture(scope="module")
def job():
    """On every placement of its second axis another program than the shortest is the fastest, with rings."""
    axes = [Axis("dp", 2), Axis("tp", 32)]
    payload = Payload(1 << 30, "float32")
    reductions = [Reduction(name="r", axes=(1,), payload=payload)]
    return build_workload(find_system("4x16"), axes, reductions)


@pytest.fixture(scope="module")
def whole(job):
    """What an unstopped search finds, with rings."""
    found = optimize(job, NetworkCost(job.system, Algorithm.RING))
    assert isinstance(found, Optimum)
    return found


@pytest.mark.parametrize("stop", [Stop.DEADLINE, Stop.UNKNOWN])
def test_programs_found_before_a_search_ended_bound_nothing(job, whole, stop, monkeypatch):
    """The first program found is an all-reduce in one step; those that are faster come later."""
    search = session.find_programs

    def first_of_them(*given):
        return Enumeration(search(*given).items[:1], stop, "gave up" * (stop is Stop.UNKNOWN))

    monkeypatch.setattr(session, "find_programs", first_of_them)
    pricer = JobPricer(job, NetworkCost(job.system, Algorithm.RING))
    for matrix in every_matrix(job):
        known = pricer.candidates(0, matrix)
        assert (len(known), known.stop) == (1, stop)
        assert known.rows.seconds[0] > whole.best.seconds * 1.01
        unpriced = JobPricer(job, NetworkCost(job.system, Algorithm.RING))
        assert 0 < pricer.least(matrix) == unpriced.least(matrix) <= pricer.placement(matrix).seconds
    part = optimize(job, NetworkCost(job.system, Algorithm.RING))
    assert isinstance(part, Optimum)
    assert (part.stop, part.proved) == (stop, False)
    assert 0 < part.lower_bound_s <= whole.best.seconds


def test_before_anything_is_priced_there_is_no_answer(job):
    found = optimize(job, NetworkCost(job.system), deadline=0.0)
    assert isinstance(found, Unfinished)
    assert found.stop is Stop.DEADLINE
