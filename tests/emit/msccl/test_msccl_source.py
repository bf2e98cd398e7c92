"""MSCCL files of plans: judged, run on numbers by an interpreter of the format, spoiled and refused."""

from collections import Counter
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from command_line import golden, output
from frontend.msccl.msccl_interpreter import run
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples, sample

from p2smt.collective import Collective
from p2smt.emit.emission import emit
from p2smt.emit.msccl.chunks import MAX_CHUNKS, chunk_count
from p2smt.emit.target import Target
from p2smt.errors import PlanError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.session import Synthesizer
from p2smt.verify.judge import judge
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import Proved, Refuted

SYNTHESIZER = Synthesizer()


@cache
def plans(system, axes, reduce, goal, limit=5):
    """All plans of a problem, on all its placements."""
    sized = [Axis(f"a{number}", size) for number, size in enumerate(axes)]
    search = Search(limit=limit)
    problem = build_problem(find_system(system), sized, reduce, Payload(32, "float32"), search, goal)
    return [
        Lowering(problem, placement.matrix).plan(program)
        for placement in SYNTHESIZER.synthesize(problem).placements
        for program in placement.programs
    ]


def verdict(text, goal):
    rooted = {"root": 0} if goal.from_root or goal.to_root else {}
    plan = parse_msccl(text.encode(), "schedule.xml", AskedGoal(collective=goal, **rooted))
    return judge(plan) if isinstance(plan, VerificationPlan) else Refuted(plan)


def given_to(goal, gpus, chunks, random):
    """What each GPU begins with, garbage where it has nothing; and what it has to end with, by places in its buffer."""
    own = random.integers(-1000, 1000, (gpus, chunks))
    size, whole = chunks // gpus, {place: slice(0, chunks) for place in range(gpus)}
    blocks = {place: slice(place * size, (place + 1) * size) for place in range(gpus)}
    match goal:
        case Collective.ALL_REDUCE:
            return own, np.tile(own.sum(axis=0), (gpus, 1)), whole
        case Collective.REDUCE_SCATTER:
            return own, np.tile(own.sum(axis=0), (gpus, 1)), blocks
        case Collective.REDUCE:
            return own, np.tile(own.sum(axis=0), (gpus, 1)), {0: slice(0, chunks)}
        case Collective.BROADCAST:
            return own, np.tile(own[0], (gpus, 1)), whole
        case Collective.ALL_GATHER:
            return own, np.tile(np.concatenate([own[place, blocks[place]] for place in range(gpus)]), (gpus, 1)), whole


def runs_right(text, goal, seed):
    algo = ElementTree.fromstring(text)
    gpus, chunks = int(algo.get("ngpus")), int(algo.get("nchunksperloop"))
    begin, end, parts = given_to(goal, gpus, chunks, np.random.default_rng(seed))
    found = run(text, begin, seed)
    return all((found[gpu][part] == end[gpu][part]).all() for gpu, part in parts.items())


@pytest.mark.parametrize(
    ("goal", "count"),
    [
        (Collective.ALL_REDUCE, 93),
        (Collective.REDUCE, 56),
        (Collective.ALL_GATHER, 5),
        (Collective.REDUCE_SCATTER, 3),
        (Collective.BROADCAST, 3),
    ],
)
def test_every_program_of_two_nodes_of_four_is_valid_and_runs_right(goal, count):
    every = plans("node:2,gpu:4", (8,), (0,), goal)
    assert len(every) == count
    for seed, plan in sample(enumerate(every), 16):
        text = emit(plan, Target.MSCCL)
        assert isinstance(verdict(text, goal), Proved), plan.program
        assert runs_right(text, goal, seed), plan.program


