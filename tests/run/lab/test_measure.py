"""`p2smt measure` in a real laboratory: right numbers, whole tables, also when it is killed."""

import csv
import os
import signal
import subprocess
import sys
import time

import pytest
from command_line import output

from p2smt.cli.main import run
from p2smt.run.measure.results import read_results

ASKED = [
    "measure",
    "--system",
    "lab:2x2",
    "--axes",
    "4",
    "--reduce",
    "0",
    "--bytes",
    "100kB",
    "--bandwidth",
    "nic=200Mb/s",
]


@pytest.mark.thorough  # the run that is killed and goes on measures too
@pytest.mark.slow
def test_measured_programs_are_kept_and_calibrate_reads_them(lab, tmp_path, capsys):
    path = tmp_path / "table.csv"
    asked = [*ASKED, "--sample", "8", "--id", lab, "--out", str(path)]
    assert "9 of 9 programs measured, 0 were in" in output(asked, capsys)
    rows = read_results(path)
    assert len(rows) == 9
    assert {row.wrong for row in rows} == {0}
    assert all(row.seconds > 0 and row.repeats >= 3 for row in rows)
    before = path.read_bytes()
    assert "0 of 9 programs measured, 9 were in" in output(asked, capsys)
    assert path.read_bytes() == before
    assert run(["calibrate", str(path), "--system", "lab:2x2", "--json", "--out", str(tmp_path / "lab.toml")]) == 0


@pytest.mark.slow
@pytest.mark.thorough  # signals end laboratories in test_cluster.py, a row that is cut off is read in test_results.py
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_killed_in_the_middle_the_next_run_goes_on(lab, tmp_path, number):
    before, after = 8, 12
    path = tmp_path / "table.csv"
    code = "from p2smt.cli.main import main; main()"
    started = subprocess.Popen(
        [sys.executable, "-c", code, *ASKED, "--id", lab, "--out", str(path)],
        env=os.environ | {"P2SMT_TEST_LAB": lab},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 60
    while not path.exists() or len(path.read_text(encoding="utf-8").splitlines()) < before:
        assert started.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    started.send_signal(number)
    started.wait(timeout=60)
    if number == signal.SIGKILL:
        assert run(["lab", "down", lab, "--force"]) == 0
    done = len(
        list(
            csv.DictReader(
                path.read_text(encoding="utf-8")[: path.read_text(encoding="utf-8").rfind("\n") + 1].splitlines()
            )
        )
    )
    assert done >= before - 1
    again = [*ASKED, "--sample", str(after), "--id", lab, "--out", str(path)]
    assert run(again) == 0
    assert len(read_results(path)) >= after
