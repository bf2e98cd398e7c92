"""Conditions that clash are the fewest: none keeps all of them, and no fewer of those that were given clash."""

import random
from itertools import combinations

import pytest
from command_line import refused
from spmd.joint_problems import cluster
from tiers import is_full

from p2smt.smt.cores import Minimality
from p2smt.spmd.devices.shares import even
from p2smt.spmd.search.clash import clashing
from p2smt.tensor.text.parser import parse_program

STEP = """program step
input x : f32[8, 8]
parameter w : f32[8, 8]
parameter b : f32[8]
scalar lr
y = relu(matmul(x, w) + b)
w_new = update(w, w - lr * matmul(transpose(x, 1, 0), y))
output y
"""
MACHINES = cluster((10**6,) * 4)


def found(*conditions):
    clash = clashing(parse_program(STEP), MACHINES, even(4), conditions)
    assert clash is None or clash.minimality is Minimality.SMALLEST
    return () if clash is None else clash.conditions


def test_two_layouts_of_one_tensor_clash_whatever_is_asked_for_beside():
    assert found("x sliced(0)", "w replicated", "b replicated", "w sliced(0)") == ("w replicated", "w sliced(0)")
    assert found("parameters sliced", "b replicated", "x replicated") == ("parameters sliced", "b replicated")
    assert found("x sliced(0)", "w replicated", "y replicated") == ()
    assert found("lr sliced", "x replicated") == ("lr sliced",)


def test_the_fewest_are_fewest_for_random_conditions():
    rng = random.Random(7)
    every = [
        f"{name} {layout}"
        for name, axes in (("x", 2), ("w", 2), ("b", 1), ("y", 2))
        for layout in ("replicated", *(f"sliced({axis})" for axis in range(axes)))
    ]
    clashes = 0
    for _ in range(12 if is_full() else 4):
        some = rng.sample(every, 4)
        core = found(*some)
        assert set(core) <= set(some)
        clashes += bool(core)
        for fewer in combinations(some, max(len(core) - 1, 0)):
            assert found(*fewer) == ()
    assert clashes > (5 if is_full() else 1)


def test_one_condition_that_cannot_be_kept_is_told_before_two_that_clash():
    """Leaving out one after the other, from the first on, would end with the last two, neither of which can go."""
    assert found("lr sliced", "w replicated", "w sliced(0)") == ("lr sliced",)
    assert found("w replicated", "w sliced(0)") == ("w replicated", "w sliced(0)")


def test_the_command_names_them(tmp_path, capsys):
    path = tmp_path / "step.tp"
    path.write_text(STEP, encoding="utf-8")
    conditions = ("x sliced(0)", "w replicated", "w sliced(0)")
    asked = ["shard", str(path), "--system", "hap-a100-p100"]
    said = refused([*asked, *(word for each in conditions for word in ("--condition", each))], capsys)
    assert said.rstrip().endswith("; relax one of the conditions, the fewest that clash: w replicated, w sliced(0)")


@pytest.mark.parametrize("condition", ["v replicated", "w whole"])
def test_what_cannot_be_read_is_said_as_before(condition, tmp_path, capsys):
    path = tmp_path / "step.tp"
    path.write_text(STEP, encoding="utf-8")
    said = refused(["shard", str(path), "--system", "hap-a100-p100", "--condition", condition], capsys)
    assert "clash" not in said
