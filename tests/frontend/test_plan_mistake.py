"""Plan files are taken when they do what they say: against the verdict of verification, for right and wrong ones."""

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from looped import looped
from reduction.plan.test_rank_holdings import run as ran
from reduction.plan.test_rank_holdings import spoiled
from support import problem
from tiers import is_full, sample

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.frontend import plan_mistake as module
from p2smt.frontend.own_plan import verification_plan
from p2smt.frontend.plan_mistake import is_own_lowering, plan_mistake
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import HierarchyKind, Search
from p2smt.reduction.plan.check import check_plan
from p2smt.reduction.plan.execute import execute
from p2smt.reduction.plan.file import plan_text
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Portion
from p2smt.reduction.synth.session import synthesize
from p2smt.verify.check import verify
from p2smt.verify.plan_verdict import PlanMistake, mistake_of
from p2smt.verify.verdict import Proved, Refuted, Unknown

ASKED = [problem([2, 4], [8], limit=3), problem([2, 2, 2], [2, 4], [1], limit=3), problem([4, 2], [4, 2], limit=2)]
SCATTERED = [Collective.REDUCE_SCATTER, Collective.ALL_REDUCE, Collective.ALL_GATHER]


def plans(asked):
    for placed in synthesize(asked).placements:
        lowering = Lowering(asked, placed.matrix)
        yield from map(lowering.plan, placed.programs)


def never(*_):
    raise AssertionError("a plan of p2smt's own is executed")


def test_what_p2smt_lowers_is_taken_at_once(monkeypatch):
    monkeypatch.setattr(module, "judge", never)
    taken = [plan_mistake(plan) for asked in ASKED for plan in plans(asked)]
    assert len(taken) > 50
    assert set(taken) == {None}


@looped(("hierarchy", "collapse"), list(product(HierarchyKind, (True, False))))
def test_it_is_over_levels_of_every_kind(hierarchy, collapse):
    search = Search(limit=2, hierarchy=hierarchy, collapse=collapse)
    asked = replace(ASKED[2], search=search)
    assert all(map(is_own_lowering, plans(asked)))


def test_on_any_number_of_devices(monkeypatch):
    monkeypatch.setattr(module, "judge", never)
    asked = problem([2, 2**29], [2**30], limit=1)
    (plan,) = plans(asked)
    assert plan_mistake(plan) is None
    wrong = replace(plan, steps=())
    mistake = plan_mistake(wrong)
    assert isinstance(mistake, Unknown)
    assert "1073741824 devices" in mistake.reason


def test_the_same_steps_over_other_levels_are_no_lowering_of_the_program():
    """By the levels devices have the classes that steps speak of."""
    for plan in plans(ASKED[1]):
        others = replace(plan, reduction_levels=plan.reduction_levels[::-1])
        assert is_own_lowering(others) == (others == plan)
        assert not is_own_lowering(replace(plan, multiple=2 * plan.multiple))


def test_what_the_judge_does_not_know_is_not_told_as_no_mistake(monkeypatch):
    plan = next(iter(plans(ASKED[0])))
    twice = replace(plan, steps=(*plan.steps, *plan.steps))
    monkeypatch.setattr(module, "judge", lambda _: Unknown("stopped"))
    assert plan_mistake(twice) == Unknown("stopped")


def test_groups_that_reduce_together_are_those_of_the_axes():
    plan = next(iter(plans(ASKED[1])))
    for varying in ((), *((place,) for place in range(len(plan.digits))), tuple(range(len(plan.digits)))):
        assert possible(replace(plan, reduction=GroupRule(varying))) == (varying == plan.reduction.varying)


def changed(plan):
    """The same with one step left out, twice, of another collective, or with other groups; not every one can be."""
    for at, step in enumerate(plan.steps):
        rest = plan.steps[:at], plan.steps[at + 1 :]
        yield replace(plan, steps=(*rest[0], *rest[1]))
        yield replace(plan, steps=(*rest[0], step, step, *rest[1]))
        match step:
            case CollectiveStep(groups=rule):
                for kind in Collective:
                    yield replace(plan, steps=(*rest[0], replace(step, collective=kind), *rest[1]))
                for varying in ((0,), (1,), (0, 1)):
                    zero = tuple(one for one in rule.zero if one not in varying)
                    other = replace(step, groups=GroupRule(varying, zero))
                    yield replace(plan, steps=(*rest[0], other, *rest[1]))
            case PermuteStep():
                pass


def possible(plan):
    try:
        check_plan(plan)
    except PlanError:
        return False
    return True


def test_changed_plans_are_judged_as_verify_judges_them():
    seen = Counter()
    for plan in sample(plans(ASKED[0]), 6):
        for other in filter(possible, changed(plan)):
            verdict = verify(verification_plan(other))
            mistake = plan_mistake(other)
            assert isinstance(verdict, Proved | Refuted)
            assert (mistake is None) == isinstance(verdict, Proved)
            if isinstance(mistake, PlanMistake):
                assert mistake_of(verdict) == mistake
            seen[type(verdict)] += 1
    assert min(seen[Proved], seen[Refuted]) > (20 if is_full() else 10)


def test_a_goal_that_the_plan_does_not_reach_is_a_mistake():
    plan = next(iter(plans(ASKED[0])))
    assert isinstance(plan_mistake(replace(plan, goal=Collective.BROADCAST)), PlanMistake)
    assert all_placements(ASKED[0]).complete


def reordered_for(parts):
    """Scattered, a shard seen as two by two and turned, added up and gathered: wrong however long it is said to be."""
    asked = problem([4, 4], [16])
    plan = next(each for each in plans(asked) if [step.collective for step in each.steps] == SCATTERED)
    turned = PermuteStep((2, 2), (1, 0), Portion(parts))
    return replace(plan, multiple=16, steps=(plan.steps[0], turned, *plan.steps[1:]))


def test_a_step_for_other_lengths_than_ranks_hold_is_refused(tmp_path, capsys):
    assert isinstance(plan_mistake(reordered_for(4)), PlanMistake)
    wrong = reordered_for(1)
    check_plan(wrong)
    given = [np.arange(16.0)] * 16
    assert not np.array_equal(execute(wrong, given)[0], 16 * given[0])
    said = "step 2 is for buffers of 1/1 of the payload, but rank 0 holds 1/4 of it"
    with pytest.raises(PlanError, match=said):
        plan_mistake(wrong)
    path = tmp_path / "plan.json"
    path.write_text(plan_text(wrong), encoding="utf-8")
    for command in (["emit"], ["emit", "--target", "ddp"], ["explain"], ["verify"]):
        assert run([*command, str(path)]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert said in err


def test_what_is_taken_does_what_it_says():
    """Steps changed in every way that a file can be: what is no mistake is right when it is run."""
    dice, taken = random.Random(5), 0
    asked = list(plans(problem([2, 4], [8], limit=3)))
    for other in filter(possible, (spoiled(dice, dice.choice(asked)) for _ in range(150 if is_full() else 75))):
        try:
            mistake = plan_mistake(other)
        except PlanError:
            continue
        if mistake is None and ran(other) is None:  # Reduce leaves something behind, and no result takes it
            assert Collective.REDUCE in [getattr(step, "collective", None) for step in other.steps]
        elif mistake is None:
            taken += 1
            given = [np.random.default_rng(rank).integers(1, 1000, other.multiple) for rank in range(8)]
            assert all(np.array_equal(one, sum(given)) for one in execute(other, given)), other.steps
    assert taken > (10 if is_full() else 5)
