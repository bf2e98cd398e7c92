"""What `rank` and `explain` print: tables as golden text, documents by what they must agree on."""

import json
from itertools import pairwise

import pytest
from command_line import golden, output
from tiers import sample

from p2smt.cli.main import run

CLUSTER = ["--system", "p2-a100:4x16", "--axes", "4,16", "--reduce", "1", "--bytes", "8GiB"]


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.json"
    flags = "--system p2-v100:4x8 --axes 4,8 --reduce 1 --bytes 8GiB --matrix 2x2/2x4"
    assert run(["plan", *flags.split(), "--out", str(path)]) == 0
    return str(path)


def trimmed(text):
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def test_rank_table(capsys):
    golden("rank_4x16.txt", trimmed(output(["rank", *CLUSTER, "--top", "8"], capsys)))


def test_rank_document(capsys):
    document = json.loads(output(["rank", *CLUSTER, "--top", "200", "--json"], capsys))
    assert (document["complete"], document["placements"], document["total_programs"]) == (True, 3, 189)
    ranked = document["programs"]
    assert len(ranked) == 189
    assert [one["cost_s"] for one in ranked] == pytest.approx(sorted(one["cost_s"] for one in ranked))
    for one, after in pairwise(ranked):
        tied = after["cost_s"] == pytest.approx(one["cost_s"], rel=1e-9)
        assert (after["rank"] == one["rank"]) == tied
    assert ranked[-1]["rank"] <= 189


def test_rank_best_of_every_placement(capsys):
    document = json.loads(output(["rank", *CLUSTER, "--best", "--json"], capsys))
    assert [one["matrix"] for one in document["programs"]] == [[[4, 1], [1, 16]], [[2, 2], [2, 8]], [[1, 4], [4, 4]]]


def test_rank_prefers_other_programs_with_trees(capsys):
    ring, tree = (
        json.loads(output(["rank", *CLUSTER, "--best", "--json", "--algorithm", name], capsys))["programs"]
        for name in ("ring", "tree")
    )
    assert ring[0]["text"] == "(root, InsideGroup, AllReduce)"
    assert tree[0]["text"] == "(root, InsideGroup, ReduceScatter); (root, InsideGroup, AllGather)"


def test_rank_writes_the_winners_plan(tmp_path, capsys):
    path = tmp_path / "best.json"
    output(["rank", *CLUSTER, "--plan", str(path)], capsys)
    assert json.loads(path.read_text(encoding="utf-8"))["matrix"] == [[4, 1], [1, 16]]


def test_explain_text(plan, capsys):
    golden("explain_v100.txt", trimmed(output(["explain", plan, "--system", "p2-v100"], capsys)))


PARTS = ("links", "latency", "launch", "memory", "cores")


def test_explain_document(plan, capsys):
    document = json.loads(output(["explain", plan, "--system", "p2-v100", "--json"], capsys))
    assert document["rank"] == 1
    assert sum(step["seconds"] for step in document["steps"]) == pytest.approx(document["seconds"])
    assert sum(document["causes_s"].values()) == pytest.approx(document["seconds"])
    assert document["bottleneck"] == max(document["causes_s"], key=document["causes_s"].get)
    for step in document["steps"]:
        assert step["seconds"] == pytest.approx(sum(step[f"{cause}_s"] for cause in PARTS))
        slowest = max(step["loads"], key=lambda load: load["seconds"])
        assert slowest["link"] == step["busiest_link"]
    assert document["rival"]["seconds"] >= document["seconds"]


@pytest.mark.parametrize(("system", "algorithm"), sample([("dgx-h100:2x8", "ring"), ("4x4", "auto")], 1))
def test_winners_change_where_explain_says(system, algorithm, tmp_path, capsys):
    """Just below and just above every turn, the program named there is the cheapest of all."""
    base = ["--system", system, "--axes", "16", "--reduce", "0", "--algorithm", algorithm]
    path = str(tmp_path / "plan.json")
    assert run(["plan", *base, "--bytes", "1GiB", "--out", path]) == 0
    winners = json.loads(output(["explain", path, "--system", system, "--algorithm", algorithm, "--json"], capsys))[
        "winners"
    ]
    assert len(winners) > 1
    for before, after in pairwise(winners):
        for factor, expected in ((0.97, before["text"]), (1.03, after["text"])):
            size = str(4 * round(factor * after["from_bytes"] / 4))
            best = json.loads(output(["rank", *base, "--bytes", size, "--top", "9", "--json"], capsys))["programs"]
            assert expected in [one["text"] for one in best if one["rank"] == 1]


def test_explain_wants_a_system_with_the_plans_levels(plan, capsys):
    assert run(["explain", plan, "--system", "p2-a100"]) == 2
    assert capsys.readouterr().err == (
        "p2smt: the plan is for levels node:4,gpu:8, but the system has node:4,gpu:16; "
        "give a system with the levels of the plan\n"
    )


def test_a_plan_without_steps_is_explained(tmp_path, capsys):
    path = str(tmp_path / "plan.json")
    assert run(["plan", "--system", "1", "--axes", "1", "--reduce", "0", "--out", path]) == 0
    assert output(["explain", path], capsys).startswith("no step: nothing has to be moved for 1 GiB per device")
    document = json.loads(output(["explain", path, "--json"], capsys))
    assert (document["bottleneck"], document["steps"], document["seconds"]) == (None, [], 0)


@pytest.fixture
def late(monkeypatch):
    """Whatever --timeout is given, it has passed before the first search."""
    for command in ("explain", "report", "optimize"):
        monkeypatch.setattr(f"p2smt.cli.commands.{command}.deadline_after", lambda timeout: timeout and 0.0)


@pytest.mark.usefixtures("anew")
def test_an_explanation_that_has_no_time_is_partial_and_says_so(plan, late, capsys):
    args = ["explain", plan, "--system", "p2-v100"]
    document = json.loads(output([*args, "--timeout", "1", "--json"], capsys, code=3))
    whole = json.loads(output([*args, "--json"], capsys))
    assert (whole["complete"], whole["stopped"], whole["best_of_any_length"]) == (True, "exhausted", True)
    assert (document["complete"], document["stopped"], document["best_of_any_length"]) == (False, "deadline", False)
    assert (document["winners"], document["programs"]) == (None, 0)
    for key in ("seconds", "steps", "allreduce_s", "causes_s"):
        assert document[key] == whole[key]
    text = " ".join(output([*args, "--timeout", "1"], capsys, code=3).split())
    assert "INCOMPLETE (deadline): there may be more programs within the limit" in text
    assert "no other program was found in time" in text
    assert "was not worked out in time; allow a longer --timeout" in text


@pytest.mark.usefixtures("anew")
def test_an_explained_job_that_has_no_time_is_partial_and_says_so(late, tmp_path, capsys):
    path = str(tmp_path / "job.toml")
    assert run(["example", "job", "--out", path]) == 0
    assert "stopped (deadline)" in output(["explain", path, "--timeout", "1"], capsys, code=3)


@pytest.mark.usefixtures("anew")
def test_a_report_that_has_no_time_is_written_and_partial(late, tmp_path, capsys):
    path = tmp_path / "report.html"
    base = ["report", "--system", "2x4", "--axes", "8", "--reduce", "0", "--out", str(path), "--force"]
    output([*base, "--timeout", "1"], capsys, code=3)
    assert "INCOMPLETE (deadline" in path.read_text(encoding="utf-8")
    output(base, capsys)
    assert "INCOMPLETE" not in path.read_text(encoding="utf-8")
