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
    assert "valid: all 8 output chunks" in output(["verify", plan], capsys)
    for target, name in (("torch", "torch.py"), ("msccl", "m.xml"), ("mscclpp", "m.json")):
        output(["emit", plan, "--target", target, "--out", str(tmp_path / name)], capsys)
    for name in ("m.xml", "m.json"):
        assert "valid" in output(["verify", str(tmp_path / name), "--goal", "all-reduce"], capsys)


def test_what_is_for_units_of_one_size_is_refused(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "which target jax cannot express; emit it for torch" in refused(["emit", plan, "--target", "jax"], capsys)


def test_reports_show_the_devices_that_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page, and every figure alone; of a placement and a program given."""
    page = tmp_path / "report.html"
    output(["report", *SYSTEM, "--out", str(page)], capsys)
    assert "node 2 × gpu [5,3]" in page.read_text(encoding="utf-8")
    for figure in ("cluster", "program", "ranking", "sensitivity"):
        own = {"cluster": ["--matrix", "2x5"], "program": ["--program", MASTERS]}.get(figure, [])
        drawing = tmp_path / f"{figure}.svg"
        output(["report", *SYSTEM, "--figure", figure, *own, "--out", str(drawing)], capsys)
        assert "<svg" in drawing.read_text(encoding="utf-8")
    assert "2 groups of 3 or 5 along gpu.axis0" in (tmp_path / "program.svg").read_text(encoding="utf-8")
