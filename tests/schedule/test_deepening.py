"""A search without a depth goes on as far as its effort, its time or the schedules go, and says why it stopped."""

import json
import time

import pytest
from command_line import output, refused
from paths import ROOT

from p2smt.cost.network.backend import cost_of
from p2smt.errors import ProgramError
from p2smt.job.schedules import tune_schedule
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import on_ranks
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.explained_words import extent_text
from p2smt.schedule.tuner.request import DEEPEST, EFFORT, LEAST_DEPTH, TuningRequest
from p2smt.schedule.tuner.search import tune
from p2smt.tensor.text.file import read_program
from p2smt.tensor.text.parser import parse_program

SMALL = """program small
input x : f32[64, 1048576] partial(+)
parameter b : f32[1048576]
sum = AllReduce(x)
y = relu(sum + b)
output y
"""


def machine(system):
    return Machine(cost_of(find_system(system)))


def small():
    return on_ranks(parse_program(SMALL), 4)


def request(**given):
    usual = {"depth": None, "most": 9, "top": 1, "memory": None, "deadline": None, "programs": False}
    return TuningRequest(**(usual | given))


@pytest.mark.parametrize(
    ("asked", "depth", "left", "judged", "stopped"),
    [
        (request(), LEAST_DEPTH - 1, 1, EFFORT, None),
        (request(), LEAST_DEPTH, 1, EFFORT, "the effort of a search without a depth was spent"),
        (request(), LEAST_DEPTH, 1, EFFORT - 1, None),
        (request(), 1, 0, 3, "no schedule is left to follow"),
        (request(), DEEPEST, 1, 0, ""),
        (request(depth=5), 4, 1, 10 * EFFORT, None),
        (request(depth=5), 5, 1, 0, ""),
        (request(effort=None), LEAST_DEPTH, 1, 10 * EFFORT, None),
    ],
)
def test_where_a_search_stops(asked, depth, left, judged, stopped):
    assert asked.stop(depth, left, judged) == stopped


@pytest.mark.thorough  # a small program is deepened below; this is the paper's
def test_the_best_schedule_of_a_pipeline_needs_more_moves_than_three():
    """CoCoNet's best schedule of figure 8, which a depth of 3 does not reach."""
    program = read_program(ROOT / "p2smt/schedule/examples/pipeline.tp")
    shallow, found = (tune(program, machine("dgx-h100:2x16"), depth, top=1, programs=False) for depth in (3, None))
    assert found.depth > 3
    assert found.found[0].estimate.seconds < 0.9 * shallow.found[0].estimate.seconds
    assert found.stopped
    assert not shallow.stopped


def test_a_search_that_was_deepened_finds_what_one_of_that_depth_finds():
    deepened = tune(small(), machine("dgx-h100:1x4"), programs=False)
    asked = tune(small(), machine("dgx-h100:1x4"), deepened.depth, programs=False)
    assert [each.schedule for each in deepened.found] == [each.schedule for each in asked.found]
    assert deepened.tried == asked.tried


def test_the_end_of_a_given_time_is_no_failure_and_says_what_was_left():
    found = tune(small(), machine("dgx-h100:1x4"), programs=False, effort=None, deadline=time.monotonic())
    assert (found.cut_off, found.depth) == ("", 0)
    assert found.stopped == "the time was over"
    assert "some of more, until the time was over" in extent_text(found)
    hard = tune(small(), machine("dgx-h100:1x4"), programs=False, deadline=time.monotonic())
    assert (hard.cut_off, hard.stopped) == ("the time was over", "")


def test_a_time_can_be_given_and_not_beside_a_depth(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.tp").write_text(SMALL, encoding="utf-8")
    search = ["schedule", "small.tp", "--ranks", "4", "--system", "dgx-h100:1x4", "--json"]
    found = json.loads(output([*search, "--budget", "1us"], capsys))
    assert (found["cut_off"], found["stopped"]) == (None, "the time was over")
    assert "both limit the search; give one of them" in refused([*search, "--budget", "30s", "--depth", "2"], capsys)
    assert "write one such as" in refused([*search, "--budget", "soon"], capsys)
    assert "out of range" in refused([*search, "--budget", "0s"], capsys)
    (tmp_path / "steps").write_text("", encoding="utf-8")
    assert "--steps are proved" in refused([*search, "--steps", "steps", "--budget", "3s"], capsys)


def test_a_time_can_be_given_in_python():
    found = tune_schedule(small(), "dgx-h100:1x4", seconds=1e-6)
    assert (found.cut_off, found.stopped) == ("", "the time was over")
    with pytest.raises(ProgramError, match="both limit the search; give one of them"):
        tune_schedule(small(), "dgx-h100:1x4", seconds=1, depth=2)
