"""`--goal` on the commands, and the key `goal` of problem files: what is found, said and written is the goal's own."""

import json

import pytest
from command_line import announced, output, refused

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.problem.file import example_text
from p2smt.reduction.plan.file import read_plan

SMALL = ["--system", "node:2,gpu:4", "--axes", "8", "--reduce", "0", "--bytes", "64MB"]
PROGRAMS = {"all-reduce": 93, "reduce-scatter": 3, "all-gather": 5}
"""Programs of at most five instructions over two levels; the paper's count, and two from independent counts."""
GOALS = [goal.hyphenated for goal in Collective]


@pytest.mark.parametrize("goal", GOALS)
def test_what_is_synthesised_is_the_goal(goal, capsys):
    document = json.loads(output(["synth", *SMALL, "--goal", goal, "--json"], capsys))
    assert document["problem"]["goal"] == goal
    assert document["total_programs"] == PROGRAMS.get(goal, document["total_programs"])
    (placement,) = document["placements"]
    assert placement["best"]["cost_s"] <= placement["allreduce_cost_s"]


@pytest.mark.parametrize("goal", ["reduce-scatter", "all-gather"])
def test_half_of_an_all_reduce_moves_half_of_its_bytes(goal, capsys):
    seconds, rings = {}, ["--bytes", "8GiB", "--algorithm", "ring"]
    for name in ("all-reduce", goal):
        document = json.loads(output(["synth", *SMALL, *rings, "--goal", name, "--json"], capsys))
        seconds[name] = document["placements"][0]["allreduce_cost_s"]
    assert seconds[goal] == pytest.approx(seconds["all-reduce"] / 2, rel=0.01)


def test_tables_and_claims_name_the_goal(capsys):
    goal = ["--goal", "reduce-scatter"]
    text = output(["synth", *SMALL, *goal, "--certify"], capsys)
    assert text.splitlines()[1].startswith("reduce-scatter over axis0, 64 MB per device")
    assert "  ReduceScatter  " in next(line for line in text.splitlines() if line.startswith("  #"))
    assert "certified: no ReduceScatter program of at most 5 instructions of grammar full costs less in one" in text
    assert "vs ReduceScatter" in output(["rank", *SMALL, *goal], capsys)
    assert "AllReduce" not in output(["complete", "...", *SMALL, *goal], capsys)


def test_the_file_says_it_and_a_flag_wins(tmp_path, capsys):
    path = tmp_path / "problem.toml"
    path.write_text(example_text().replace('goal = "all-reduce"', 'goal = "all-gather"'), encoding="utf-8")
    from_file = json.loads(output(["rank", str(path), "--json"], capsys))
    assert from_file["problem"]["goal"] == "all-gather"
    flagged = json.loads(output(["rank", str(path), "--goal", "broadcast", "--json"], capsys))
    assert flagged["problem"]["goal"] == "broadcast"


@pytest.mark.parametrize("goal", GOALS)
def test_plans_are_explained_beside_programs_of_their_goal(goal, tmp_path, capsys):
    path = tmp_path / "plan.json"
    assert run(["plan", *SMALL, "--goal", goal, "--out", str(path)]) == 0
    assert read_plan(path).goal == Collective(goal)
    document = json.loads(output(["explain", str(path), "--json"], capsys))
    assert document["goal"] == goal
    assert document["rank"] == 1
    assert document["programs"] == PROGRAMS.get(goal, document["programs"])


def test_reports_are_of_a_goal(tmp_path, capsys):
    out = tmp_path / "report.html"
    arguments = ["report", *SMALL, "--goal", "reduce-scatter", "--out", str(out)]
    assert announced(arguments, capsys).startswith(f"{out}: 3 programs on 1 placement, ")
    drawing = output(["report", *SMALL, "--goal", "all-gather", "--figure", "program", "--out", "-"], capsys)
    assert ">1  AllGather</text>" in drawing


@pytest.mark.parametrize("command", [["synth", *SMALL], ["plan", *SMALL], ["measure", *SMALL, "--out", "never.csv"]])
def test_a_goal_that_is_none_is_refused(command, capsys):
    assert run([*command, "--goal", "gather"]) == 2
    err = capsys.readouterr().err
    assert "Invalid value for '--goal': 'gather' is not one of 'all-reduce', 'reduce-scatter', 'reduce'" in err


@pytest.mark.parametrize("command", [["synth", *SMALL], ["measure", *SMALL, "--out", "never.csv"], ["rank", *SMALL]])
def test_goals_that_add_nothing_up_have_no_programs(command, capsys):
    assert run([*command, "--goal", "all-to-all"]) == 2
    assert "all-to-all does not reduce, so it has no reduction program; use p2smt plan" in capsys.readouterr().err


def test_a_file_with_another_goal_is_refused(tmp_path, capsys):
    path = tmp_path / "problem.toml"
    path.write_text(example_text().replace('goal = "all-reduce"', 'goal = "all-reduec"'), encoding="utf-8")
    assert run(["synth", str(path)]) == 2
    err = capsys.readouterr().err
    assert "goal 'all-reduec' is unknown; choose one of all-reduce, reduce-scatter" in err
    assert "did you mean all-reduce?" in err


def test_a_jobs_search_is_its_files_where_explain_is_not_told(tmp_path, capsys):
    path = tmp_path / "job.toml"
    job = 'system = "2x4"\nreduce = ["a"]\n[[axis]]\nname = "a"\nsize = 8\n[search]\nlimit = 2\n'
    path.write_text(job, encoding="utf-8")
    assert json.loads(output(["explain", str(path), "--json"], capsys))["job"]["limit"] == 2
    assert json.loads(output(["explain", str(path), "--limit", "3", "--json"], capsys))["job"]["limit"] == 3


def test_a_problem_is_explained_without_a_file(tmp_path, capsys):
    """As the plan that `p2smt plan` writes with the same options."""
    problem = ["--system", "node:4,gpu:4", "--axes", "data:16", "--reduce", "data"]
    path = tmp_path / "plan.json"
    for more in ([], ["--bytes", "1MiB", "--limit", "1"]):
        assert run(["plan", *problem, *more, "--out", str(path), "--force"]) == 0
        capsys.readouterr()
        asked = ["--limit", "1"] if more else []
        of_file = json.loads(output(["explain", str(path), "--json", *asked], capsys))
        assert json.loads(output(["explain", *problem, *more, "--json"], capsys)) == of_file
    assert "name a file, or give --system, --axes and --reduce" in refused(["explain"], capsys)
    assert "--axes is not for a file" in refused(["explain", str(path), "--axes", "4"], capsys)
    assert "--tensor is not for" in refused(["explain", *problem, "--tensor", "w"], capsys)
    assert "one placement" in refused(["explain", *problem, "--matrix", "4x4", "--matrix", "4x4"], capsys)
