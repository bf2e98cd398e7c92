from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import gcd, log2, prod

import pytest
from hypothesis import assume, given, seed, settings
from job.by_force import SYNTHESIZER, every_matrix, keeps_by_devices, possible
from job.jobs import clashing_jobs, jobs, jobs_on_few_communicators
from tiers import examples, is_full

from p2smt.cost.network.nccl import NetworkCost
from p2smt.job.infeasible import MOST_REMEDIES, Infeasible, _weaker, explain_infeasible
from p2smt.job.optimize import Unfinished, optimize
from p2smt.job.possible import Possible
from p2smt.problem.build import build_workload
from p2smt.problem.condition import (
    Condition,
    FewCommunicators,
    InnerAxis,
    LittleMemory,
    Off,
    PinnedAxis,
    ProgramCondition,
    Unsplit,
)
from p2smt.problem.condition_text import condition_text
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import Reduction, Workload
from p2smt.smt.answer import Unsat
from p2smt.smt.cores import Minimality


def keeps(job: Workload, conditions: Iterable[Condition], axes: Sequence[Axis] = ()) -> bool:
    """Whether something keeps these conditions, by trying all placements and programs; with other axes, if given."""
    texts = [condition_text(one, job.axes, job.levels) for one in conditions]
    return possible(build_workload(job.system, axes or job.axes, job.reductions, texts, job.search))


@pytest.mark.slow
def test_cores_are_smallest_and_remedies_work():
    seen = Counter()

    def check(job):
        if enough() and not is_full():
            return
        found = optimize(job, NetworkCost(job.system), synthesizer=SYNTHESIZER)
        assume(isinstance(found, Infeasible))
        core_is_smallest(job, found)
        remedies_work(job, found)
        limits = {isinstance(condition, ProgramCondition) for condition in found.core}
        seen.update({("core", len(found.core)): 1, ("of both kinds", len(limits) == 2): 1})
        seen.update(dropped=len(found.dropped[0]) > 1, **{type(new).__name__: 1 for _, new in found.looser})

    def enough():
        sizes, both = min(seen["core", size] for size in (1, 2, 3)), seen["of both kinds", True]
        kinds = sum(seen[kind.__name__] > 0 for kind in (FewCommunicators, LittleMemory, InnerAxis, Unsplit))
        return min(sizes, both) > 0 and seen["dropped"] > (2 if is_full() else 0) and kinds > 1

    drawn = ((4, clashing_jobs()), (3, jobs_on_few_communicators()), (1, jobs(conditions=True, limit=2)))
    # The seventh has three conditions that clash, which are rare; what Hypothesis draws depends on the modules that are
    # loaded.
    for number in (6, *range(30)):
        for count, some in drawn:
            seed(number)(settings(max_examples=examples(count))(given(some)(check)))()
        if enough():
            return
    pytest.fail(f"too few kinds of jobs in which conditions clash: {seen}")


def core_is_smallest(job, found):
    assert found.minimality is Minimality.SMALLEST
    assert not keeps(job, found.core)
    for fewer in combinations(job.conditions, len(found.core) - 1):
        assert keeps(job, fewer)


def remedies_work(job, found):
    for number, matrix in enumerate(found.without):
        assert matrix is not None
        assert keeps(job, [one for place, one in enumerate(found.core) if place != number])
    assert found.dropped
    for some in found.dropped:
        assert keeps(job, [one for one in job.conditions if one not in some])
        for fewer in combinations(job.conditions, len(some) - 1):
            assert not keeps(job, [one for one in job.conditions if one not in fewer])
    for old, new in found.looser:
        assert keeps(job, [new if one == old else one for one in job.conditions])
        if isinstance(new, FewCommunicators) and new.most > 1:
            assert not keeps(job, [FewCommunicators(new.most - 1) if one == old else one for one in job.conditions])
        if isinstance(new, LittleMemory):
            less = LittleMemory(new.most_bytes - 1)
            assert not keeps(job, [less if one == old else one for one in job.conditions])


