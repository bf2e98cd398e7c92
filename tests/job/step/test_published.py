"""The step-time model against public runs: a few of every device, precision and framework."""

import csv
from math import exp, log
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from p2smt.errors import ProblemError
from p2smt.job.step.correction import Corrections, fit_corrections, known_corrections
from p2smt.job.step.published import read_published
from p2smt.job.step.step_time import step_time
from p2smt.problem.transformer.memory import split_memory
from p2smt.problem.transformer.split import Recompute

TABLE = Path(__file__).parent / "public_jobs.csv"
RUNS = list(read_published(TABLE))


def error(run):
    return log(step_time(run.setting).seconds * known_corrections().factor(run.kept_group) / run.seconds)


def test_steps_are_as_long_as_published():
    judged = [run for run in RUNS if run.complete]
    assert len(judged) > 40
    plain, other = ([abs(error(run)) for run in judged if run.is_plain is kind] for kind in (True, False))
    assert fmean(plain) < 0.06
    assert fmean(other) < 0.15


def test_tables_of_narayanan_are_reproduced_without_having_been_fitted():
    """Tables 1 and 2 of Narayanan et al. 2021 (tensor and pipeline parallelism), 1.7 B to 1 T parameters."""
    errors = {run.name: error(run) for run in RUNS if run.name.startswith("narayanan") and not run.complete}
    assert len(errors) >= 9
    assert fmean(map(abs, errors.values())) < 0.06
    assert max(map(abs, errors.values())) < 0.13


def test_memory_is_within_12_percent_of_what_was_published():
    held = [run for run in RUNS if run.memory is not None]
    assert len(held) >= 6
    for run in held:
        needed = split_memory(run.setting.transformer, run.setting.split, run.setting.footprint).total
        assert abs(log(needed / run.memory)) < log(1.12), run.name


def test_a_group_without_runs_takes_after_its_kin():
    one, two = ("H100", "bf16", "megatron"), ("A100", "bf16", "megatron")
    found = fit_corrections([(one, 0.3)] * 60 + [(two, 0.3)] * 60 + [(("H100", "fp8", "titan"), -0.3)] * 60)
    assert found.factor(("B200", "bf16", "megatron")) > 1.1
    assert found.factor(("B200", "fp8", "titan")) < found.factor(("B200", "bf16", "megatron"))
    assert found.factor(one) == pytest.approx(exp(0.3), rel=0.02)
    assert Corrections({}).factor(one) == 1.0


def test_effects_solve_the_ridge_regression():
    """The effects against a linear solve of the normal equations."""
    groups = [("a", "x", "f"), ("b", "x", "f"), ("a", "y", "f"), ("a", "x", "g")]
    values, runs, holds = np.array([0.4, 0.1, -0.2, 0.3]), np.array([3, 50, 7, 20]), (0.5, 40, 20, 0.5)
    levels = [[(), (group[2],), group[1:], group] for group in groups]
    names = sorted({level for some in levels for level in some})
    design = np.array([[float(name in some) for name in names] for some in levels])
    hold = np.diag([holds[len(name)] for name in names])
    effects = np.linalg.solve(design.T @ np.diag(runs) @ design + hold, design.T @ (runs * values))
    found = Corrections(dict(zip(groups, zip(values.tolist(), runs.tolist(), strict=True), strict=True)))
    for group, row in zip(groups, design, strict=True):
        assert log(found.factor(group)) == pytest.approx(row @ effects, abs=0.01)


def test_rows_are_read_as_people_write_them_or_left_out_with_the_reason(tmp_path):
    with TABLE.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        row = next(one for one in reader if one["gpu"] == "H100" and one["tokens_per_s_per_gpu"])
    changed = [
        {},
        {"gpu": "H100-SXM5-80GB", "precision": "MXFP8", "recompute": "full (uniform)", "framework": "unheard of"},
        {"measured_step_s": ""},
        {"gpu": "TPU v5p"},
        {"precision": "int4"},
        {"tp": "512", "gpus": "8"},
        {"global_batch": ""},
        {"hidden": "about 4096"},
        {"measured_step_s": "", "tokens_per_s_per_gpu": ""},
    ]
    path = tmp_path / "jobs.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, reader.fieldnames)
        writer.writeheader()
        writer.writerows(row | change | {"id": str(number)} for number, change in enumerate(changed))
    left_out = {}
    first, second, third = read_published(path, left_out=left_out)
    assert second.group == ("H100", "fp8", "unheard of")
    assert second.setting.split.recompute is Recompute.FULL
    assert third.seconds == pytest.approx(first.seconds, rel=0.01)
    assert list(left_out) == ["3", "4", "5", "6", "7", "8"]
    assert "device 'TPU v5p' is unknown" in left_out["3"]
    assert left_out["5"] == "tp 512 x pp 1 x cp 1 need more than 8 devices; correct gpus or the split"
    assert left_out["6"] == "the cell is empty: global_batch"
    with pytest.raises(ProblemError, match="line 5"):
        list(read_published(path))


def test_the_shipped_corrections_are_those_of_their_group():
    assert 0.5 < known_corrections().factor(("H100", "bf16", "torchtitan (FSDP2)")) < 2
    assert len(known_corrections().groups) == 31


def test_a_table_that_lacks_a_column_is_refused(tmp_path):
    path = tmp_path / "jobs.csv"
    path.write_text("id,measured_step_s\na,1\n", encoding="utf-8")
    with pytest.raises(ProblemError, match="no column 'layers'; its columns have to be those of tests/job/step/public"):
        list(read_published(path))
