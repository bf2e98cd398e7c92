"""The judge of the simulator: what it says of times that it could have predicted, and of others."""

import json
from functools import cache
from random import Random

import pytest
from scripts.loading import SCRIPTS, ran, script_module
from tiers import is_full, sample


def judge(*arguments):
    return ran("judge_simulator", *arguments)


@cache
def experiments():
    """Problems of two shapes of hosts and one of racks, each with pairs to measure and the seconds that gloo takes."""
    from p2smt.cost.network.gloo import GlooCost
    from p2smt.placement.matrix import parse_matrix
    from p2smt.reduction.plan.lower import Lowering
    from p2smt.run.measure.pairs import pairs_of

    found = []
    for sizes, axes in sample([((2, 4), (8,)), ((2, 2), (4,)), ((4, 2), (8,)), ((2, 2, 2), (8,))], 3):
        problem = script_module("lab_experiments").Experiment(sizes, axes, (0,)).problem
        pairs, cost = list(pairs_of(problem, sample=30 if is_full() else 20)), GlooCost(problem.system)
        plans = [pair.plan or Lowering(problem, parse_matrix(str(pair.matrix))).direct for pair in pairs]
        found.append((problem, [(pair, cost.plan_seconds(plan)) for pair, plan in zip(pairs, plans, strict=True)]))
    return found


def table(path, seconds):
    """A table of the experiments, with the seconds that `seconds` says of a predicted time."""
    from p2smt.run.measure.loop import MeasurementLoop
    from p2smt.run.measure.results import Results

    with Results(path) as results:
        for problem, pairs in experiments():
            measuring = MeasurementLoop(problem=problem, timer=None, results=results)
            measuring._first_reference = measuring._reference = 1.0
            measuring.timer = type("Timer", (), {"backend": "gloo", "torch_version": "2.13.0"})()
            for pair, predicted in pairs:
                results.add(measuring._result(pair, [seconds(predicted)] * 3, 0))


@pytest.mark.thorough  # the model is tested in tests/cost
def test_times_of_the_model_itself_are_predicted(tmp_path):
    path = tmp_path / "table.csv"
    table(path, lambda seconds: seconds)
    done = judge(path, "--json", "--report", tmp_path / "judged.md")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["experiments"], found["pairs"], found["wrong_numbers"]) == (4, 4 * 31, 0)
    assert found["top"]["1"] >= 0.75
    assert found["top"]["5"] == 1
    assert found["mean_abs_log_error"] < 0.01
    assert found["spearman"] > 0.999
    assert found["mean_regret"] == pytest.approx(1, abs=1e-3)
    text = (tmp_path / "judged.md").read_text(encoding="utf-8")
    assert text.count("| 2x4, axes 8") == 1
    assert (tmp_path / "judged.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.thorough  # a guard: that the judge measures errors is in the test before
def test_times_that_have_nothing_to_do_with_the_model_are_not(tmp_path):
    path, random = tmp_path / "table.csv", Random(1)
    table(path, lambda seconds: random.uniform(0.05, 0.5))
    found = json.loads(judge(path, "--json").stdout)
    assert found["mean_abs_log_error"] > 0.3
    assert found["mean_regret"] > 1.2


@pytest.mark.thorough  # a script for results: what it calls is tested in its room
def test_a_missing_or_foreign_table_is_one_message(tmp_path):
    done = judge(tmp_path / "none.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a table of measurements" in done.stderr or "has no rows; measure first" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.thorough  # a stored table; golden prices notice another model
def test_the_kept_report_is_what_the_kept_table_gives(tmp_path):
    """Results are never edited by hand. What the judge says is tested above; the golden prices notice another model."""
    done = judge("--report", tmp_path / "lab.md")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "lab.md").read_text(encoding="utf-8") == (SCRIPTS / "results" / "lab.md").read_text(
        encoding="utf-8"
    )
