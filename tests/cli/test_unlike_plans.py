"""A plan for units of unlike size from file to file: lowered, explained, emitted, verified; and what cannot be said."""

from pathlib import Path

import pytest
from command_line import output, refused

SYSTEM = ["--system", "node:[5,3]", "--axes", "8", "--reduce", "0"]
MASTERS = "(node, InsideGroup, Reduce); (node, Master(root), AllReduce); (node, InsideGroup, Broadcast)"


@pytest.fixture
def plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = tmp_path / "plan.json"
    output(["plan", *SYSTEM, "--program", MASTERS, "--out", str(path)], capsys)
    return str(path)


def test_the_plan_is_explained_emitted_and_verified(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = output(["explain", plan, "--limit", "3", "--by-hop"], capsys)
    assert "Reduce among 5 along gpu.axis0" in said
    assert "on units of unlike size they are not looked for" in said
    assert "valid: all 8 results" in output(["verify", plan], capsys)
    for target, name in (("torch", "torch.py"), ("msccl", "m.xml"), ("mscclpp", "m.json")):
        output(["emit", plan, "--target", target, "--out", str(tmp_path / name)], capsys)
    for name in ("m.xml", "m.json"):
        assert "valid" in output(["verify", str(tmp_path / name), "--goal", "all-reduce"], capsys)


def test_what_is_for_units_of_one_size_is_refused(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "which target jax cannot say; emit it for torch" in refused(["emit", plan, "--target", "jax"], capsys)
    report = refused(["report", *SYSTEM], capsys)
    assert "the units of the system are of unlike size, 2x[5,3]; a report draws the cluster" in report
