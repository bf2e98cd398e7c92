"""The paper's experiments on ranks of torchrun: a table that `calibrate` and judge_simulator.py read."""

import csv
import os
import subprocess
import sys

import pytest
from paths import ROOT
from scripts.loading import script_module

experiments = script_module("measure_p2").experiments


def test_experiments_are_those_of_the_papers_appendix():
    """Its 2 x 16 A100 and 4 x 8 V100; of three axes it has some."""
    with (ROOT / "scripts" / "p2_experiments.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        axes = tuple(map(int, row["axes"].split("x")))
        reduced = tuple(map(int, row["reduce"].split("+")))
        assert (axes, reduced) in set(experiments(int(row["nodes"]), int(row["gpus_per_node"]))), row


@pytest.mark.thorough  # starts four processes through torchrun; `measure --torchrun` is tested in tests/cli
def test_four_ranks_are_measured_and_calibrate_reads_the_table(tmp_path):
    table, script = tmp_path / "measured.csv", str(ROOT / "scripts" / "measure_p2.py")
    measure = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4", script]
    options = ["--system", "node:2,gpu:2", "--bytes", "64kB", "--sample", "2", "--most", "2", "--budget", "0.2"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run([*measure, *options, "--out", str(table)], check=True, timeout=300, env=environment)
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["axes"] for row in rows} == {"4", "2,2"}
    assert {row["wrong"] for row in rows} == {"0"}
    calibrate = [sys.executable, "-m", "p2smt", "calibrate", "--system", "node:2,gpu:2", str(table)]
    subprocess.run([*calibrate, "--force", "--out", str(tmp_path / "fitted.toml")], check=True, timeout=120)
    assert (tmp_path / "fitted.toml").is_file()