@pytest.mark.parametrize("goal", Collective)
def test_chunks_of_a_plan_are_valid_and_run_right(goal):
    every = plans("node:2,gpu:4", (8,), (0,), goal)
    for seed, plan in sample(enumerate(every[:: max(1, len(every) // 4)]), 3):
        text = emit(replace(plan, chunks=2 + seed % 3), Target.MSCCL)
        assert isinstance(verdict(text, goal), Proved), plan.program
        assert runs_right(text, goal, seed), plan.program


def test_every_chunk_waits_for_itself_alone():
    """A GPU's second threadblock may begin when the first has ended with the first chunk of three."""
    plan = next(one for one in plans("node:2,gpu:4", (8,), (0,), Collective.ALL_REDUCE) if len(one.steps) == 3)
    first, second, third = ElementTree.fromstring(emit(replace(plan, chunks=3), Target.MSCCL))[0]
    for before, block in ((first, second), (second, third)):
        ends = [int(step.get("s")) for step in before if step.get("hasdep") == "1"]
        assert [int(step.get("deps")) for step in block if step.get("depid") != "-1"] == ends
        assert len(ends) == 3
        assert ends[-1] == len(before) - 1


SHAPES = (
    ("l0:2,l1:2,l2:2", (8,), (0,)),
    ("l0:3,l1:2,l2:2", (12,), (0,)),
    ("l0:2,l1:6", (3, 4), (0,)),
    ("l0:2,l1:2,l2:4", (2, 8), (1,)),
    ("l0:2,l1:2,l2:4", (4, 2, 2), (0, 2)),
    ("l0:5", (5,), (0,)),
)


@pytest.mark.thorough  # programs of two levels are run
@settings(max_examples=examples(5))
@given(st.sampled_from(SHAPES), st.sampled_from(Collective), st.data())
def test_programs_over_more_levels_and_some_axes(shape, goal, data):
    """One file for all reduction groups of a placement; strided groups and permutations included."""
    plan = data.draw(st.sampled_from(plans(*shape, goal, limit=4)))
    text = emit(plan, Target.MSCCL)
    assert isinstance(verdict(text, goal), Proved)
    assert runs_right(text, goal, data.draw(st.integers(0, 99)))
    steps = Counter(step.get("type") for step in ElementTree.fromstring(text).iter("step"))
    assert steps["s"] + steps["rrs"] + steps["rcs"] + steps["rrcs"] == sum(
        steps[kind] for kind in ("r", "rcs", "rrs", "rrc", "rrcs")
    )


def test_chunks_keep_their_places_where_a_plan_permutes():
    """A ReduceScatter inside nodes first leaves strided blocks: the plan permutes, the file names other chunks."""
    (plan,) = (one for one in plans("node:2,gpu:4", (8,), (0,), Collective.REDUCE_SCATTER) if len(one.steps) == 3)
    assert plan.program == "(node, InsideGroup, ReduceScatter); (node, Parallel(root), ReduceScatter)"
    root = ElementTree.fromstring(emit(plan, Target.MSCCL))
    first = [(step.get("type"), step.get("srcoff"), step.get("cnt")) for step in root[0][0]]
    assert first == [
        ("s", "3", "1"),
        ("rrs", "2", "1"),
        ("rrs", "1", "1"),
        ("rrc", "0", "1"),
        ("s", "7", "1"),
        ("rrs", "6", "1"),
        ("rrs", "5", "1"),
        ("rrc", "4", "1"),
    ]


@pytest.mark.parametrize("change", [("depid", "-1"), ("hasdep", "0"), ("srcoff", "0"), ("type", "rrc")])
def test_a_spoiled_file_is_refused(change):
    """No wait for the collective before, no report to wait for, another chunk, a message that nobody sends on."""
    (plan,) = (
        one
        for one in plans("node:2,gpu:4", (8,), (0,), Collective.ALL_REDUCE)
        if one.program == "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); "
        "(node, InsideGroup, AllGather)"
    )
    text, (name, value) = emit(plan, Target.MSCCL), change
    spoiled = ElementTree.fromstring(text)
    step = spoiled[3][2][0] if name in ("depid", "srcoff") else spoiled[3][1][-1]
    assert step.get(name) != value
    step.set(name, value)
    assert isinstance(verdict(text, Collective.ALL_REDUCE), Proved)
    assert not isinstance(verdict(ElementTree.tostring(spoiled, encoding="unicode"), Collective.ALL_REDUCE), Proved)


def test_what_cannot_be_written():
    alone = plans("node:2,gpu:4", (8, 1), (1,), Collective.ALL_REDUCE)
    with pytest.raises(PlanError, match="every reduction group has one device"):
        emit(alone[0], Target.MSCCL)


def test_the_file_of_the_command_line(tmp_path, capsys):
    plan, out = str(tmp_path / "plan.json"), str(tmp_path / "schedule.xml")
    problem = ["--system", "node:2,gpu:2", "--axes", "data:4", "--reduce", "data", "--program"]
    output(
        [
            "plan",
            *problem,
            "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)",
            "--out",
            plan,
        ],
        capsys,
    )
    golden("emit_msccl.xml", output(["emit", plan, "--target", "msccl"], capsys))
    output(["emit", plan, "--target", "msccl", "--out", out], capsys)
    assert "valid" in output(["verify", out], capsys)


def test_as_many_chunks_as_are_written_and_no_more():
    for plan in plans("node:2,gpu:4", (8,), (0,), Collective.ALL_REDUCE)[::20]:
        alone = chunk_count(plan)
        assert chunk_count(replace(plan, chunks=MAX_CHUNKS // alone)) == MAX_CHUNKS
        with pytest.raises(PlanError, match=f"chunks; at most {MAX_CHUNKS} are supported, so emit it for torch"):
            chunk_count(replace(plan, chunks=MAX_CHUNKS // alone + 1))


@pytest.mark.parametrize("goal", Collective)
def test_a_gpu_has_chunks_for_what_it_gives_and_what_it_ends_with(goal):
    """An eighth of the payload before an all-gather and after a reduce-scatter, elsewhere all of it."""
    for plan in plans("node:2,gpu:4", (8,), (0,), goal)[::25]:
        root = ElementTree.fromstring(emit(plan, Target.MSCCL))
        chunks = int(root.get("nchunksperloop"))
        gives = chunks // 8 if goal is Collective.ALL_GATHER else chunks
        gets = chunks // 8 if goal is Collective.REDUCE_SCATTER else chunks
        sizes = {(int(gpu.get("i_chunks")), int(gpu.get("o_chunks"))) for gpu in root.findall("gpu")}
        assert sizes == {(gives, gets)}
        assert chunks % 8 == 0 or goal not in (Collective.ALL_GATHER, Collective.REDUCE_SCATTER)
