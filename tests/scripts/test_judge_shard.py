"""The judge of sharded steps: DDP is what gains are over, and no program that was predicted; the stored report."""

import subprocess
import sys

import pytest
from scripts.loading import SCRIPTS, script_module


def rows(setting, times):
    row = script_module("shard_table").Row
    return [
        row(
            setting=setting,
            model="mlp",
            candidate=name,
            shares="even",
            predicted=predicted,
            communication=0.0,
            seconds=seconds,
            least=seconds,
            most=seconds,
            loss=1.0,
            slowdown=1.0,
        )
        for name, (predicted, seconds) in times.items()
    ]


ONE = {
    "choice": (1.0, 1.0),
    "data parallel, even": (2.0, 2.2),
    "DDP, even": (0.0, 1.8),
    "DDP, proportional": (0.0, 0.5),
}
OTHER = {"choice": (1.0, 1.2), "next best, w": (1.5, 1.0), "DDP, even": (0.0, 2.4)}


def test_gains_are_over_ddp_too_and_ddp_is_no_choice():
    judge = script_module("judge_shard")
    one = judge.judged(rows("a", ONE))
    assert (one.choice, one.programs, one.behind) == ("choice", 2, 1.0)
    assert (one.even, one.ddp_even, one.ddp_proportional) == (2.2, 1.8, 0.5)
    other = judge.judged(rows("b", OTHER))
    assert (other.even, other.ddp_even, other.ddp_proportional) == (None, 2.0, None)
    assert not other.is_right


def test_points_are_what_was_predicted():
    judge = script_module("judge_shard")
    found = judge.summary([*rows("a", ONE), *rows("b", OTHER)])
    assert (found["points"], found["pairs"], found["right"]) == (4, 2, 0.5)
    assert found["gains"]["ddp_even"] == (2, pytest.approx(3.6**0.5), 2.0)
    assert found["gains"]["proportional"] is None
    assert "over torch's DDP, even" in judge.text(found)


def test_what_is_written_behind_the_report_stays(tmp_path):
    judge = script_module("judge_shard")
    found, path = judge.summary([*rows("a", ONE), *rows("b", OTHER)]), tmp_path / "shard.md"
    path.write_text(judge.report(path, found) + "\nWhat it means.\n", encoding="utf-8")
    assert judge.report(path, found) == path.read_text(encoding="utf-8")


@pytest.mark.thorough  # a script for results: what it calls is tested in its room
def test_the_stored_report_is_what_the_stored_table_says():
    done = subprocess.run(
        [sys.executable, SCRIPTS / "judge_shard.py"], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout in (SCRIPTS / "results" / "shard.md").read_text(encoding="utf-8")
    assert "losses of the first step agree: yes" in done.stdout