def other_sizes(job):
    """All sizes of the axes with the right product that are one or two moves of a prime away, the nearest first."""
    start = [axis.size for axis in job.axes]
    every = product(*([size for size in range(1, job.devices + 1) if job.devices % size == 0] for _ in start))
    near = []
    for sizes in every:
        if prod(sizes) != job.devices:
            continue
        given_away = prod(old // gcd(old, new) for old, new in zip(start, sizes, strict=True))
        if 1 <= sum(primes(given_away)) <= 2:
            near.append((sum(abs(log2(new / old)) for old, new in zip(start, sizes, strict=True)), sizes))
    return [sizes for _, sizes in sorted(near)]


def primes(number):
    """The exponent of every prime."""
    found = []
    for prime in range(2, number + 1):
        found.append(0)
        while number % prime == 0:
            number, found[-1] = number // prime, found[-1] + 1
    return found


@pytest.mark.slow
def test_the_sizes_given_are_the_nearest_with_which_all_go_together():
    several = 0

    def check(job):
        nonlocal several
        found = optimize(job, NetworkCost(job.system), synthesizer=SYNTHESIZER)
        if not isinstance(found, Infeasible):
            return
        wanted = []
        for sizes in other_sizes(job):
            axes = [Axis(axis.name, size) for axis, size in zip(job.axes, sizes, strict=True)]
            wanted += [sizes] * keeps(job, job.conditions, axes)
        assert [tuple(axis.size for axis in axes) for axes in found.sizes] == wanted[:MOST_REMEDIES]
        several += len(wanted) > 1

    for number in range(40):  # how often there are several depends on what Hypothesis draws
        seed(number)(settings(max_examples=examples(3))(given(jobs(conditions=True, limit=1, phases=("",)))(check)))()
        if several > (3 if is_full() else 1):
            return
    pytest.fail(f"only {several} jobs had several answers")


def job(*conditions, system="dgx-h100:4x8"):
    axes = [Axis("dp", 4), Axis("tp", 8)]
    payload = Payload(1 << 20, "float32")
    reductions = [Reduction(name=name, axes=(axis,), payload=payload) for axis, name in enumerate("ga")]
    return build_workload(find_system(system), axes, reductions, conditions)


def test_what_could_stand_in_the_place_of_a_condition_follows_from_it_and_is_weaker():
    """By devices, on all placements of three axes on three levels: whatever keeps the one keeps the other."""
    payload = Payload(1 << 20, "float32")
    system = find_system("2x4x4")
    named = [Axis(name, size) for name, size in zip("abc", (4, 4, 2), strict=True)]
    asked = build_workload(system, named, [Reduction(name="r", axes=(0,), payload=payload)])
    matrices, compared = list(every_matrix(asked)), 0
    levels = range(len(asked.levels))
    for axis in range(len(named)):
        for condition in (
            *(kind(axis, level) for kind in (PinnedAxis, InnerAxis, Off) for level in levels),
            Unsplit(axis),
        ):
            kept = {matrix for matrix in matrices if keeps_by_devices(asked, matrix, condition)}
            sets = [
                {matrix for matrix in matrices if keeps_by_devices(asked, matrix, weaker)}
                for weaker in _weaker(condition, len(levels))
            ]
            assert all(kept <= more for more in sets), condition
            compared += sum(kept < more for more in sets)
    assert compared > 20


def test_what_would_work_by_hand():
    asked = job("dp inside node", "tp inside node", "at most 9 communicators")
    found = explain_infeasible(asked, NetworkCost(asked.system))
    texts = [condition_text(one, asked.axes, asked.levels) for one in found.core]
    assert texts == ["dp inside node", "tp inside node"]  # 32 devices do not fit in a node of 8
    assert [len(some) for some in found.dropped] == [1, 1]
    assert found.sizes == ()  # no other sizes of two axes inside a node have a product of 32


def test_a_looser_limit_keeps_the_other_limit():
    """Each of two axes takes a communicator of more than two ranks: two of them, and 2 * 688 MB."""
    for memory, looser in (("1375MB", Unsat(frozenset({1}))), ("1376MB", FewCommunicators(2))):
        asked = job("at most 1 communicators", f"at most {memory} for communicators", system="node:4,gpu:8")
        assert Possible(asked, NetworkCost(asked.system), None, SYNTHESIZER).least_limit(0) == looser


def test_the_nearest_sizes_come_first():
    asked = job("tp inside node", "dp not on gpu", "tp not on node", system="node:8,gpu:4")
    found = explain_infeasible(asked, NetworkCost(asked.system))
    assert [[axis.size for axis in axes] for axes in found.sizes] == [[8, 4]]


def test_time_that_is_up_is_said_and_never_called_infeasible():
    asked = job("dp inside node", "tp inside node")
    found = optimize(asked, NetworkCost(asked.system), deadline=0.0)
    assert isinstance(found, Unfinished)
    assert found.stop == "deadline"
