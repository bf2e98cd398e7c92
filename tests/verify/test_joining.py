"""Chunks that all steps treat alike are joined to one, and no verdict changes by it."""

from dataclasses import replace
from random import Random

import pytest
from tiers import is_full
from verify.random_goals import right_plan_for, with_divisions
from verify.random_plans import damaged

from p2smt.collective import Collective
from p2smt.verify import joining
from p2smt.verify.check import verify
from p2smt.verify.goal import results, wanted
from p2smt.verify.joining import joined
from p2smt.verify.judge import judge
from p2smt.verify.operation import GOAL_COLLECTIVES
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Proved, Refuted, Unknown


def repeated(plan, times):
    """The plan with so many chunks for each of its chunks."""

    def part(one):
        return BufferRange(one.buffer, one.start * times, one.length * times)

    goal = replace(plan.goal, source=part(plan.goal.source), target=part(plan.goal.target))
    steps = tuple(replace(step, source=part(step.source), target=part(step.target)) for step in plan.steps)
    return replace(plan, buffers=tuple((name, length * times) for name, length in plan.buffers), goal=goal, steps=steps)


@pytest.fixture(autouse=True)
def _small_plans_too(monkeypatch):
    monkeypatch.setattr(joining, "FEW_CELLS", 0)


def test_verdicts_of_random_plans_stay_what_they_are():
    random, kinds, joins = Random(44), set(), 0
    for number in range(3000 if is_full() else 100):
        plan = right_plan_for(random, GOAL_COLLECTIVES[number % len(GOAL_COLLECTIVES)], 8)[0]
        if random.random() < 0.5:
            plan = with_divisions(plan, random)
        if random.random() < 0.6:
            plan = damaged(plan, random)
        if shape_mistake(plan):
            assert joined(plan) is plan
            continue
        long = repeated(plan, random.choice([1, 3, 4]))
        small = joined(long)
        one, other = judge(long), judge(small)
        assert type(one) is type(other), plan
        assert not isinstance(one, Refuted) or one.counter_example.rule is other.counter_example.rule, plan
        assert sum(length for _, length in small.buffers) <= sum(length for _, length in plan.buffers), plan
        assert not isinstance(one, Proved) or one.evidence.checked == results(long), plan
        kinds.add((plan.goal.collective, type(one)))
        joins += small is not long
    assert kinds >= {(goal, kind) for goal in GOAL_COLLECTIVES for kind in (Proved, Refuted)}
    assert joins > (50 if is_full() else 30)


def test_results_are_counted_as_they_are_listed():
    random = Random(7)
    for goal in (right_plan_for(random, one)[0].goal for one in GOAL_COLLECTIVES for _ in range(3)):
        members = ((group, member) for group in goal.groups for member in range(len(group)))
        plan = VerificationPlan(devices=64, buffers=(("x", 1),), goal=goal, steps=())
        assert results(plan) == sum(len(wanted(goal, group, member)) for group, member in members), goal


def all_reduce(chunks, *more):
    whole, everyone = BufferRange("data", 0, chunks), ((0, 1, 2, 3),)
    goal = Goal(collective=Collective.ALL_REDUCE, groups=everyone, source=whole, target=whole)
    steps = (VerificationStep(Collective.ALL_REDUCE, everyone, whole, whole), *more)
    return VerificationPlan(devices=4, buffers=(("data", chunks),), goal=goal, steps=steps)


def test_a_plan_of_a_million_chunks_is_one_of_one_chunk():
    small = joined(all_reduce(1_000_000))
    assert small.buffers == (("data", 1),)
    assert small.notes == ("chunks that all steps treat alike are counted as one: data has 1 for 1000000",)
    assert isinstance(verify(small), Proved)


def test_a_step_on_one_chunk_keeps_it_apart():
    part, pair = BufferRange("data", 7, 1), ((0, 1),)
    small = joined(all_reduce(100_000, VerificationStep(Collective.ALL_REDUCE, pair, part, part)))
    assert small.buffers == (("data", 3),)
    assert small.steps[1].source == BufferRange("data", 1, 1)
    assert isinstance(verify(small), Refuted)


def test_counts_that_grow_with_every_step_are_given_up():
    part, everyone = BufferRange("data", 0, 4), ((0, 1, 2, 3),)
    verdict = judge(all_reduce(4, *[VerificationStep(Collective.ALL_REDUCE, everyone, part, part)] * 20_000))
    assert isinstance(verdict, Unknown)
    assert "2^4096" in verdict.reason
