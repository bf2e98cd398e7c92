"""Rows of one problem: the same figures as `p2smt synth` prints; partial results and failures say so."""

import json
from dataclasses import astuple, replace
from math import prod

import pytest
from command_line import output
from study_support import expanded

from p2smt.errors import InterruptedSearchError
from p2smt.problem.model import Engine
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop
from p2smt.sweep.rows import ResultColumns, RowStatus
from p2smt.sweep.solve import solve, solve_chunk

GRID = """
[[grid]]
systems = ["p2-a100:2x4"]
axes = ["data:4,model:2"]
reduce = ["{}"]
bytes = ["64MiB"]
algorithms = ["{}"]
"""


@pytest.mark.parametrize(
    ("reduce", "algorithm"), [("data", "ring"), ("model", "tree"), ("data,model", "gloo"), ("data", "auto")]
)
def test_rows_say_what_synth_says(tmp_path, capsys, reduce, algorithm):
    (task,) = expanded(tmp_path, GRID.format(reduce, algorithm)).tasks.values()
    outcome = solve(task)
    asked = ["--system", "p2-a100:2x4", "--axes", "data:4,model:2", "--reduce", reduce, "--bytes", "64MiB"]
    said = json.loads(output(["synth", *asked, "--algorithm", algorithm, "--json"], capsys))
    assert (outcome.status, outcome.reason) == (RowStatus.OK, "")
    assert outcome.result.programs == said["total_programs"] == sum(row.programs for row in outcome.placements)
    assert outcome.result.placements == len(said["placements"]) == len(outcome.placements)
    for row, placement in zip(outcome.placements, said["placements"], strict=True):
        assert row.matrix == "/".join("x".join(map(str, axis)) for axis in placement["matrix"])
        assert row.best_program == placement["best"]["text"]
        assert row.best_seconds == pytest.approx(placement["best"]["cost_s"], rel=1e-9)
        assert row.allreduce_seconds == pytest.approx(placement["allreduce_cost_s"], rel=1e-9)
        assert row.wire_seconds == pytest.approx(placement["wire_s"], rel=1e-9)
        assert prod(map(int, row.levels.split("x"))) == (8 if "," in reduce else 4 if reduce == "data" else 2)
    best = min(outcome.placements, key=lambda row: row.best_seconds)
    plain = min(outcome.placements, key=lambda row: row.allreduce_seconds)
    worst = max(outcome.placements, key=lambda row: row.best_seconds)
    ratios = (best.allreduce_seconds, plain.allreduce_seconds, worst.best_seconds)
    assert astuple(outcome.result)[2:] == (
        *(best.matrix, best.best_program, best.best_seconds, best.allreduce_seconds, best.wire_seconds),
        *(plain.matrix, plain.allreduce_seconds, worst.matrix, worst.best_seconds),
        *(pytest.approx(seconds / best.best_seconds, rel=1e-9) for seconds in ratios),
        pytest.approx(best.best_seconds / best.wire_seconds - 1, rel=1e-6),
    )


def test_rows_do_not_depend_on_what_was_solved_before(tmp_path):
    text = GRID.format("data", "ring") + 'grammars = ["full", "paper"]\nlimits = [3, 5]\n'
    tasks = list(expanded(tmp_path, text).tasks.values())
    forwards, backwards = solve_chunk(tasks), solve_chunk(tasks[::-1])
    assert forwards.outcomes == backwards.outcomes[::-1]
    assert len({outcome.task.key for outcome in forwards.outcomes}) == len(tasks) == 4


def test_a_search_that_runs_out_of_time_is_not_a_result_of_none(tmp_path):
    text = "timeout = 1e-9\n" + GRID.format("data", "ring").replace("2x4", "4x2") + "limits = [6]\n"
    (task,) = expanded(tmp_path, text).tasks.values()
    outcome = solve(task)
    assert (outcome.status, outcome.reason) == (RowStatus.STOPPED, "deadline")
    assert outcome.result.best_program is None


