"""Which results are wrong and why, against one contribution at a time on numbers; and which step is blamed."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from looped import looped
from tiers import examples, is_full
from verify.interpreter import given_by, run, wanted
from verify.random_goals import right_plan_for
from verify.random_plans import all_reduce, damaged, right_plan

from p2smt.collective import Collective
from p2smt.verify.execution import execute
from p2smt.verify.growth import divides, negates
from p2smt.verify.judge import judge
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import PlanRule, mistake_of
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Refuted
from p2smt.verify.wrong_results import WrongResult, WrongResults

ONE = 720720
OF_SHARES = {PlanRule.MISSING, PlanRule.FOREIGN, PlanRule.COUNTED_TWICE, PlanRule.WEIGHT}


def wrong_shares(plan):
    """Every wrong share of every result that is defined: what there is of it, and should be."""
    nothing = given_by(plan, {})
    known = run(plan, nothing, 1) == run(plan, nothing, 2)
    for contributor in range(plan.devices):
        for chunk in range(plan.goal.source.length):
            given = given_by(plan, {(contributor, chunk): ONE})
            got = run(plan, given)
            for device, aims in wanted(plan, given).items():
                for at, aim in enumerate(aims):
                    if known[device, at] and got[device, at] != aim:
                        yield WrongResult(device, at, contributor, chunk), got[device, at], aim


def by_definition(shares, rule):
    """Those of the kind of a rule."""
    if rule is PlanRule.FOREIGN:
        return {here for here, _, aim in shares if aim == 0}
    return {here for here, got, aim in shares if aim != 0 and (got == 0) == (rule is PlanRule.MISSING)}


@pytest.mark.parametrize("collective", Collective)
def test_wrong_results_are_those_of_single_contributions(collective):
    random, seen = Random(f"shares {collective}"), Counter()
    for _ in range(examples(36)):
        plan = right_plan_for(random, collective, largest=6)[0]
        for _ in range(random.choice([1, 2])):
            plan = damaged(plan, random)
        verdict = judge(plan)
        if shape_mistake(plan) or not isinstance(verdict, Refuted) or verdict.counter_example.rule not in OF_SHARES:
            continue
        shares = list(wrong_shares(plan))
        for rule in OF_SHARES:
            defined = by_definition(shares, rule)
            assert set(WrongResults(plan, rule).all()) == defined, (plan, rule)
            seen[rule] += bool(defined)
    assert sorted(seen[rule] for rule in OF_SHARES)[0 if is_full() else 1] > 1, "one may be missing among a few plans"


def test_chunks_that_were_added_together_are_blamed_for_what_is_missing_since():
    """Step 3 adds chunks 0 and 1 on devices 2 and 3, which step 4 leaves out: their contributions lack at last."""
    data, half, wire = BufferRange("data", 0, 2), BufferRange("half", 0, 1), BufferRange("wire", 0, 1)
    steps = [
        VerificationStep(Collective.REDUCE_SCATTER, ((2, 3),), data, half),
        VerificationStep(Collective.ALL_REDUCE, ((2, 3),), half, wire),
        VerificationStep(Collective.ALL_REDUCE, ((0, 1),), data, data),
    ]
    plan = all_reduce(4, {"data": 2, "wire": 1, "half": 1}, [range(4)], steps)
    mistake = mistake_of(judge(plan))
    assert (mistake.rule, mistake.place.step, mistake.place.group) == (PlanRule.MISSING, 2, (2, 3))
    assert mistake.message == (
        "step 2, group [2, 3]: chunks 0, 1 are added together, and data[0] of device 0 lacks the contribution of "
        "device 2 (2 of 4 are missing)"
    )
    alone = mistake_of(judge(replace(plan, steps=(steps[0], steps[2]))))
    assert (alone.rule, alone.place.step, alone.place.group) == (PlanRule.MISSING, 2, (0, 1))


def test_what_is_counted_negatively_or_twice_is_suspected():
    """Of every sum of one chunk that is left, whatever signs were changed: the devices whose count is not 1."""
    random, negative, twice = Random(6), 0, 0
    for _ in range(examples(150)):
        plan = damaged(right_plan(random)[0], random)
        if shape_mistake(plan) or divides(plan) or not negates(plan):
            continue
        outcome = execute(plan)
        known = {(suspect.chunks, suspect.fields) for suspect in outcome.suspects}
        for cells in (cells for held in outcome.cells for cells in held.values()):
            for ((chunk, fields),) in (cell.counts for cell in cells if cell and len(cell.counts) == 1):
                counts = {one: outcome.count(fields, one) for one in outcome.counted(fields)}
                wrong = {one for one, number in counts.items() if number != 1}
                marked = sum(1 << one * outcome.width for one in wrong)
                assert not wrong or ((chunk,), marked) in known
                negative += any(number < 0 for number in counts.values())
                twice += any(number > 1 for number in counts.values())
    assert min(negative, twice) > 10


ALL, X, OTHER, T, NEVER = (
    ((0, 1),),
    BufferRange("x", 0, 1),
    BufferRange("x", 1, 1),
    BufferRange("t", 0, 1),
    BufferRange("u", 0, 1),
)
LEFT = {
    "added to another": ((LocalOperation.ADD, OTHER, X),),
    "alone": (),
    "nothing": ((LocalOperation.NEGATE, X, T), (LocalOperation.ADD, T, X)),
    "undefined": ((LocalOperation.COPY, NEVER, X),),
}
"""What a device does to its first chunk, the most telling first; the second one is reduced as it should be."""


@looped(("telling", "less"), list(combinations(LEFT, 2)))
@looped("device", [0, 1])
def test_of_several_wrong_results_the_most_telling_one_is_blamed(telling, less, device):
    whole = BufferRange("x", 0, 2)
    did = [(device, LEFT[telling]), (1 - device, LEFT[less])]
    steps = tuple(
        VerificationStep(operation, ((one,),), source, target)
        for one, done in did
        for operation, source, target in done
    )
    plan = VerificationPlan(
        devices=2,
        buffers=(("x", 2), ("t", 1), ("u", 1)),
        steps=(*steps, VerificationStep(Collective.ALL_REDUCE, ALL, OTHER, OTHER)),
        goal=Goal(collective=Collective.ALL_REDUCE, groups=ALL, source=whole, target=whole),
    )
    verdict = judge(plan)
    assert isinstance(verdict, Refuted)
    assert (verdict.counter_example.place.device, verdict.counter_example.place.chunk) == (device, 0)
