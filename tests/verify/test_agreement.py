"""Random plans of any shape and for every goal: counting, the solver and numbers in buffers give one verdict."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from looped import looped
from tiers import examples, is_full, sample
from verify.interpreter import given_by, reaches, run, wanted
from verify.random_goals import right_plan_for
from verify.random_plans import damaged, right_plan

from p2smt.collective import Collective, Exchange
from p2smt.smt.answer import Sat, Unsat
from p2smt.verify.difference import difference, evaluated
from p2smt.verify.judge import judge
from p2smt.verify.operation import GOAL_COLLECTIVES, LocalOperation, adds_members
from p2smt.verify.plan_verdict import PlanRule
from p2smt.verify.verdict import Proved, Refuted, Unknown

PLANS = 600 if is_full() else 40
OF_GOALS = examples(150)
OF_RUNNING = {
    PlanRule.UNDEFINED,
    PlanRule.MISSING,
    PlanRule.COUNTED_TWICE,
    PlanRule.FOREIGN,
    PlanRule.WEIGHT,
    PlanRule.TRUNCATED,
}


def fits(plan):
    """Whether every step can be run at all, by the definition of its operation."""
    lengths = dict(plan.buffers)
    return all(
        everyone_once(plan, step)
        and inside(step.source, lengths)
        and inside(step.target, lengths)
        and all(0 <= step.root < len(group) and blocks_fit(step, len(group)) for group in step.groups)
        and (step.source == step.target or not cells(step.source) & cells(step.target))
        for step in plan.steps
    )


def everyone_once(plan, step):
    named = [device for group in step.groups for device in group]
    return len(named) == len(set(named)) and set(named) <= set(range(plan.devices))


def inside(part, lengths):
    return bool(cells(part)) and cells(part) <= {(part.buffer, chunk) for chunk in range(lengths[part.buffer])}


def cells(part):
    return {(part.buffer, part.start + chunk) for chunk in range(part.length)}


def blocks_fit(step, size):
    read, written = step.source.length, step.target.length
    if step.in_place:
        return read == written and read % size == 0
    match step.operation:
        case Collective.REDUCE_SCATTER:
            return read == written * size
        case Collective.ALL_GATHER:
            return read * size == written
        case Exchange.ALL_TO_ALL:
            return read == written and read % size == 0
        case _:
            return read == written


def check_example(plan, example):
    """The numbers go wrong in buffers, and in the solver's rules, just so."""
    given = given_by(plan, example.contributions)
    assert run(plan, given)[example.device, example.at] == example.got != example.wanted
    assert wanted(plan, given)[example.device][example.at] == example.wanted
    assert evaluated(plan, example.contributions, example.device, example.at) == (example.got, example.wanted)


def check_solved(plan, solved):
    """What the solver gives as numbers goes wrong in buffers, unless it chose what is undefined, too."""
    given = given_by(plan, solved.contributions)
    results = [run(plan, given, seed)[solved.device, solved.chunk] for seed in (1, 2)]
    if results[0] == results[1]:
        assert results[0] != wanted(plan, given)[solved.device][solved.chunk]


def decided(plan, seed, outcomes):
    """One verdict of all three, or none because the plan cannot be run."""
    found = judge(plan)
    if not fits(plan):
        assert isinstance(found, Refuted), plan
        assert found.counter_example.rule not in OF_RUNNING, plan
        assert found.counter_example.example is None
        outcomes["refused"] += 1
        return
    if all(len(group) < 2 for group in plan.goal.groups):
        assert isinstance(found, Refuted)
        outcomes["vacuous"] += 1
        return
    negated = any(step.operation is LocalOperation.NEGATE for step in plan.steps)
    if negated and plan.integers and (plan.goal.average or any(step.divisor > 1 for step in plan.steps)):
        assert isinstance(found, Unknown)
        assert found.reason.startswith("integers are both subtracted and divided")
        outcomes["unknown"] += 1
        return
    outcomes["negated"] += negated
    outcomes["negated and right"] += negated and isinstance(found, Proved)
    solved = difference(plan)
    assert isinstance(solved, Unsat | Sat)
    assert isinstance(found, Proved) == isinstance(solved, Unsat), plan
    if isinstance(found, Proved):
        assert all(reaches(plan, seed + number) for number in range(3)), plan
        outcomes["valid"] += 1
        return
    assert isinstance(found, Refuted)
    assert found.counter_example.rule in OF_RUNNING, plan
    assert (found.counter_example.rule is PlanRule.UNDEFINED) == (found.counter_example.example is None)
    if found.counter_example.example is None:
        assert not reaches(plan, seed), plan
    else:
        check_example(plan, found.counter_example.example)
    check_solved(plan, solved.model)
    outcomes[found.counter_example.rule.name] += 1


