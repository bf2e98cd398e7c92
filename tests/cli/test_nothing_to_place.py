"""`p2smt optimize` on a step that sends nothing: its time, and no placement."""

import json

import pytest
from command_line import output, refused

STEP = """program quiet
input x : f32[64, 32]
parameter w : f32[32, 128]
y = relu(matmul(x, w))
output y
"""
DISTRIBUTED = """program quiet
mesh device=8
input x : f32[64, 32] sliced(0)
parameter w : f32[32, 128]
y = relu(matmul(x, w))
output y sliced(0)
"""


@pytest.fixture(params=[STEP, DISTRIBUTED], ids=["one device", "distributed"])
def command(request, tmp_path):
    path = tmp_path / "quiet.tp"
    path.write_text(request.param, encoding="utf-8")
    return ["optimize", str(path), "--system", "dgx-h100:1x8"]


def test_a_step_without_collectives_is_answered_with_its_time(command, capsys):
    text = output(command, capsys)
    assert text.splitlines()[1].startswith("quiet: a step takes ")
    assert "it has no collectives, so every placement is equally fast" in " ".join(text.split())
    found = json.loads(output([*command, "--json"], capsys))
    assert found["schedule"]["seconds"] > 0
    assert found["placements"] == []


def test_there_are_no_plans_to_write(command, capsys, tmp_path):
    said = refused([*command, "--plans", str(tmp_path / "plans")], capsys)
    assert said == "program quiet has no collectives, so there are no plans to write; leave --plans out"
    assert not (tmp_path / "plans").exists()


def test_conditions_on_a_placement_that_does_not_matter_are_refused(command, capsys):
    said = refused([*command, "--condition", "device inside gpu"], capsys)
    assert "quiet has no collectives, so all placements are equally fast; drop --condition 'device inside gpu'" in said


def test_what_saves_a_kernel_is_fused_and_written(capsys, tmp_path):
    """`shard` and then `schedule` find this, so that `optimize` must not take longer."""
    path, out = tmp_path / "quiet.tp", tmp_path / "out"
    path.write_text(
        "program quiet\nmesh ranks=8\ninput x : f32[64, 64] sliced(0)\na = relu(x)\nb = a * x\noutput b sliced(0)\n",
        encoding="utf-8",
    )
    asked = ["optimize", str(path), "--system", "dgx-h100:1x8"]
    found = json.loads(output([*asked, "--json"], capsys))["schedule"]
    plain = json.loads(output([*asked, "--json", "--depth", "0"], capsys))["schedule"]
    assert plain["steps"] == []
    assert [step.partition(" = ")[2] for step in found["steps"]] == ["fuse a, b"]
    assert found["seconds"] < plain["seconds"]
    text = output([*asked, "--out", str(out)], capsys)
    assert "fuse a, b" in text
    assert "fuse a, b" in (out / "best.steps").read_text(encoding="utf-8")


def test_a_search_of_schedules_that_was_cut_off_is_no_complete_answer(capsys, tmp_path, monkeypatch):
    path = tmp_path / "quiet.tp"
    path.write_text(
        "program quiet\nmesh ranks=8\ninput x : f32[64, 64] sliced(0)\na = relu(x)\nb = a * x\noutput b sliced(0)\n",
        encoding="utf-8",
    )
    asked = ["optimize", str(path), "--system", "dgx-h100:1x8", "--depth", "3"]
    assert json.loads(output([*asked, "--json"], capsys))["schedule"]["complete"]
    monkeypatch.setattr("p2smt.job.without_collectives.most_schedules", lambda _: 1)
    found = json.loads(output([*asked, "--json"], capsys, code=3))["schedule"]
    assert not found["complete"]
    assert found["searched"]["cut_off"]
    assert "cut off: " in " ".join(output(asked, capsys, code=3).split())
