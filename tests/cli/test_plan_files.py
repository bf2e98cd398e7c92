"""Plan files as commands take them: with their own system, and only right ones."""

import json
import shutil
from pathlib import Path

import pytest
from command_line import output

from p2smt.cli.main import run

MADE = ["plan", "--system", "node:4,gpu:4", "--axes", "dp:16", "--reduce", "dp", "--bytes", "1GB"]
LINKS = ["--bandwidth", "node=25Gb/s"]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / "plan.json"
    assert run([*MADE, *LINKS, "--out", str(path)]) == 0
    return path


@pytest.fixture
def plan(written, tmp_path, capsys):
    """The plan in a file of a test's own."""
    capsys.readouterr()
    return Path(shutil.copy(written, tmp_path))


def edited(plan, change):
    document = json.loads(plan.read_text(encoding="utf-8"))
    change(document)
    plan.write_text(json.dumps(document), encoding="utf-8")


def wrong_groups(document):
    document["steps"][1]["groups"]["varying"] = document["steps"][0]["groups"]["varying"]


def explained(plan, capsys, *more):
    assert run(["explain", str(plan), *more, "--json"]) == 0
    said = capsys.readouterr()
    return json.loads(said.out), said.err


def test_a_plan_is_explained_on_the_links_that_it_was_made_for(plan, capsys):
    best = json.loads(output(["synth", *MADE[1:], *LINKS, "--json"], capsys))["placements"][0]
    document, notes = explained(plan, capsys)
    assert notes == ""
    assert document["seconds"] == pytest.approx(best["best"]["cost_s"])
    assert document["allreduce_s"] == pytest.approx(best["allreduce_cost_s"])


def test_what_is_replaced_is_said(plan, capsys):
    document, notes = explained(plan, capsys, "--system", "node:4,gpu:4")
    assert (
        notes == f"p2smt: note: the links of {plan}, links of its own, are replaced by those of --system node:4,gpu:4\n"
    )
    assert document["seconds"] < 0.3


def test_the_same_system_again_is_nothing_to_speak_of(tmp_path, capsys):
    path = tmp_path / "plan.json"
    made = ["--system", "dgx-h100:2x8", "--axes", "16", "--reduce", "0"]
    output(["plan", *made, "--out", str(path)], capsys)
    document, notes = explained(path, capsys, "--system", "dgx-h100:2x8")
    assert (document["system"], notes) == ("dgx-h100", "")
    assert "    system   node=2 x gpu=8 (dgx-h100)\n" in output(["emit", str(path)], capsys)
    assert "are replaced by those of --system node:2,gpu:8" in explained(path, capsys, "--system", "node:2,gpu:8")[1]


def test_a_plan_that_does_not_say_its_links_is_explained_on_default_ones(plan, capsys):
    edited(plan, lambda document: document.update(version=1) or document.pop("network"))
    assert "does not say its links, so default ones are taken" in explained(plan, capsys)[1]
    assert run(["explain", str(plan)]) == 0
    assert "on default links, algorithm auto" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["explain", "emit", "run"])
def test_a_wrong_plan_is_refused(command, plan, capsys):
    edited(plan, wrong_groups)
    assert run(["verify", str(plan)]) == 1
    capsys.readouterr()
    assert run([command, str(plan)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"p2smt: {plan} is not a correct plan: a contribution of another chunk")
    assert err.endswith(f"; `p2smt verify {plan}` shows a counter-example, and --unchecked uses the plan anyway\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["explain", "emit"])
def test_who_insists_gets_it(command, plan, capsys):
    edited(plan, wrong_groups)
    assert output([command, str(plan), "--unchecked"], capsys)


def test_a_right_plan_that_p2smt_does_not_make_is_ranked_by_its_own_time(plan, capsys):
    """One that does the first step's AllReduce of nothing new: an AllReduce of a sum broadcast before."""
    fast, _ = explained(plan, capsys)
    assert (fast["rank"], fast["listed"]) == (1, True)
    edited(plan, lambda document: document["steps"].append(slow_step(document)))
    assert run(["verify", str(plan)]) == 0
    capsys.readouterr()
    slow, _ = explained(plan, capsys)
    assert slow["seconds"] > fast["seconds"]
    assert slow["listed"] is False
    assert slow["rank"] > fast["rank"]
    assert slow["rival"]["seconds"] == pytest.approx(fast["seconds"])
    told = " ".join(output(["explain", str(plan)], capsys).split())
    assert (
        f"not among the {slow['programs']} programs found, {slow['rank'] - 1} of which take less time; better: " in told
    )


def slow_step(document):
    """A Broadcast over everyone of what everyone has."""
    varying = list(range(len(document["matrix"][0])))
    return {
        "kind": "collective",
        "collective": "Broadcast",
        "groups": {"varying": varying, "zero": []},
        "portions": [{"parts": 1, "classes": []}],
    }


def test_explain_begins_with_one_collective(plan, capsys):
    told = " ".join(output(["explain", str(plan)], capsys).split())
    rate = told.partition("one AllReduce: 602 ms, busbw ")[2].partition(" ")[0]
    assert float(rate) == pytest.approx(2 * 15 / 16 / 0.602, rel=1e-3)  # of 16 ranks, as nccl-tests counts it
    assert "GB/s (ring) for 1 GB per device on links of its own, algorithm auto this plan: 489 ms, busbw 3.83" in told
    assert "GB/s, 1.23x as fast; bottleneck node (98 % of the time)" in told
