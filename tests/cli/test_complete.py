"""`p2smt complete`: the same programs as `p2smt synth` has that fit, what clashes as text, exit codes."""

import json
import re

import pytest
from command_line import output, refused
from support import let_searches_give_up
from tiers import sample

from p2smt.smt.all_answers import OPTIONS

SMALL = ["--system", "4x16", "--axes", "64", "--reduce", "0"]
NAMED = ["--system", "node:4,gpu:16", "--axes", "data:4,model:16", "--reduce", "model", "--bytes", "1GiB"]
SANDWICH = "ReduceScatter local; ??; AllGather local"


def complete(sketch, capsys, *more, code=0, problem=SMALL):
    return output(["complete", sketch, *problem, *more], capsys, code)


def document(sketch, capsys, *more, code=0, problem=SMALL):
    return json.loads(complete(sketch, capsys, "--all", "--json", *more, code=code, problem=problem))


def texts(placement):
    return [(program["text"], program["cost_s"]) for program in placement["all"]]


@pytest.fixture(scope="module")
def everything():
    """What `synth` prints, by the grammar."""
    return {}


MIDDLES = [("??", {3}, 1), ("??*2", {2, 3, 4}, 3), ("...", {2, 3, 4, 5}, 3)]


@pytest.mark.parametrize(
    ("grammar", "middle", "steps", "number"),
    sample([(grammar, *middle) for middle in MIDDLES for grammar in ("full", "paper")], 3),
)
def test_the_programs_are_those_of_enumeration_with_this_first_and_last_step(
    grammar, middle, steps, number, everything, capsys
):
    found = document(SANDWICH.replace("??", middle), capsys, "--grammar", grammar)["placements"][0]
    if grammar not in everything:
        printed = output(["synth", *SMALL, "--grammar", grammar, "--all", "--json"], capsys)
        everything[grammar] = json.loads(printed)
    wanted = [
        (text, cost)
        for text, cost in texts(everything[grammar]["placements"][0])
        if text.startswith("(level0, InsideGroup, ReduceScatter); ")
        and text.endswith("; (level0, InsideGroup, AllGather)")
        and text.count(";") + 1 in steps
    ]
    assert texts(found) == wanted, "and in the order of their cost"
    assert found["programs"] == len(wanted) == number


@pytest.mark.thorough  # tests/reduction/rules/test_completion.py compares with the definition
def test_everything_is_what_synth_finds(capsys):
    found = document("...", capsys, problem=NAMED)
    wanted = json.loads(output(["synth", *NAMED, "--all", "--json"], capsys))
    assert (found.pop("sketch"), found.pop("unfit"), found.pop("conflicts")) == ("...", [], [])
    del found["elapsed_s"], wanted["elapsed_s"]
    of_any_length = [one.pop("best_of_any_length") for one in (*found["placements"], *wanted["placements"])]
    assert of_any_length == [False] * 3 + [True] * 3  # a sketch asks for no longer programs
    assert found == wanted
    assert found["total_programs"] == 189


def test_the_table(capsys):
    text = complete(SANDWICH, capsys)
    lines = text.splitlines()
    assert lines[0] == f"sketch: {SANDWICH}"
    assert lines[1] == "1 program on 1 placement, all up to 5 instructions of grammar full"
    assert "[1] 4x16: 1 of 1 program over levels 4x16" in lines


CLASH = """\
sketch: ReduceScatter local; AllReduce local
no program fits on 4x16: these conditions cannot go together:
  step 1 is ReduceScatter
    without it: PROGRAM
  step 1 is local, along level1
    without it: PROGRAM
  the reduction is complete at the end
    without it: PROGRAM
(no fewer conditions clash; valid programs of up to 7 steps were considered)
"""


def without_programs(text):
    return re.sub(r"without it: .*(\n    \(.*)*", "without it: PROGRAM", text)


def test_what_clashes(capsys):
    assert without_programs(complete("ReduceScatter local; AllReduce local", capsys, code=1)) == CLASH


def test_what_clashes_as_a_document(capsys):
    found = document("AllReduce global; ...; ??", capsys, code=1)
    assert (found["complete"], found["total_programs"]) == (True, 0)
    (conflict,) = found["conflicts"]
    assert (conflict["matrix"], conflict["minimality"], conflict["most_steps"]) == ([[4, 16]], "smallest", 7)
    assert [condition["text"] for condition in conflict["conditions"]] == [
        "step 1 is AllReduce",
        "step 1 is global, along level0,level1",
    ]
    first, second = (condition["without"] for condition in conflict["conditions"])
    assert first.startswith("(root, InsideGroup, ")
    assert "AllReduce)" in second.split("; ")[0]


def test_the_grammar_is_part_of_what_clashes(capsys):
    sketch = "Reduce local; ReduceScatter along level0 among masters; ...; Broadcast local"
    assert document(sketch, capsys)["total_programs"] == 2
    text = complete(sketch, capsys, "--grammar", "paper", code=1)
    assert "\n  grammar paper: masters carry AllReduce only\n    without it: (level0, InsideGroup, Reduce); " in text


def test_the_limit_is_part_of_what_clashes(capsys):
    text = complete("ReduceScatter along level0; ...; Broadcast ??; ??*1", capsys, "--limit", "2", code=1)
    assert "  at most 2 steps in all\n" in text


