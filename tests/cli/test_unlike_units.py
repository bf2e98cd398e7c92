"""The commands on units of unlike size: what is found and said, and what is refused in one line."""

import json

import pytest
from command_line import output
from tree_support import programs_by_definition

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.problem.system.tree import Tree

SMALL = ["--system", "node:[3,2]", "--axes", "5", "--reduce", "0"]
BOTH = ["--system", "node:[8,8,4]", "--axes", "data:5,model:4"]


@pytest.mark.parametrize("goal", [Collective.ALL_REDUCE, Collective.BROADCAST])
def test_synth_finds_the_programs_of_the_definition(goal: Collective, capsys: pytest.CaptureFixture[str]) -> None:
    """Every one once, whatever it is called, with groups of real ranks."""
    command = ["synth", *SMALL, "--goal", goal.hyphenated, "--limit", "3", "--all", "--json"]
    document = json.loads(output(command, capsys))
    assert document["problem"]["units"] == [[2], [3, 2]]
    (placement,) = document["placements"]
    assert placement["complete"]
    found = {
        tuple((tuple(map(tuple, step["groups_preview"])), step["collective"]) for step in program["steps"])
        for program in placement["all"]
    }
    ranks = {path: rank for rank, path in enumerate([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)])}
    wanted = {
        tuple(
            (tuple(sorted(tuple(ranks[path] for path in members) for members in groups)), str(collective))
            for groups, collective in program
        )
        for program in programs_by_definition(Tree(((2,), (3, 2))), goal, 3)
    }
    assert len(placement["all"]) == len(found)
    assert found == wanted


def test_rank_lists_the_same_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """47 on five devices, cheapest first."""
    document = json.loads(output(["synth", *SMALL, "--json"], capsys))
    assert document["total_programs"] == 47
    assert "axis0 over 2 nodes x up to 3 gpus of each" in output(["rank", *SMALL], capsys)


@pytest.mark.thorough  # sketches are filled in tests/cli/test_complete.py
def test_complete_fills_a_sketch_and_says_why_none_fits(capsys: pytest.CaptureFixture[str]) -> None:
    """A scatter inside nodes of unlike size is nowhere; masters are."""
    fits = json.loads(output(["complete", "Reduce local; ??; Broadcast local", *SMALL, "--json"], capsys))
    assert [entry["text"] for entry in fits["placements"][0]["top"]] == [
        "(node, InsideGroup, Reduce); (node, Master(root), AllReduce); (node, InsideGroup, Broadcast)"
    ]
    assert run(["complete", "ReduceScatter local; ...", *SMALL]) == 1
    said = capsys.readouterr().out
    assert "no program fits on 2x3: these conditions cannot go together:" in said
    assert "step 1 is local, along gpu" in said


def test_place_says_where_every_device_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty devices: five times four."""
    document = json.loads(output(["place", *BOTH, "--maps", "--json"], capsys))
    assert document["matrices"] == [[[3, 2], [1, 4]]]
    (coordinates,) = document["coordinates_of_device"]
    assert coordinates == [[data, model] for data in range(5) for model in range(4)]
    assert document["device_at_coordinates"] == [{f"({d},{m})": 4 * d + m for d in range(5) for m in range(4)}]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["synth", *SMALL, "--certify"], "certificates use the level algebra, which needs a regular hierarchy, and"),
        (["synth", *SMALL, "--hierarchy", "a"], "programs are searched on hierarchy d, not on a"),
        (["synth", "--system", "node:[8,8,4]", "--axes", "4,5", "--reduce", "0"], "there is no placement of axis0=4"),
        (["synth", "--system", "node:[99,98]", "--axes", "197", "--reduce", "0"], "no engine for larger trees"),
        (
            ["complete", "...", "--system", "node:[9,8]", "--axes", "17", "--reduce", "0"],
            "groups of at most 16 devices",
        ),
        (["complete", "...", *SMALL, "--engine", "explicit"], "cannot complete sketches"),
    ],
)
def test_what_is_refused(command: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, exit code 2."""
    assert run(command) == 2
    said = capsys.readouterr().err
    assert message in " ".join(said.split())