@pytest.mark.slow
def test_counting_solver_and_buffers_agree():
    random, outcomes, sizes, ways = Random(4), Counter(), set(), set()
    for number in range(PLANS):
        plan, taken = right_plan(random)
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            plan = damaged(plan, random)
        decided(plan, number, outcomes)
        sizes.add(plan.devices)
        ways |= taken
    assert outcomes["valid"] > PLANS / 3
    assert min(outcomes[rule.name] for rule in OF_RUNNING - {PlanRule.WEIGHT, PlanRule.TRUNCATED}) > PLANS / 100
    assert outcomes["refused"] > PLANS / 20
    assert outcomes["negated"] > PLANS / (10 if is_full() else 12)
    assert outcomes["negated and right"] > PLANS / 20
    if is_full():
        assert (sizes, len(ways)) == (set(range(2, 17)), 14)
    assert len(sizes) > 10
    assert len(ways) > 10


@pytest.mark.slow
@pytest.mark.parametrize("collective", sample(GOAL_COLLECTIVES, 1))
def test_every_goal_with_averages_and_integers(collective):
    random, outcomes, kinds = Random(f"goals with signs {collective}"), Counter(), Counter()
    for number in range(OF_GOALS // len(GOAL_COLLECTIVES)):
        plan, _ = right_plan_for(random, collective, largest=8)
        plan = replace(plan, integers=random.random() < 0.4)
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            plan = damaged(plan, random)
        before = sum(outcomes.values()) - outcomes["refused"]
        decided(plan, number, outcomes)
        if sum(outcomes.values()) - outcomes["refused"] > before:
            divides = any(step.divisor > 1 for step in plan.steps)
            kinds["averages"] += plan.goal.average
            kinds["divided integers"] += plan.integers and divides
            kinds["real divisions"] += divides and not plan.integers
            kinds["zeros"] += bool(plan.zeros)
    least = OF_GOALS / len(GOAL_COLLECTIVES) / 100
    assert outcomes["valid"] > 40 * least
    rare = sorted(outcomes[rule.name] for rule in OF_RUNNING - {PlanRule.COUNTED_TWICE, PlanRule.TRUNCATED})
    assert rare[0 if is_full() else 2] > least, "some rules may not be broken among a few plans"
    assert min(kinds["divided integers"], kinds["real divisions"], kinds["zeros"]) > (5 if is_full() else 1) * least
    averaged = adds_members(collective)
    assert (kinds["averages"] > 10 * least) == averaged
    assert not averaged or outcomes["TRUNCATED"] > least


def test_undamaged_plans_are_right():
    random = Random(11)
    for number in range(100):
        plan, _ = right_plan(random)
        assert fits(plan)
        assert isinstance(judge(plan), Proved)
        assert reaches(plan, number)


@looped("collective", GOAL_COLLECTIVES)
def test_undamaged_plans_reach_their_goal_every_way(collective):
    random, seen = Random(f"right {collective}"), set()
    for number in range(200 if is_full() else 12):
        plan, ways = right_plan_for(random, collective)
        assert fits(plan)
        assert isinstance(judge(plan), Proved), plan
        assert reaches(plan, number)
        seen |= {way for way in ways if way.startswith(collective)}
    assert (
        len(seen)
        == {"AllReduce": 2, "ReduceScatter": 4, "AllGather": 4, "Reduce": 4, "Broadcast": 3, "AllToAll": 3}[collective]
    )
