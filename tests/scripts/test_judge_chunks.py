"""The judge of plans in chunks: gains by turns, which of them were foretold, and the stored report."""

from scripts.loading import SCRIPTS, ran, script_module
from support import refused

from p2smt.errors import MeasureError

PROGRAM = "(root, InsideGroup, AllReduce)"


def rows(setting, chunks, predicted, seconds):
    row = script_module("measure_chunks").Row
    return [row(setting, PROGRAM, chunks, predicted, turn, each, 0) for turn, each in enumerate(seconds, start=1)]


def test_a_gain_is_the_median_of_turns():
    """The machine takes three times as long in the second turn: turn by turn, chunks take half as long all the same."""
    judge = script_module("judge_chunks")
    measured = [*rows("a", 1, 1.0, [1.0, 3.0, 1.0]), *rows("a", 4, 0.8, [0.5, 1.5, 0.5])]
    (gain,) = judge.gains(measured)
    assert (gain.chunks, gain.measured, gain.predicted) == (4, 2.0, 1.25)
    assert gain.agrees


def test_losses_and_gains_are_counted_apart():
    judge = script_module("judge_chunks")
    measured = [
        *rows("a", 1, 1.0, [1.0] * 3),
        *rows("a", 2, 0.9, [1.2] * 3),
        *rows("a", 4, 1.2, [1.3] * 3),
        *rows("b", 1, 1.0, [1.0] * 3),
        *rows("b", 2, 0.8, [0.8] * 3),
        *rows("b", 4, 1.0, [1.01] * 3),
    ]
    found = judge.summary(judge.gains(measured))
    assert (found["settings"], found["points"]) == (2, 4)
    assert found["losses_foretold"] == (1, 2)
    assert found["gains_foretold"] == (1, 1)
    assert found["right_side"] == 0.75
    assert (found["proposed_gain"], found["proposed_lose"]) == ((1, 2), (1, 2))
    assert [row["chosen"]["chunks"] for row in found["rows"]] == [2, 2]


def test_a_report_keeps_what_was_written_behind_its_block(tmp_path):
    judge = script_module("judge_chunks")
    table = [*rows("a", 1, 1.0, [1.0] * 3), *rows("a", 2, 0.9, [1.2] * 3), *rows("a", 4, 0.5, [0.5] * 3)]
    found = judge.summary(judge.gains(table))
    page = tmp_path / "chunks.md"
    assert judge.report(page, found).endswith("```\n")
    page.write_text("# Old\n\n```\nstale\n```\n\nNotes stay.\n", encoding="utf-8")
    assert judge.report(page, found).endswith(f"{judge.text(found)}\n```\n\nNotes stay.\n")
    assert "stale" not in judge.report(page, found)


def test_what_calls_take_of_cores_is_fitted_to_the_rows_of_one_machine(tmp_path):
    lab = script_module("lab_processors")
    table = tmp_path / "table.csv"
    rows = [lab.Row("2x4", PROGRAM, 16, 4000, cores, 0.5, 0.4, 0.6, 0) for cores in (2, 4)]
    for some, machines in ((rows, 2), ([], 0)):
        lab.write(table, some, lab.Row)
        assert lab.read(table, lab.Row) == some
        said = refused(lambda: lab.fitted_processors(table, None), MeasureError)
        assert f"has rows of {machines} machines" in said


def test_the_stored_report_is_what_the_stored_table_says():
    done = ran("judge_chunks")
    assert done.returncode == 0, done.stderr
    assert done.stdout in (SCRIPTS / "results" / "chunks.md").read_text(encoding="utf-8")
    assert "of 33 settings" in done.stdout


def test_a_table_that_is_not_there_is_told(tmp_path):
    done = ran("judge_chunks", tmp_path / "none.csv")
    assert done.returncode == 2
    assert "measure first" in done.stderr