def test_more_steps_than_any_program_has(capsys):
    assert complete(";".join(["??"] * 6), capsys, code=1) == (
        "sketch: ??; ??; ??; ??; ??; ??\n"
        "no program fits on 4x16: no valid program has 6 or more steps, whatever they are\n"
        "(valid programs of up to 8 steps were considered)\n"
    )


def test_placements_without_the_sketchs_levels_are_named(capsys):
    found = document("AllReduce along node; ...", capsys, problem=NAMED)
    assert found["unfit"] == [{"matrix": [[4, 1], [1, 16]], "reason": "level 'node' is unknown; the levels are gpu"}]
    assert [placement["matrix"] for placement in found["placements"]] == [[[1, 4], [4, 4]], [[2, 2], [2, 8]]]
    text = complete("Reduce along node; AllReduce local", capsys, problem=NAMED, code=1)
    assert text.splitlines()[1:3] == [
        "not on 4x1/1x16: level 'node' is unknown; the levels are gpu",
        "no program fits on 1x4/4x4, 2x2/2x8: these conditions cannot go together:",
    ]


def test_one_placement(capsys):
    found = document("...; AllReduce local", capsys, "--matrix", "4x1/1x16", problem=NAMED)
    assert [placement["matrix"] for placement in found["placements"]] == [[[4, 1], [1, 16]]]
    assert found["total_programs"] == 1


def test_the_cheapest_programs_plan(tmp_path, capsys):
    plan = tmp_path / "plan.json"
    complete("...; AllGather ??", capsys, "--plan", str(plan), problem=NAMED)
    cheapest = document("...; AllGather ??", capsys, problem=NAMED)
    programs = [placement["best"] for placement in cheapest["placements"] if placement["best"]]
    best = min(programs, key=lambda program: program["cost_s"])
    assert json.loads(plan.read_text(encoding="utf-8"))["program"] == best["text"]


def test_a_sketch_in_a_file(tmp_path, capsys):
    path = tmp_path / "sketch.txt"
    path.write_text(
        "# inside a node, across, inside a node\nReduceScatter local;\n\n??  # any one step\nAllGather local\n",
        encoding="utf-8",
    )
    assert document(f"@{path}", capsys)["sketch"] == SANDWICH
    path.write_bytes(b"\xff\xfe")
    assert said(capsys, f"@{path}") == f"{path} is not UTF-8 text; write one sketch into it"
    path.write_text("#" * 64_001, encoding="utf-8")
    assert "is larger than 64000 bytes" in said(capsys, f"@{path}")
    assert "No such file or directory" in said(capsys, f"@{tmp_path / 'none'}")


def said(capsys, sketch, *more, problem=SMALL):
    return refused(["complete", sketch, *problem, *more], capsys)


@pytest.mark.parametrize(
    ("sketch", "more", "message"),
    [
        ("AllReduce along rack", [], "level 'rack' is unknown; the levels are level0, level1"),
        (
            "Allreduce local",
            [],
            "collective 'Allreduce' is unknown; choose one of AllReduce, ReduceScatter, Reduce, "
            "AllGather, Broadcast, or ??",
        ),
        ("??; ??; ??", ["--limit", "2"], "the sketch has 3 steps, but the limit is 2; give --limit 3 or more"),
        (
            "??",
            ["--engine", "bitvec"],
            "engine bitvec cannot complete sketches; leave --engine out, or give --engine levels",
        ),
        ("??", ["--matrix", "2x2"], "matrix 2x2: row of axis axis0 multiplies to 4, not 64; p2smt place lists all"),
        (
            "??",
            ["--timeout", "0"],
            "timeout 0.0 is out of range; give the seconds of the search, more than 0 and at most 1000000",
        ),
    ],
)
def test_bad_input(sketch, more, message, capsys):
    assert said(capsys, sketch, *more) == message


def test_the_limit_grows_with_the_sketch(capsys):
    small = ["--system", "2x2", "--axes", "4", "--reduce", "0"]
    assert document("...", capsys, problem=small)["limit"] == 5
    assert document("??; ??*7; ...", capsys, problem=small)["limit"] == 8
    assert document("??; ??*7; ...", capsys, "--limit", "3", problem=small)["limit"] == 3
    assert document("??*64; ??*64", capsys, "--matrix", "4x1/1x16", problem=NAMED)["limit"] == 64


def test_stopping_early_is_no_result(monkeypatch, capsys):
    let_searches_give_up(monkeypatch, 2)
    found = document("...", capsys, "--matrix", "4x16", code=3)
    assert (found["complete"], found["stopped"], found["total_programs"]) == (False, "unknown", 2)
    monkeypatch.setitem(OPTIONS, "max_conflicts", 1)
    text = complete("...", capsys, "--matrix", "4x16", code=3)
    assert " ".join(text.split()) == (
        "sketch: ... no program found so far, INCOMPLETE "
        "(unknown: programs of 2 levels up to length 5 that fit the sketch: max-conflicts-reached)"
    )


def test_time_up_before_anything_is_known_of_the_clash(monkeypatch, capsys):
    monkeypatch.setattr("p2smt.reduction.rules.conflict.explain_conflict", lambda *_: None)
    sketch = "AllReduce local; AllReduce local"
    assert " ".join(complete(sketch, capsys, code=1).split()) == (
        f"sketch: {sketch} no program fits on 4x16; time was up before it was known which conditions cannot go together"
    )
    (conflict,) = document(sketch, capsys, code=1)["conflicts"]
    assert conflict == {"matrix": [[4, 16]], "conditions": None, "minimality": None, "most_steps": None}