def test_longer_programs_that_were_not_looked_for_in_time_leave_no_full_result(tmp_path, monkeypatch):
    """As if the time were over once the programs up to the limit are there."""
    monkeypatch.setattr("p2smt.cost.any_length.GRACE_S", -10_000.0)
    (task,) = expanded(tmp_path, "timeout = 1000\n" + GRID.format("data", "ring")).tasks.values()
    outcome = solve(task)
    assert (outcome.status, outcome.reason) == (RowStatus.STOPPED, "deadline")
    assert outcome.result.best_program is not None


def test_what_an_engine_cannot_take_is_an_error_with_its_reason(tmp_path):
    grid = '[[grid]]\nsystems = ["8x8"]\naxes = ["64"]\nreduce = [0]\nengines = ["bitvec"]\n'
    (task,) = expanded(tmp_path, grid).tasks.values()
    outcome = solve(task)
    assert outcome.status is RowStatus.ERROR
    assert outcome.reason.startswith("engine bitvec keeps a state matrix of 64 x 64 bits")
    assert outcome.result == ResultColumns()
    assert outcome.placements == ()


def test_a_bug_is_an_error_of_one_problem(tmp_path):
    (task,) = expanded(tmp_path, GRID.format("data", "ring")).tasks.values()
    broken = replace(
        task, problem=replace(task.problem, search=replace(task.problem.search, engine=Engine.BITVEC, limit=None))
    )
    found = solve(broken)
    assert found.status is RowStatus.ERROR
    assert found.reason.startswith("TypeError: ")


def test_nothing_to_reduce_takes_no_time_and_has_no_ratio(tmp_path):
    (task,) = expanded(tmp_path, '[[grid]]\nsystems = ["2x4"]\naxes = ["8,1"]\nreduce = [1]\n').tasks.values()
    found = solve(task).result
    assert (found.best_seconds, found.allreduce_seconds, found.speedup) == (0.0, 0.0, None)


def test_an_interrupted_search_is_no_row(tmp_path, monkeypatch):
    (task,) = expanded(tmp_path, GRID.format("data", "ring")).tasks.values()
    synthesize = Synthesizer.synthesize

    def interrupted(*arguments):
        return replace(synthesize(*arguments), stop=Stop.INTERRUPTED)

    monkeypatch.setattr(Synthesizer, "synthesize", interrupted)
    for solved in (solve, lambda one: solve_chunk([one])):
        with pytest.raises(InterruptedSearchError):
            solved(task)


@pytest.mark.parametrize("reason", ["", "gave up", "long " * 200], ids=["none", "short", "long"])
def test_what_the_solver_did_not_decide_is_no_full_result(tmp_path, monkeypatch, reason):
    (task,) = expanded(tmp_path, GRID.format("data", "ring")).tasks.values()
    synthesize = Synthesizer.synthesize

    def undecided(*arguments):
        return replace(synthesize(*arguments), stop=Stop.UNKNOWN, reason=reason)

    monkeypatch.setattr(Synthesizer, "synthesize", undecided)
    found = solve(task)
    assert (found.status, found.reason) == (RowStatus.STOPPED, (f"unknown: {reason}" if reason else "unknown")[:500])
    assert found.placements


def test_a_failure_is_one_short_line(tmp_path, monkeypatch):
    (task,) = expanded(tmp_path, GRID.format("data", "ring")).tasks.values()

    def broken(*_):
        raise MemoryError("no\n  more " * 100)

    monkeypatch.setattr(Synthesizer, "synthesize", broken)
    assert solve(task).reason == ("MemoryError: " + "no more " * 100)[:500]


def test_seconds_and_ratios_have_ten_digits_whatever_was_reduced(tmp_path):
    found = solve(*expanded(tmp_path, GRID.format("data", "ring").replace("64MiB", "4MB")).tasks.values())
    figures = [value for part in (found.result, *found.placements) for value in astuple(part)]
    seconds = [value for value in figures if isinstance(value, float)]
    assert seconds == [float(f"{value:.10g}") for value in seconds]
    nothing = '[[grid]]\nsystems = ["2x4"]\naxes = ["8,1"]\nreduce = [1]\n'
    (idle,) = expanded(tmp_path, nothing).tasks.values()
    found = solve(idle)
    assert {row.levels for row in found.placements} == {"1"}
    assert (found.result.best_matrix, found.result.worst_seconds) == (found.placements[0].matrix, 0.0)
