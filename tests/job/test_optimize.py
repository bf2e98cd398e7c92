"""The fastest placement of a job, with any programs, against all placements and all choices of programs."""

from collections import Counter
from itertools import pairwise
from math import inf, prod

import pytest
from hypothesis import given, settings
from job.by_force import SYNTHESIZER, best_by_force, every_matrix, keeps_by_devices
from job.jobs import PHASES, jobs, jobs_on_few_communicators
from tiers import examples, is_full

from p2smt.collective import Collective
from p2smt.cost.network.backend import cost_of
from p2smt.cost.network.nccl import NetworkCost
from p2smt.job.infeasible import Infeasible
from p2smt.job.optimize import LengthLimits, Optimum, optimize, placements_of
from p2smt.placement.condition import keeps
from p2smt.problem.build import build_workload
from p2smt.problem.condition import PlacementCondition
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import GOALS, Reduction


def agrees(job, seen):
    """Count what the job is like, so that a test can say what it has looked at."""
    cost = NetworkCost(job.system)
    found = optimize(job, cost, synthesizer=SYNTHESIZER)
    seconds, _ = best_by_force(job, cost)
    if isinstance(found, Infeasible):
        assert seconds == inf
        seen["infeasible"] += 1
        return
    assert isinstance(found, Optimum)
    assert found.proved
    assert found.best.seconds == pytest.approx(seconds, rel=1e-8)
    assert found.gap == 0
    times = [one.seconds for one in found.placements]
    assert all(a <= b * (1 + 1e-9) for a, b in pairwise(times))
    seen.update(placements=len(times), refused=found.refused)


every_phase = pytest.mark.parametrize(
    "phases", PHASES, ids=lambda phases: ",".join(phase or "alone" for phase in phases)
)


@pytest.mark.thorough  # jobs with conditions, some of them with none, are compared below
@pytest.mark.slow
@every_phase
def test_nothing_is_faster_than_the_optimum(phases):
    seen = Counter()

    @settings(max_examples=examples(2))
    @given(jobs(limit=2, goals=(Collective.ALL_REDUCE, *GOALS), phases=phases))
    def check(job):
        agrees(job, seen)

    check()
    assert seen["placements"] > 2


@pytest.mark.slow
@every_phase
def test_nothing_that_keeps_the_conditions_is_faster(phases):
    seen = Counter()

    @settings(max_examples=examples(3))
    @given(jobs(conditions=True, limit=2, goals=GOALS, phases=phases))
    def check(job):
        agrees(job, seen)

    check()
    assert seen["placements"] > 2


@pytest.mark.slow
def test_nothing_that_keeps_the_limits_is_faster():
    seen = Counter()

    @settings(max_examples=examples(6))
    @given(jobs_on_few_communicators())
    def check(job):
        agrees(job, seen)

    check()
    assert seen["refused"] > 1
    assert seen["infeasible"] > 1


@settings(max_examples=examples(20))
@given(jobs(conditions=True))
def test_the_placements_are_those_that_keep_the_conditions(job):
    placing = [one for one in job.conditions if isinstance(one, PlacementCondition)]
    wanted = []
    for matrix in every_matrix(job):
        kept = [keeps_by_devices(job, matrix, one) for one in placing]
        assert kept == [keeps(matrix, one) for one in placing]
        wanted += [matrix] * all(kept)
    assert list(placements_of(job).items) == sorted(wanted)


def test_where_communicators_are_limited_programs_beyond_the_limit_count():
    system = find_system("4x4x4")

    def best(limit, *conditions):
        reductions = [Reduction(name="r", axes=(0,), payload=Payload(1 << 20, "float32"))]
        found = optimize(
            build_workload(system, [Axis("a", 64)], reductions, conditions, Search(limit)), cost_of(system)
        )
        assert found.proved
        assert found.limited.none
        (placement,) = found.placements
        return placement.communicators, placement.seconds, placement.reductions[0].candidate.program

    free, few = best(2), best(2, "at most 3 communicators")
    long = 5 if is_full() else 4
    assert few == free
    assert len(few[2]) > 2
    assert best(2, "at most 2 communicators")[1] == best(long, "at most 2 communicators")[1] > few[1]
    assert best(2, "at most 1 communicators")[0] == 1


def test_what_the_limit_decides_is_said():
    """Over six levels no longer programs are looked for; beside others a longer one than the fastest may be better."""

    def limited(sizes, overlap, limit=1):
        system = find_system("x".join(map(str, sizes)))
        payload, axis = Payload(1 << 20, "float32"), Axis("a", prod(sizes))
        reductions = [Reduction(name=name, axes=(0,), payload=payload, overlap=overlap) for name in "rs"]
        found = optimize(build_workload(system, [axis], reductions, (), Search(limit)), cost_of(system))
        return found.limited

    assert limited((2,) * 6, "") == LengthLimits(deep=(0, 1))
    assert limited((4, 4, 4), "together") == LengthLimits(overlapping=(0, 1))
    assert limited((4, 4, 4), "") == limited((8, 8), "together", limit=5) == LengthLimits()
