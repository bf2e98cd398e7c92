"""Emitted files for units of unlike size: their style, and their groups, which are those of the plan."""

import pytest
from emit.emitted import HOSTILE, check_style, hostile
from support import refused
from unlike_plans import every_plan, unlike_plan

from p2smt.collective import Collective
from p2smt.emit.jax.source import emit_jax
from p2smt.emit.msccl.source import emit_msccl
from p2smt.emit.mscclpp.source import emit_mscclpp
from p2smt.emit.torch.ddp_source import emit_ddp
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import PlanError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.frontend.mscclpp.plan import parse_mscclpp
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.verify.check import verify
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import Proved


def with_permutations():
    return [
        plan for plan in every_plan("rack:2,node:[2,1],gpu:2", (6,), "2x2x2") if "rank in RANKS" in emit_torch(plan)
    ]


def test_files_keep_the_projects_style(tmp_path):
    plans = [unlike_plan(), hostile(unlike_plan(), HOSTILE[0]), *with_permutations()]
    plans += [*every_plan("node:[8,8,4]", (5, 4), "3x2/1x4", Collective.BROADCAST, limit=2)]
    check_style(tmp_path, [*map(emit_torch, plans), emit_ddp(plans[0])])


def test_groups_of_the_file_are_those_of_the_plan():
    for plan in [unlike_plan(), *every_plan("node:[8,8,4]", (5, 4), "3x2/1x4", limit=2)]:
        source = emit_torch(plan)
        functions = source[source.index("UNITS = ") : source.index("def make_groups")].replace(
            "reduce_scatter_single", "#"
        )
        lines = [line for line in functions.splitlines() if not line.startswith(("#", "all_gather_single"))]
        names = {"Iterator": list, "Ranks": tuple, "Rule": tuple}
        exec("\n".join(lines), names)
        rules = dict.fromkeys(step.groups for step in plan.steps if isinstance(step, CollectiveStep))
        assert names["WORLD"] == plan.devices
        for rule in [*rules, plan.reduction]:
            assert [*names["groups_of"]((rule.varying, rule.zero))] == [*plan.groups(rule)]


def test_the_text_says_the_units_and_the_groups():
    source = emit_torch(unlike_plan())
    assert "system   node=2 x gpu=[5,3]" in source
    assert "2 groups of 3 or 5, the first is 0, 1, 2, 3, 4" in source
    assert "buffer.div_(8)" in emit_ddp(unlike_plan())


def test_jax_has_no_groups_of_unlike_size_and_says_so():
    said = refused(lambda: emit_jax(unlike_plan()), PlanError)
    assert said == "the plan is for the irregular hierarchy 2x[5,3], which target jax cannot express; emit it for torch"


def test_schedules_for_msccl_do_the_reduction():
    for plan in every_plan("node:[3,2]", (5,), "2x3", limit=2):
        schedule = parse_msccl(emit_msccl(plan).encode(), "m.xml", AskedGoal(collective=Collective.ALL_REDUCE))
        assert isinstance(schedule, VerificationPlan)
        assert isinstance(verify(schedule), Proved), plan.program
        execution = parse_mscclpp(emit_mscclpp(plan).encode(), "m.json")
        assert isinstance(execution, VerificationPlan)
        assert isinstance(verify(execution), Proved), plan.program


@pytest.mark.parametrize("emit", [emit_msccl, emit_mscclpp])
def test_one_file_is_not_for_communicators_of_unlike_size(emit):
    (plan, *_) = every_plan("node:[8,8,4]", (5, 4), "3x2/1x4", Collective.BROADCAST, limit=2)
    assert plan.groups(plan.reduction).count > 1
    with pytest.raises(
        PlanError,
        match=", but one file serves all communicators; emit it for torch",
    ):
        emit(plan)
