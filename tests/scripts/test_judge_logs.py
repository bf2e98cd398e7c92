"""`scripts/judge_logs.py`: presets, fits and their errors on public tables of bus bandwidth."""

import subprocess

import pytest
from scripts.loading import script_module

from p2smt.problem.system.text import find_system

script = script_module("judge_logs")
TABLES = script.public_tables()


def test_presets_agree_with_public_tables_at_the_largest_message():
    assert len(TABLES) == 19
    ratios = {}
    for table in TABLES:
        system = find_system(table.system)
        last = script.measured(table, system)[-1]
        ratios[table.system, table.test] = script.by_preset(last, system) / last.seconds
    assert {name: ratio for name, ratio in ratios.items() if not 0.8 <= ratio <= 1.2} == {}


def test_a_table_is_read_as_it_stands():
    for table in TABLES:
        rows = script.measured(table, find_system(table.system))
        assert [one.size for one in rows] == [size for size, _ in table.rates]
        assert [one.busbw for one in rows] == pytest.approx([rate for _, rate in table.rates], rel=0.01)


@pytest.mark.thorough  # test_table_fit.py fits tables of the same kinds
def test_fits_agree_with_public_tables(capsys):
    script.print_fitted(TABLES)
    said = capsys.readouterr().out
    assert "within 10 %: 19 of 19" in said
    assert "at most 25 %: 19 of 19" in said


def test_logs_are_taken_from_clones(tmp_path, capsys):
    clone = tmp_path / "aws-samples" / "aws-efa-eks"
    clone.mkdir(parents=True)
    (clone / "README.md").write_text(next(one.text for one in TABLES if one.system == "aws-p4d:2x8"), encoding="utf-8")
    git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Add"]):
        subprocess.run([*git, *words], check=True)
    assert script.main(["--clones", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "| aws-samples/aws-efa-eks README.md | aws-p4d:2x8 | ring | 1." in said
    assert "within 10 %: 1 of 1" in said
