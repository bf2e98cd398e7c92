"""The script that measures many tensors beside one: what ranks do, what a table says, and what it is refused for."""

import sys

import pytest
from scripts.loading import script_module

from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat

SECONDS = {
    ("emitted", 3): (4.0, 6.0, 5.0),
    ("emitted", 1): (4.0,),
    ("bucket", 3): (10.0,),
    ("bucket", 1): (8.0,),
    ("each", 3): (40.0,),
    ("each", 1): (10.0,),
}


@pytest.fixture(scope="module")
def script():
    return script_module("measure_tensors")


@pytest.mark.thorough  # optimizers on ranks: tests/schedule/emission/test_optimizer.py
@pytest.mark.slow
def test_all_ways_make_the_same_parameters_of_many_tensors_and_of_one(script, tmp_path):
    """On ranks that talk over loopback: five tensors of seven elements, which no rank has evenly."""
    paths = {name: str(tmp_path / f"{name}.py") for name in script.SCHEDULES}
    for name in paths:
        (tmp_path / f"{name}.py").write_text(script.emitted(name, 2), encoding="utf-8")
    setting = script.Setting(2, 100, 5, 7)
    with CallRanks([Seat()] * 2, timeout_s=120.0) as ranks:
        rows = script.rows_of(setting, ranks, paths, turns=1)
    assert len(rows) == 2 * 3 * 2
    assert {(row.optimizer, row.who, row.count) for row in rows} == {
        (name, who, count) for name in script.SCHEDULES for who in script.WHO for count in (5, 1)
    }
    assert {row.setting for row in rows} == {"2 ranks, 100 Mb/s, 5 x 7"}
    assert max(row.apart for row in rows) < 1e-5
    script.write(tmp_path / "t.csv", rows, script.Row)
    assert script.read(tmp_path / "t.csv", script.Row) == rows


def rows_of(script):
    return [
        script.Row(setting="s", optimizer="adamw", who=who, count=count, turn=turn, seconds=seconds * 1e-3, apart=2e-7)
        for (who, count), times in SECONDS.items()
        for turn, seconds in enumerate(times, start=1)
    ]


def test_a_table_says_what_many_take_beside_one_and_the_emitted_beside_the_others(script):
    """Medians: 5 and 4 ms, 10 and 8 ms, 40 and 10 ms."""
    lines = [line.split() for line in script.report(rows_of(script))]
    assert ["s", "AdamW", "emitted,", "slices", "5.0", "ms", "4.0", "ms", "1.25x"] in lines
    assert ["s", "AdamW", "every", "tensor,", "whole", "40.0", "ms", "10.0", "ms", "4.00x"] in lines
    assert ["AdamW", "one", "bucket,", "whole", "1.25x", "2.00x", "as", "fast"] in lines
    assert ["AdamW", "every", "tensor,", "whole", "4.00x", "8.00x", "as", "fast"] in lines
    assert not any(line[:1] == ["LAMB"] for line in lines)


def test_what_is_measured_already_is_left_out_and_judged_anew(script, tmp_path, capsys, monkeypatch):
    """No setting has the name that is asked for, so that nothing is run; unlike parameters are no success."""
    table, page = tmp_path / "t.csv", tmp_path / "t.md"
    script.write(table, rows_of(script), script.Row)
    arguments = ["measure_tensors", "--only", "none", "--out", str(table), "--report", str(page)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert script.main() == 0
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")
    table.write_text(table.read_text(encoding="utf-8").replace("2e-07", "0.5"), encoding="utf-8")
    assert script.main() == 1
    assert "at most 5.0e-01 apart" in capsys.readouterr().out


def test_settings_differ_and_have_names_of_their_own(script):
    assert len({str(each) for each in script.SETTINGS}) == len(script.SETTINGS) == 8
