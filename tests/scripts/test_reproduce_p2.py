"""The paper's measurements: how well a fit predicts rows it has not seen, and what bad tables give."""

import csv
import json
import subprocess
import sys

import pytest
from scripts.loading import SCRIPTS, ran, script_module

from p2smt.problem.system.file import preset_text

ROWS = SCRIPTS / "p2_measurements.csv"


def printed(*arguments):
    """The document that the script prints."""
    done = ran("reproduce_p2", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def times_in(path):
    """The times of a table, least first."""
    names = [f"{what}_{algorithm}_s" for what in ("allreduce", "best") for algorithm in ("ring", "tree")]
    with path.open(encoding="utf-8") as file:
        return sorted(float(row[name]) for row in csv.DictReader(file) for name in names if row[name])


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """All rows, each predicted by a fit to the others: in the full tier.

    In the standard one, the fits to all rows and the predictions of a few rows by the others' notice a changed model.
    """
    folder = tmp_path_factory.mktemp("fitted")
    command = [sys.executable, SCRIPTS / "reproduce_p2.py", "--json", "--write", folder, "--plot", folder / "rows.svg"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), folder


@pytest.mark.thorough  # a stored table; tests/cost/calibration/test_fit.py predicts some of its rows by the others
def test_unseen_experiments_are_predicted_within_the_bounds(document):
    errors, ranks = document[0]["mean_abs_log_error"], document[0]["spearman"]
    bounds = {  # what cost/README.md states, and a tenth more
        "A100": {"ring": (0.040, 0.121), "tree": (0.073, 0.096)},
        "V100": {"ring": (0.046, 0.126), "tree": (0.077, 0.071)},
    }
    for kind, of_kind in bounds.items():
        for algorithm, (allreduce, best) in of_kind.items():
            assert errors[kind][algorithm]["allreduce"] <= allreduce
            assert errors[kind][algorithm]["best"] <= best
    assert ranks["A100"]["all"]["allreduce"] >= 0.985
    assert ranks["V100"]["all"]["allreduce"] >= 0.97


@pytest.mark.thorough  # a stored table; tests/cost/calibration/test_fit.py predicts some of its rows by the others
def test_measured_shares_are_the_papers(document):
    measured = document[0]["improved"]["measured"]
    assert measured["max_speedup"] == pytest.approx(2.04, abs=0.01)
    assert document[0]["placement_effect"]["measured"] == pytest.approx(448.5)
    assert document[0]["improved"]["predicted"]["share"] == pytest.approx(0.625, abs=0.02)


@pytest.mark.thorough  # a stored table; tests/cost/calibration/test_fit.py predicts some of its rows by the others
def test_every_measured_time_has_its_row(document):
    rows = document[0]["rows"]
    assert sorted(row["measured_s"] for row in rows) == times_in(ROWS)
    assert all(row["ratio"] == pytest.approx(row["predicted_s"] / row["measured_s"]) for row in rows)


@pytest.mark.thorough  # stored tables
def test_the_presets_are_what_the_fit_writes_and_the_largest_gain_is_the_papers():
    script = script_module("reproduce_p2")
    cases = script.read_cases(ROWS)
    for kind, name in script.PRESETS.items():
        assert script.fitted_text(kind, script.fitted(cases, kind), ROWS.name) == preset_text(name)
    assert set(script.PRESETS.values()) == {"p2-a100", "p2-v100"}
    assert script.improvement([case.measured for case in cases])["max_speedup"] == pytest.approx(2.04, abs=0.01)


@pytest.mark.thorough  # a stored table; tests/cost/calibration/test_fit.py predicts some of its rows by the others
def test_what_is_written_and_drawn_is_of_all_rows(document):
    for name in ("p2-a100", "p2-v100"):
        assert (document[1] / f"{name}.toml").read_text(encoding="utf-8") == preset_text(name)
    assert "<svg" in (document[1] / "rows.svg").read_text(encoding="utf-8")


@pytest.mark.thorough  # the fit is that of the presets, above
def test_rows_apart_are_predicted_by_a_fit_to_the_others(tmp_path):
    lines = ROWS.read_text(encoding="utf-8").splitlines()
    new, old = tmp_path / "new.csv", tmp_path / "old.csv"
    new.write_text(
        "\n".join([lines[0], *(line for line in lines[1:] if line.startswith("A100,2"))]) + "\n", encoding="utf-8"
    )
    old.write_text(
        "\n".join([lines[0], *(line for line in lines[1:] if line.startswith("A100,4"))]) + "\n", encoding="utf-8"
    )
    drawn = tmp_path / "rows.svg"
    found = printed("--data", str(new), "--fit", str(old), "--write", str(tmp_path), "--plot", str(drawn))
    assert "<svg" in drawn.read_text(encoding="utf-8")
    assert (tmp_path / "p2-a100.toml").read_text(encoding="utf-8") != preset_text("p2-a100")  # fewer rows
    assert found["predicted_by"] == "one fit to all rows of --fit"
    assert {tuple(row["sizes"]) for row in found["rows"]} == {(2, 16)}
    assert all(row["ratio"] == pytest.approx(row["predicted_s"] / row["measured_s"]) for row in found["rows"])
    assert sorted(row["measured_s"] for row in found["rows"]) == times_in(new)
    assert found["mean_abs_log_error"]["A100"]["ring"]["allreduce"] <= 0.06
    assert found["mean_abs_log_error"]["A100"]["tree"]["allreduce"] <= 0.12


@pytest.mark.thorough  # a script for results: what it calls is tested in its room
def test_tables_of_spreadsheets_are_read(tmp_path):
    """A byte order mark, lines that end in CR LF, empty cells, columns of other names."""
    heading = "\ufeff" + ROWS.read_text(encoding="utf-8").splitlines()[0] + ",more"
    table = tmp_path / "rows.csv"
    table.write_bytes(f"{heading}\r\nA100,2,16,32,0,2x16,,,,,,,4.74,,3.18,,7\r\n".encode())
    found = printed("--data", str(table))
    assert [(row["what"], row["measured_s"]) for row in found["rows"]] == [("allreduce", 4.74), ("best", 3.18)]
    assert found["mean_abs_log_error"]["A100"]["tree"] == {"allreduce": None, "best": None}


@pytest.mark.thorough  # a script for results: what it calls is tested in its room
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("allreduce_ring_s", "ring"), "column allreduce_ring_s is missing"),
        (("4.74", "-4.74"), "line 2: allreduce_ring_s -4.74 is not a positive time"),
        (("4.74", "fast"), "line 2: could not convert string to float: 'fast'"),
        (("A100,2,16,32,", "H100,2,16,32,"), "line 2: system 'H100' is unknown; the systems are A100, V100"),
        (("2x16,47", "2x15,47"), "matrix 2x15: row of axis axis0 multiplies to 30, not 32"),
    ],
)
def test_a_bad_table_is_named(tmp_path, monkeypatch, capsys, change, message):
    table = tmp_path / "rows.csv"
    table.write_text(ROWS.read_text(encoding="utf-8").replace(*change, 1), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["reproduce_p2.py", "--data", str(table)])
    assert script_module("reproduce_p2").main() == 2
    done = capsys.readouterr()
    assert done.out == ""
    assert message in done.err
    assert done.err.count("\n") == 1
