"""Tables of what was measured: written as they are read, empty cells and missing columns too."""

from dataclasses import dataclass

import pytest
from scripts.loading import SCRIPTS, script_module

TABLES = {"measure_schedules": ("schedules.csv",), "measure_shard": ("shard.csv",), "measure_tensors": ("tensors.csv",)}


@dataclass(frozen=True)
class Line:
    name: str
    times: int = 0
    seconds: float = 0.0


def test_lines_are_read_as_they_were_written(tmp_path):
    table = script_module("result_table")
    lines = [Line("two\nlines, and a comma"), Line("", 3, 0.25), Line("0", 0, 1e-9)]
    table.write(tmp_path / "t.csv", lines, Line)
    assert table.read(tmp_path / "t.csv", Line) == lines


def test_columns_that_a_table_lacks_are_empty(tmp_path):
    (tmp_path / "t.csv").write_text("times\n4\n", encoding="utf-8")
    assert script_module("result_table").read(tmp_path / "t.csv", Line) == [Line("", 4)]


def test_no_table_has_no_lines(tmp_path):
    assert script_module("result_table").read(tmp_path / "none.csv", Line) == []


@pytest.mark.thorough  # stored tables
@pytest.mark.parametrize("script", TABLES)
def test_stored_tables_are_written_as_they_are_read(script, tmp_path):
    table, (name,) = script_module("result_table"), TABLES[script]
    kind = script_module(script).Row
    table.write(tmp_path / name, table.read(SCRIPTS / "results" / name, kind), kind)
    assert (tmp_path / name).read_bytes() == (SCRIPTS / "results" / name).read_bytes()


@pytest.mark.parametrize(("judge", "others"), [("judge_shard", "schedules.csv"), ("judge_schedules", "shard.csv")])
def test_a_file_that_is_no_table_of_its_settings_is_said_in_a_line(judge, others, tmp_path, monkeypatch, capsys):
    """Also where it is one of other settings, with columns of the same names."""
    (tmp_path / "other.csv").write_text("name,size\nmlp,4\n", encoding="utf-8")
    for path in (tmp_path / "other.csv", SCRIPTS / "results" / others):
        monkeypatch.setattr("sys.argv", [judge, str(path)])
        assert script_module(judge).main() == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith(f"{judge}: {path} has no rows of a setting; measure first")
        assert said.err.count("\n") == 1
