"""Explanations of shardings: what another layout costs is what a search under that condition finds, and adds up."""

from dataclasses import replace

import pytest
from looped import looped

from p2smt.cli.output.explain_sharding import print_sharding_explained
from p2smt.errors import ProblemError
from p2smt.problem.system.text import find_system
from p2smt.spmd.model.conditions import parse_conditions
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.reading.explanation import explain_sharding
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.layout import Partial, Replicated, Sliced
from p2smt.tensor.text.parser import parse_program

STEP = parse_program("""program step
input x : f32[64, 16]
parameter w : f32[16, 32]
parameter v : f32[32, 16]
h = relu(matmul(x, w))
y = matmul(h, v)
output y
""")
PAIR, FOUR = find_system("node:1,gpu:2"), find_system("node:2,gpu:2")
SLOW = ShardingRequest(speed=10.0**9)


def test_every_other_layout_costs_what_a_search_under_its_condition_finds():
    (w, h) = explain_sharding(STEP, PAIR, SLOW, tensors=["w", "h"]).tensors
    others = {Replicated(): "replicated", Sliced(0): "sliced(0)", Sliced(1): "sliced(1)", Partial(): "partial"}
    answer = shard_program(STEP, PAIR, SLOW)
    for each, able in ((w, 3), (h, 3)):  # a sum is never left before relu, so h is no summand
        layouts = {other.layouts for other in each.alternatives}
        assert each.layouts not in layouts
        assert len(layouts) == able - 1
        for other in each.alternatives:
            text = f"{each.name} {others[other.layouts[0]]}"
            assert other.condition == f"{text} on device"
            alone = shard_program(STEP, PAIR, replace(SLOW, conditions=(text,), baselines=False))
            assert other.candidate.program == alone.program
            assert other.difference.slower == alone.account.time - answer.account.time
    assert [each.condition for each in h.impossible] == ["h partial on device"]
    assert w.why.startswith("with any other layout that fits a step takes at least")


def test_on_a_mesh_it_is_said_that_one_axis_changes(capsys):
    """Under a condition on one axis those on others are searched again: every other layout is under some condition."""
    (w,) = (explanation := explain_sharding(STEP, FOUR, replace(SLOW, mesh="2,2"), tensors=["w"])).tensors
    print_sharding_explained(explanation)
    said = " ".join(capsys.readouterr().out.split())
    assert "other layouts on one axis, those on other axes and all else searched again" in said
    axes = {each.condition.rpartition(" ")[2] for each in (*w.alternatives, *w.impossible)}
    assert axes == {"rows", "columns"}


def test_differences_add_up_and_name_what_differs():
    explanation = explain_sharding(
        STEP, FOUR, replace(SLOW, mesh="2,2"), instead=["w sliced(1) on columns", "w replicated"]
    )
    assert explanation.axes == ("rows", "columns")
    graph = graph_of(STEP)
    for each in explanation.instead:
        unlike, first, second = each.difference, explanation.answer.account, each.candidate.account
        moved = sum(change.slower for change in unlike.collectives)
        assert moved == second.communication - first.communication
        assert moved + unlike.computing[1] - unlike.computing[0] == unlike.slower == second.time - first.time
        assert unlike.memory == (max(first.memory), max(second.memory))
        assert all(one != other for one, other in (change.layouts for change in unlike.layouts))
        assert [change.is_stored for change in unlike.layouts] == sorted(
            (change.is_stored for change in unlike.layouts), reverse=True
        )
        assert parse_conditions([each.condition], graph, explanation.axes)
    by_name = {change.name: change.layouts for change in explanation.instead[0].difference.layouts}
    assert "w" not in by_name or "sliced(1) on columns" in by_name["w"][1]


def test_a_program_against_itself_differs_in_nothing_on_any_mesh():
    for mesh in (None, "2,2"):
        request = replace(SLOW, mesh=mesh, baselines=False)
        found = shard_program(STEP, FOUR, request).program
        same = explain_sharding(found, FOUR, request, against=found).against
        assert (same.difference.slower, same.difference.layouts, same.difference.collectives) == (0, (), ()), mesh
        assert same.difference.only == (0, 0)
    searched = explain_sharding(STEP, FOUR, SLOW, against=shard_program(STEP, FOUR, SLOW).program)
    assert searched.against.difference.slower == 0
    assert searched.tensors == ()


WRONG = {
    "no tensor": (STEP, {"tensors": ["q"]}, "'q' is not a tensor of the program"),
    "no condition": (STEP, {"instead": ["w sliced(7)"]}, "w has the shape"),
    "distributed, nothing beside": ("found", {}, "is already distributed, so nothing is searched; give another one to"),
    "distributed, a tensor": (
        "found",
        {"tensors": ["w"]},
        "is already distributed, so nothing is searched; give another one to",
    ),
    "of another mesh": ("found", {"against": "other"}, "the two must be equal"),
    "a broadcast": ("found", {"against": "sent"}, "has a Broadcast, which p2smt shard does not price"),
    "no result": ("found", {"against": "wrong"}, "is not a valid distributed program"),
}
SENT = "program s\nmesh device=2\ninput x : f32[4] on_rank(0)\ny = Broadcast(x, 0)\noutput y\n"


@looped("name", WRONG)
def test_what_cannot_be_explained_is_said(name):
    programs = {
        "found": shard_program(STEP, PAIR, replace(SLOW, baselines=False)).program,
        "other": shard_program(STEP, FOUR, replace(SLOW, baselines=False)).program,
        "sent": parse_program(SENT),
        "wrong": parse_program("program p\nmesh a=2\ninput x : f32[4] partial(+)\ny = relu(x)\noutput y\n"),
    }
    program, asked, said = WRONG[name]
    asked = {key: programs.get(value, value) if isinstance(value, str) else value for key, value in asked.items()}
    with pytest.raises(ProblemError, match=said):
        explain_sharding(programs.get(program, program) if isinstance(program, str) else program, PAIR, SLOW, **asked)
