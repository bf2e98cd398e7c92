"""The emitted communication of training steps: style, names, refusals. What it computes is tested in tests/run."""

import ast
import sys
from dataclasses import replace

import pytest
from emit.emitted import HOSTILE, check_style, no_steps, plan_4x4
from emit.torch.training_parts import all_to_alls, every_goal
from support import problem

from p2smt.emit.torch.training.source import Communication, emit_exchange, emit_training
from p2smt.errors import PlanError
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import parse_matrix
from p2smt.reduction.language.hierarchy import all_to_all_text
from p2smt.reduction.plan.exchange import all_to_all_plan
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.all_to_all import all_to_all_programs


def attributes(text):
    """What the class `Step` has."""
    step = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name == "Step")
    found = [node.attr for node in ast.walk(step) if isinstance(node, ast.Attribute)]
    return [name for name in found if name not in {"ProcessGroup"}]


@pytest.mark.thorough  # the same plans one by one: test_torch_goals.py
def test_files_are_clean_in_the_projects_style_and_in_ruffs_own(tmp_path):
    lonely = Communication(name="x", plan=no_steps())
    texts = [emit_training(every_goal()), emit_training([lonely]), *map(emit_exchange, all_to_alls((2, 2)))]
    assert "CLASSES_" in texts[0]
    check_style(tmp_path, texts)


def test_names_become_attributes_and_break_out_of_nothing(tmp_path):
    parts = [replace(part, name=name, overlap=name) for part, name in zip(every_goal(), HOSTILE, strict=False)]
    twice = [*parts, *(replace(part, name="class") for part in parts[:2]), replace(parts[0], name="a, c")]
    text = emit_training(twice)
    check_style(tmp_path, [text])
    names = attributes(text)
    assert len(set(names)) == len(names) == len(twice)
    assert all(name.isidentifier() and name.isascii() for name in names)
    assert names[-3:] == ["class_2", "class_3", "a_c"]
    tame = ast.parse(emit_training(every_goal()))
    assert [type(node) for node in ast.parse(text).body][:12] == [type(node) for node in tame.body][:12]


def test_the_file_needs_torch_and_the_standard_library_alone():
    tree = ast.parse(emit_training(every_goal()))
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported - {"torch"} <= sys.stdlib_module_names


def test_only_goals_that_are_there_are_emitted():
    text = emit_training(every_goal()[:1])
    assert "class AllReduce(Reduction)" in text
    for absent in ("ReduceScatter(", "plain_send", "_all_to_all", "_send", "self.root"):
        assert absent not in text


def test_plans_of_unlike_placements_or_in_chunks_are_refused():
    first = Communication(name="gradients", plan=plan_4x4())
    with pytest.raises(PlanError, match="the plans are on 2 placements"):
        emit_training([first, Communication(name="x", plan=no_steps())])
    turned = Lowering(problem([4, 4], [8, 2]), parse_matrix("2x4/2x1")).direct
    assert (turned.levels, turned.axes) == (first.plan.levels, first.plan.axes)
    with pytest.raises(PlanError, match="the plans are on 2 placements"):
        emit_training([first, Communication(name="x", plan=turned)])
    with pytest.raises(PlanError, match="gradients is in 4 chunks"):
        emit_training([replace(first, plan=replace(plan_4x4(), chunks=4))])


def test_the_file_is_small_for_65536_devices():
    asked = problem([64, 1024], [65536])
    lowering = Lowering(asked, all_placements(asked).items[0])
    longest = all_to_all_programs(lowering.language, 5)[-1].groupings
    text = emit_exchange(all_to_all_plan(lowering, longest, all_to_all_text(lowering.hierarchy, longest)))
    assert "64 groups of 1024, the first is 0, 1, 2, 3, ...\n" in text
    assert len(text) < 14_000
