"""`p2smt calibrate --operations`: a device fitted to a table, judged on rows, kept; what is refused."""

import json

import pytest
from command_line import output, refused
from paths import ROOT

from p2smt.cli.main import run
from p2smt.problem.system.device_models import device_models
from p2smt.problem.system.file import read_system

KINDS = ("matmul", "add", "launch_add")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    lines = (ROOT / "scripts" / "h100_operations.csv").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines[1:] if line.split(",")[0] in KINDS]
    path = tmp_path_factory.mktemp("operations") / "rows.csv"
    path.write_text("\n".join([lines[0], *kept, ""]), encoding="utf-8")
    return path


def test_a_device_is_fitted_judged_and_kept(table, tmp_path, capsys):
    out = tmp_path / "mine.toml"
    document = json.loads(output(["calibrate", "--operations", str(table), "--judge", str(table), "--json"], capsys))
    assert set(document["kinds"]) == set(KINDS)
    assert document["mean_abs_ln"] < 0.15
    text = output(["calibrate", "--operations", str(table), "--system", "dgx-h100:1x2", "--out", str(out)], capsys)
    assert "what operations reach" in text
    assert "not measured, taken as they were: overlap_loss 0.1, which needs two devices" in " ".join(text.split())
    (model,) = device_models(read_system(out))
    assert model.name == "h100-measured"
    assert model.peak("bfloat16") == 989e12
    assert "matmul" in output(["calibrate", "--system", str(out), "--judge", str(table)], capsys)
    written = json.loads(
        output(["calibrate", "--operations", str(table), "--out", str(out), "--force", "--json"], capsys)
    )
    assert written["device"]["name"] == device_models(read_system(out))[0].name == "measured"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--judge", "TABLE"], "--judge needs a model; give --operations FILE.csv to fit one, or --system SYSTEM"),
        (["--operations", "TABLE", "--speeds"], "drop --speeds"),
        (
            ["--operations", "TABLE", "--system", "mixed-29"],
            "has several kinds of devices (a100, v100, t4, p100, rtx3090)",
        ),
        (["--operations", "nowhere.csv"], "cannot read nowhere.csv"),
        ([], "--system is missing; give a preset or a system file (`p2smt system` lists"),
    ],
)
def test_what_cannot_be_fitted(arguments, said, table, capsys):
    assert said in refused(["calibrate", *(each.replace("TABLE", str(table)) for each in arguments)], capsys)


def test_operations_are_measured_here(monkeypatch, tmp_path, capsys):
    from p2smt.run.measure import operations

    cases = [
        operations.OperationCase(kind, "float32", shape) for kind, shape in (("matmul", (8, 8, 8)), ("add", (64,)))
    ]
    monkeypatch.setattr(operations, "operation_cases", lambda *, cuda: iter(cases))
    monkeypatch.setattr(operations, "_LAUNCHES", 2)
    out = tmp_path / "here.toml"
    assert run(["calibrate", "--operations", "--out", str(out)]) == 0
    assert "device here: 7 rows" in capsys.readouterr().out
    assert device_models(read_system(out))[0].name == "here"
