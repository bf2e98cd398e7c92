"""`scripts/judge_jobs.py`: one table against another, ranks, and constants fitted anew."""

import json

from paths import TESTS
from scripts.loading import script_module

TABLE = TESTS / "job" / "step" / "public_jobs.csv"
script = script_module("judge_jobs")


def test_a_table_is_judged_against_itself(capsys):
    assert script.main(["--fit", str(TABLE), "--judge", str(TABLE), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["rows"] == len(said["runs"]) > 40
    assert said["all"] < 0.1
    assert said["runs"]["mosaic-001"]["measured"] == 16.268
    assert script.main(["--fit", str(TABLE), "--judge", str(TABLE), "--all"]) == 0
    assert "dense 16 bits, rows" in capsys.readouterr().out


def test_rows_of_unknown_devices_are_left_out_and_named(tmp_path, capsys):
    path = tmp_path / "jobs.csv"
    lines = TABLE.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(
        "".join([*lines, lines[1].replace("mosaic-001", "new-1").replace(",H100,", ",X9,")]), encoding="utf-8"
    )
    assert script.main(["--fit", str(TABLE), "--judge", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["left out"].keys() == {"new-1"}
    assert said["left out"]["new-1"].startswith("device 'X9' is unknown; choose one of V100-32")
    assert "new-1" not in said["runs"]


def test_ranks():
    assert script.spearman([3, 1, 2, 2], [30, 10, 20, 20]) == 1.0
    assert script.spearman([1, 2, 3], [3, 2, 1]) == -1.0


def test_corrections_are_written_as_they_are_read(capsys):
    assert script.main(["--fit", str(TABLE), "--corrections"]) == 0
    assert capsys.readouterr().out.count("[[correction]]") == 26
