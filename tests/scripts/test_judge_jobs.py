"""`scripts/judge_jobs.py`: one table against another, ranks, and constants fitted anew."""

import csv
import json
from dataclasses import replace

import pytest
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


def test_ranks_of_families_fall_with_the_spread_of_repeated_runs():
    first, *_ = script.judged_runs(TABLE, {}, every=False)
    runs = [
        replace(
            first,
            name=str(size),
            setting=replace(first.setting, split=replace(first.setting.split, micro_batch=size)),
            seconds=100 + size,
        )
        for size in (1, 2, 4)
    ]
    assert [len(some) for some in script.families(runs).values()] == [3]
    assert script.ceiling(runs, 0.0) == 1.0
    assert 1 > script.ceiling(runs, 0.01) > script.ceiling(runs, 0.05) > 0


def test_splits_stay_within_the_software_of_their_time():
    splits = script_module("judge_splits")
    (run, *_) = [run for run in script.judged_runs(TABLE, {}, every=False) if "bigscience" in run.source]
    fixed = splits.fixed_degrees(run, any_recompute=False)
    assert (fixed.cp, fixed.chunks, fixed.pp, fixed.recompute) == (1, 1, None, run.setting.split.recompute)
    assert fixed.sequence_parallel is False
    assert splits.fixed_degrees(run, any_recompute=True).recompute is None


def test_a_split_is_beaten_by_a_faster_one_of_nearly_the_same_job():
    splits = script_module("judge_splits")
    (run, *_) = [run for run in script.judged_runs(TABLE, {}, every=False) if "bigscience" in run.source]
    setting = run.setting
    split = replace(setting.split, tp=setting.split.tp // 2, dp=setting.split.dp * 2)
    other = replace(run, name="other", setting=replace(setting, split=split), seconds=0.9 * run.seconds)
    fewer = replace(setting.transformer, layers=setting.transformer.layers // 2)
    assert splits.beaten(run, [run, other]) == "other"
    for unlike in (
        replace(other, seconds=0.97 * run.seconds),
        replace(other, framework="another"),
        replace(other, setting=setting),
        replace(other, setting=replace(other.setting, transformer=fewer), seconds=0.3 * run.seconds),
    ):
        assert splits.beaten(run, [run, unlike]) == ""


def test_corrections_are_written_as_they_are_read(capsys):
    assert script.main(["--fit", str(TABLE), "--corrections"]) == 0
    assert capsys.readouterr().out.count("[[correction]]") == 29


def test_tables_of_another_kind_are_refused_in_one_message(tmp_path, capsys):
    """Three scripts read the table: exit code 2, the file, the rule, and no traceback."""
    header, first, *_ = TABLE.read_text(encoding="utf-8").splitlines(keepends=True)
    texts = {
        "empty.csv": b"",
        "heading.csv": header.encode(),
        "bytes.csv": b"\x81\xff\x00",
        "plan.json": b'{"format": "p2smt-plan",\n "version": 1}\n',
        "broken.csv": (header + '"open' + first).encode(),
        "unread.csv": (header + first.replace(",H100,", ",X9,")).encode(),
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    scripts = {"judge_jobs": "--fit", "judge_splits": "--jobs", "splits": "--jobs"}
    for called, option in scripts.items():
        beside = ["--corrections"] if called == "judge_jobs" else []
        for name in [*texts, "none.csv", "."]:
            if (called, name) == ("splits", "unread.csv"):
                continue  # its jobs without a run are printed
            assert script_module(called).main([option, str(tmp_path / name), *beside]) == 2, (called, name)
            said = capsys.readouterr()
            assert (said.out, said.err.count("\n")) == ("", 1), (called, name)
            assert said.err.startswith(f"{called}: ")
            assert str(tmp_path) in said.err


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("tp", "0"),
        ("tp", "1.5"),
        ("layers", "1e999"),
        ("hidden", "0"),
        ("micro_batch", "0"),
        ("vp", "0"),
        ("seq", "-5"),
        ("measured_step_s", "inf"),
        ("measured_step_s", "-4"),
        ("measured_step_s", "nan"),
        ("hidden", "about 4096"),
    ],
)
def test_cells_that_are_no_counts_leave_their_row_out(tmp_path, capsys, column, cell):
    with TABLE.open(encoding="utf-8", newline="") as file:
        first, second, *_ = rows = list(csv.DictReader(file))
    path = tmp_path / "jobs.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows([first | {"id": "bad", column: cell}, second])
    assert script.main(["--fit", str(path), "--judge", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["left out"]["bad"].startswith(f"{column} is {cell}; give a ")
    assert list(said["runs"]) == [second["id"]]
