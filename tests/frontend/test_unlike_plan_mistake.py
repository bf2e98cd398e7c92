"""Plan files for units of unlike size are taken where they are p2smt's own, and refused where they are wrong."""

from dataclasses import replace

from unlike_plans import every_plan, unlike_plan

from p2smt.frontend.plan_mistake import is_own_lowering, plan_mistake
from p2smt.verify.plan_verdict import PlanMistake


def test_own_plans_are_known_with_and_without_their_system():
    for plan in [unlike_plan(), *every_plan("rack:2,node:[2,1],gpu:2", (6,), "2x2x2", limit=2)]:
        assert is_own_lowering(plan)
        assert is_own_lowering(replace(plan, system=None))
        assert plan_mistake(plan) is None


def test_a_wrong_plan_is_executed_and_refused():
    plan = unlike_plan()
    wrong = replace(plan, steps=(plan.steps[0], plan.steps[2]))
    assert not is_own_lowering(wrong)
    assert isinstance(plan_mistake(wrong), PlanMistake)
