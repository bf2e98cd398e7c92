"""The emitted DDP file: golden text, hostile names, style. What it computes is tested in tests/run."""

import ast
import sys

import pytest
from command_line import below_origin, golden
from emit.emitted import HOSTILE, PROGRAM, check_style, hostile
from forked_ranks import on_ranks
from support import problem
from tiers import is_full, sample

from p2smt.emit.torch.ddp_source import emit_ddp
from p2smt.emit.torch.source import emit_torch
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import parse_matrix
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.file import plan_text
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan

PERMUTING = (
    "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), ReduceScatter); (root, InsideGroup, AllGather)"
)


def plan_2x2(text: str = PROGRAM) -> Plan:
    lowering = Lowering(problem([2, 2], [4]), parse_matrix("2x2"))
    return lowering.plan(read_program(lowering.hierarchy, text))


def subset(sizes: list[int], axes: list[int]) -> Plan:
    asked = problem(sizes, axes)
    return Lowering(asked, all_placements(asked).items[0]).direct


def test_golden_text():
    golden("ddp_2x2.py.txt", emit_ddp(plan_2x2()))


@pytest.mark.parametrize("name", sample(HOSTILE, 2), ids=HOSTILE.index)
def test_no_name_breaks_out_of_the_docstring(name):
    tame = ast.parse(emit_ddp(hostile(plan_2x2(), "tame")))
    wild = ast.parse(emit_ddp(hostile(plan_2x2(), name)).encode())
    assert [ast.dump(node) for node in wild.body[1:]] == [ast.dump(node) for node in tame.body[1:]]


def test_emitted_files_are_clean_in_the_projects_style_and_in_ruffs_own(tmp_path):
    plans = [
        plan_2x2(),
        plan_2x2(PERMUTING),
        subset([2, 2], [2, 2]),
        subset([64, 64], [1, 4096]),
        *(hostile(plan_2x2(), name) for name in sample(HOSTILE, 2)),
    ]
    check_style(tmp_path, map(emit_ddp, plans))


def definitions(text: str) -> dict[str, str]:
    named = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef | ast.FunctionDef))
    return {node.name: ast.unparse(node) for node in named}


@pytest.mark.parametrize("program", [PROGRAM, PERMUTING])
def test_the_reduction_is_that_of_the_torch_target(program):
    torch, ddp = definitions(emit_torch(plan_2x2(program))), definitions(emit_ddp(plan_2x2(program)))
    assert ddp["Reduction"].replace("        self.lane = Lane()\n", "") == torch["Reduction"]
    assert torch.keys() < ddp.keys()
    for name in torch.keys() - {"Reduction", "check", "main"}:
        assert ddp[name] == torch[name]
    for name in ("ddp_hook", "register", "average_gradients", "reduction_group"):
        assert name in ddp


def test_the_docstring_says_who_averages():
    whole, part = emit_ddp(plan_2x2()), emit_ddp(subset([2, 4], [2, 4]))
    assert "\nAll ranks average together, so process_group may also be left out.\n" in whole
    assert "\nRanks average together in 4 groups of 2. " in part


def test_the_file_needs_torch_and_the_standard_library_alone():
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for node in ast.walk(ast.parse(emit_ddp(plan_2x2())))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported - {"torch"} <= sys.stdlib_module_names


def test_the_command_writes_it(tmp_path, capsys):
    from p2smt.cli.main import run

    (tmp_path / "plan.json").write_text(plan_text(plan_2x2()), encoding="utf-8")
    assert run(["emit", str(tmp_path / "plan.json"), "--target", "ddp", "--out", str(tmp_path / "hook.py")]) == 0
    golden("ddp_2x2.py.txt", below_origin((tmp_path / "hook.py").read_text(encoding="utf-8")))
    assert run(["emit", str(tmp_path / "plan.json"), "--target", "mpi"]) == 2
    assert "'torch', 'ddp'" in capsys.readouterr().err


@pytest.mark.thorough  # the hook reduces on ranks in tests/run/local/test_ddp.py
@pytest.mark.slow
def test_the_file_alone_checks_itself(tmp_path):
    few = emit_ddp(subset([2], [2]))
    wrong = few.replace("in REDUCTION[0]))\n    return", "in REDUCTION[0]) + 1)\n    return")
    right, count = (emit_ddp(plan_2x2(PERMUTING)), 4) if is_full() else (few, 2)
    said = on_ranks(tmp_path, {"right.py": (right, count), "wrong.py": (wrong, 2)})
    printed, codes = said["right.py"]
    assert (printed.strip().partition("): ")[2], codes) == ("equal those of plain DDP", [0] * count)
    printed, codes = said["wrong.py"]
    assert (printed.strip().partition("): ")[2], codes) == ("WRONG: 120 gradients differ", [1] * 2)
