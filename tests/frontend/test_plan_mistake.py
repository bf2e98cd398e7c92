"""Plan files are taken when they do what they say: against the verdict of verification, for right and wrong ones."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from support import problem

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.frontend import plan_mistake as module
from p2smt.frontend.own_plan import verification_plan
from p2smt.frontend.plan_mistake import is_own_lowering, plan_mistake
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import HierarchyKind, Search
from p2smt.reduction.plan.check import check_plan
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep
from p2smt.reduction.synth.session import synthesize
from p2smt.verify.check import verify
from p2smt.verify.verdict import Invalid, Unknown, Valid

ASKED = [problem([2, 4], [8], limit=3), problem([2, 2, 2], [2, 4], [1], limit=3), problem([4, 2], [4, 2], limit=2)]


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


@pytest.mark.parametrize(("hierarchy", "collapse"), list(product(HierarchyKind, (True, False))))
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
    for plan in plans(ASKED[0]):
        for other in filter(possible, changed(plan)):
            verdict = verify(verification_plan(other))
            mistake = plan_mistake(other)
            assert isinstance(verdict, Valid | Invalid)
            assert (mistake is None) == isinstance(verdict, Valid)
            if isinstance(mistake, Invalid):
                assert (mistake.rule, mistake.place) == (verdict.rule, verdict.place)
            seen[type(verdict)] += 1
    assert min(seen[Valid], seen[Invalid]) > 20


def test_a_goal_that_the_plan_does_not_reach_is_a_mistake():
    plan = next(iter(plans(ASKED[0])))
    assert isinstance(plan_mistake(replace(plan, goal=Collective.BROADCAST)), Invalid)
    assert all_placements(ASKED[0]).complete
