"""Emitted torch files of every goal: texts, style, what they need. What they compute is tested in tests/run."""

import ast

import pytest
from command_line import golden
from emit.emitted import HOSTILE, check_style, hostile
from paths import ROOT
from support import plans, problem
from tiers import sample

from p2smt.collective import Collective
from p2smt.emit.description import title_of
from p2smt.emit.torch.ddp_source import emit_ddp
from p2smt.emit.torch.goals import words_of
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import PlanError
from p2smt.placement.matrix import parse_matrix
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, Plan

TEMPLATES = ROOT / "p2smt" / "emit" / "torch" / "templates"


def programs(goal: Collective, sizes: tuple[int, ...] = (2, 2, 2)) -> tuple[Plan, ...]:
    return plans(problem(sizes, [2 ** len(sizes)], goal=goal))


def functions(text: str) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("folder", ["call", "compare"])
def test_every_goal_has_its_templates_and_there_are_no_others(folder):
    names = {path.name for path in (TEMPLATES / folder).iterdir()}
    assert names == {f"{goal.underscored}.py.in" for goal in Collective}


def test_the_class_has_a_method_for_every_collective():
    methods = functions((TEMPLATES / "reduction.py.in").read_text(encoding="utf-8"))
    assert methods >= {f"_{collective.underscored}" for collective in Collective}


def test_golden_text_of_a_reduce_scatter():
    asked = problem([4, 4], [8, 2], goal=Collective.REDUCE_SCATTER)
    lowering = Lowering(asked, parse_matrix("4x2/1x2"))
    text = "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), ReduceScatter)"
    golden("torch_reduce_scatter_4x4.py.txt", emit_torch(lowering.plan(read_program(lowering.hierarchy, text))))


@pytest.mark.parametrize("goal", sample(Collective, 2))
def test_emitted_files_are_clean_and_say_what_they_do(goal, tmp_path):
    chosen = programs(goal)[:: 1 if len(programs(goal)) < 100 else 60]
    texts = [emit_torch(plan) for plan in sample(chosen, 2)]
    texts += [emit_torch(hostile(chosen[0], name)) for name in sample(HOSTILE, 1)]
    check_style(tmp_path, texts)
    words = words_of(goal)
    for text in texts:
        docstring = ast.get_docstring(ast.parse(text), clean=False)
        assert docstring.startswith(f"One {title_of(goal)} over 8 devices, as torch.distributed collectives.\n")
        assert words.use in docstring
        assert f"Check it against {words.reference} on one machine" in docstring


@pytest.mark.parametrize("goal", [goal for goal in Collective if goal is not Collective.ALL_REDUCE])
def test_gradients_are_averaged_by_all_reduces_alone(goal):
    with pytest.raises(PlanError) as error:
        emit_ddp(programs(goal, (2, 2))[0])
    assert str(error.value) == (
        f"target ddp averages gradients on all ranks, but the goal of this plan is {goal}; "
        "emit it for torch or jax, or plan an AllReduce"
    )


def test_roots_that_hold_different_amounts_are_told_apart():
    texts = map(emit_torch, programs(Collective.ALL_GATHER))
    told = [text for text in texts if "AMOUNTS_" in text]
    assert len(told) == 4
    text = told[0]
    assert "LEVELS = ((0,), (1,), (2,))\n" in text
    assert "AMOUNTS_4 = {0: 8, 1: 8, 2: 4, 3: 4}\n" in text
    assert "buffer = self._broadcast(buffer, G0, padded // MULTIPLE * self._held(G0, AMOUNTS_4))  # step 4\n" in text
    assert {"device_class", "_held"} <= functions(text)


def test_inputs_are_copied_only_where_steps_write_into_them():
    for goal in (Collective.REDUCE_SCATTER, Collective.ALL_GATHER, Collective.BROADCAST):
        for plan in programs(goal):
            text = emit_torch(plan)
            first = next(step for step in plan.steps if isinstance(step, CollectiveStep))
            assert first.collective not in (Collective.ALL_REDUCE, Collective.REDUCE)
            assert "self._copied(" not in text
            assert ".clone()\n" not in text.partition("def check")[0]
    alone = problem([2, 2], [4, 1], [1], goal=Collective.REDUCE_SCATTER)
    assert "buffer = self._copied(tensor)\n" in emit_torch(plans(alone)[0])
