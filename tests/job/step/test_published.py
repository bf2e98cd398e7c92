"""The step-time model against public runs: a few of every device, precision and framework."""

from math import exp, log
from pathlib import Path
from statistics import fmean

import pytest

from p2smt.errors import ProblemError
from p2smt.job.step.correction import Corrections, fit_corrections, known_corrections
from p2smt.job.step.published import read_published
from p2smt.job.step.step_time import step_time
from p2smt.problem.transformer.memory import split_memory

TABLE = Path(__file__).parent / "public_jobs.csv"
RUNS = list(read_published(TABLE))


def error(run):
    return log(step_time(run.setting).seconds * known_corrections().factor(run.group) / run.seconds)


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
    found = fit_corrections([(one, 0.3)] * 4 + [(two, 0.3)] * 4 + [(("H100", "fp8", "titan"), -0.3)] * 4)
    assert found.factor(("B200", "bf16", "megatron")) > 1.2
    assert found.factor(("B200", "fp8", "titan")) < found.factor(("B200", "bf16", "megatron"))
    assert found.factor(one) == pytest.approx(exp(0.3), rel=0.02)
    assert Corrections({}).factor(one) == 1.0


def test_the_shipped_corrections_are_those_of_their_group():
    assert 0.5 < known_corrections().factor(("H100", "bf16", "torchtitan (FSDP2)")) < 2
    assert len(known_corrections().groups) == 26


def test_a_table_that_lacks_a_column_is_refused(tmp_path):
    path = tmp_path / "jobs.csv"
    path.write_text("id,measured_step_s\na,1\n", encoding="utf-8")
    with pytest.raises(ProblemError, match=r"line 2: KeyError\('layers'\); columns are those of public_jobs.csv"):
        list(read_published(path))
