"""MSCCL++ files of plans: judged, carried out on numbers by an executor of the format, spoiled and refused."""

import json
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest
from command_line import golden, output
from emit.msccl.test_msccl_source import plans
from emit.mscclpp.expected import runs_right, verdict
from frontend.mscclpp.executor import LeftOverError, StuckError
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples, sample
from unlike_plans import every_plan

from p2smt.collective import Collective
from p2smt.emit.emission import emit
from p2smt.emit.mscclpp.schedule import MAX_BARRIERS, MAX_BLOCKS, MAX_SEMAPHORES
from p2smt.emit.mscclpp.schedule import _check as check_room
from p2smt.emit.target import Target
from p2smt.errors import PlanError
from p2smt.verify.plan_verdict import PlanRule
from p2smt.verify.verdict import Proved, Refuted

TWO_BY_FOUR = ("node:2,gpu:4", (8,), (0,))
THREE_STEPS = "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)"


def written(plan, chunks=1):
    return emit(replace(plan, chunks=chunks), Target.MSCCLPP)


def hierarchical(chunks=1):
    (plan,) = (one for one in plans(*TWO_BY_FOUR, Collective.ALL_REDUCE) if one.program == THREE_STEPS)
    return written(plan, chunks)


@pytest.mark.thorough  # smaller clusters run
@pytest.mark.parametrize("goal", Collective)
def test_programs_of_two_nodes_of_four_are_valid_and_run_right(goal):
    every = plans(*TWO_BY_FOUR, goal)
    for seed, plan in sample(enumerate(every[:: max(1, len(every) // 3)]), 2):
        text = written(plan, chunks=1 + seed % 3)
        assert isinstance(verdict(text, goal), Proved), plan.program
        assert runs_right(text, goal, seed, length=3), plan.program


SHAPES = (
    ("l0:2,l1:2,l2:2", (8,), (0,)),
    ("l0:2,l1:6", (3, 4), (0,)),
    ("l0:2,l1:2,l2:4", (4, 2, 2), (0, 2)),
    ("l0:5", (5,), (0,)),
)


@pytest.mark.thorough  # programs of two levels are run in this file
@settings(max_examples=examples(3))
@given(st.sampled_from(SHAPES), st.sampled_from(Collective), st.sampled_from((1, 2, 3)), st.data())
def test_programs_over_more_levels_and_some_axes(shape, goal, chunks, data):
    plan = data.draw(st.sampled_from(plans(*shape, goal, limit=4)))
    text = written(plan, chunks)
    assert isinstance(verdict(text, goal), Proved)
    seed, length = data.draw(st.integers(0, 99)), data.draw(st.sampled_from((1, 3)))
    assert runs_right(text, goal, seed, length, runs=1, dtype=data.draw(st.sampled_from(("int64", "float64"))))


def test_channels_are_ports_between_machines_and_memory_inside():
    for gpu in json.loads(hierarchical())["gpus"]:
        machine = gpu["id"] // 4
        for entry in gpu["channels"]:
            inside = {peer // 4 == machine for peer in entry["connected_to"]}
            assert inside == {entry["channel_type"] == "memory"}
    (plan,) = (one for one in plans(*TWO_BY_FOUR, Collective.ALL_REDUCE) if one.program == THREE_STEPS)
    unknown = json.loads(written(replace(plan, system=None)))
    assert {entry["channel_type"] for gpu in unknown["gpus"] for entry in gpu["channels"]} == {"port"}


KEYS = {
    "plan": [
        "name",
        "collective",
        "protocol",
        "inplace",
        "reuse_resources",
        "gpus",
        "num_threads_per_block",
        "use_double_scratch_buffer",
        "buffer_alignment",
        "min_message_size",
        "max_message_size",
    ],
    "gpu": [
        "id",
        "input_chunks",
        "output_chunks",
        "scratch_chunks",
        "threadblocks",
        "channels",
        "remote_buffers",
        "semaphores",
    ],
    "threadblock": ["id", "ops", "channels", "remote_buffer_refs"],
    "copy": ["name", "src_buff", "dst_buff"],
    "nop": ["name"],
    "sem_acquire": ["name", "semaphore_ids"],
    "sem_release": ["name", "semaphore_ids"],
    "signal": ["name", "channel_ids", "channel_type"],
    "wait": ["name", "channel_ids", "channel_type"],
    "barrier": ["name", "barrier_id", "num_threadblocks"],
    "put": ["name", "src_buff", "dst_buff", "channel_type"],
    "pws": ["name", "src_buff", "dst_buff", "channel_ids", "channel_type"],
    "re": ["name", "src_buff", "dst_buff", "reduce_op"],
    "res": ["name", "src_buff", "dst_buff", "channel_type", "reduce_op"],
}
"""What the files of MSCCL++'s own language have, in their order."""


@pytest.mark.parametrize(("system", "nodes"), [("node:[1,3]", (0, 1, 1, 1)), ("node:[3,1]", (0, 0, 0, 1))])
def test_machines_of_unlike_size_have_the_devices_that_they_have(system, nodes):
    seen = set()
    for plan in every_plan(system, (4,), "2x3", limit=1):
        for gpu in json.loads(written(plan))["gpus"]:
            for entry in gpu["channels"]:
                inside = {nodes[gpu["id"]] == nodes[peer] for peer in entry["connected_to"]}
                assert inside == {entry["channel_type"] == "memory"}
                seen |= inside
    assert seen == {True, False}


def test_entries_have_the_keys_and_sizes_that_the_executor_takes():
    plan = json.loads(hierarchical(chunks=4))
    assert list(plan) == KEYS["plan"]
    seen = set()
    for gpu in plan["gpus"]:
        assert list(gpu) == KEYS["gpu"]
        assert len(gpu["semaphores"]) <= 16
        for block in gpu["threadblocks"]:
            assert list(block) == KEYS["threadblock"]
            assert len(block["ops"]) <= 64
            for op in block["ops"]:
                assert list(op) == KEYS[op["name"]]
                seen.add(op["name"])
    assert seen == {"copy", "nop", "sem_acquire", "sem_release", "signal", "wait", "barrier", "put", "pws", "re", "res"}


def test_collectives_of_different_chunks_are_at_work_at_once():
    """A GPU's first threadblock may be done with its last chunk before the second one has begun with its first."""
    text = hierarchical(chunks=3)
    for block in json.loads(text)["gpus"][0]["threadblocks"]:
        acquired = [op["semaphore_ids"] for op in block["ops"] if op["name"] == "sem_acquire"]
        assert len(acquired) <= 3
    assert isinstance(verdict(text, Collective.ALL_REDUCE), Proved)


def spoiled(name, kind, change):
    """The first threadblock with an operation of this name has it changed, or loses it."""
    plan = json.loads(hierarchical(chunks=2))
    for gpu in plan["gpus"]:
        for block in gpu["threadblocks"]:
            for at, op in enumerate(block["ops"]):
                if op["name"] == name and op.get("channel_type", kind) == kind:
                    block["ops"][at] = op | change
                    if not change:
                        del block["ops"][at]
                    return json.dumps(plan)
    raise AssertionError(name)


@pytest.mark.parametrize(
    ("name", "kind", "change", "rule"),
    [
        ("sem_acquire", None, {"name": "nop"}, PlanRule.MISMATCH),
        ("sem_release", None, {"name": "nop"}, PlanRule.ORDER),
        ("wait", "memory", {}, PlanRule.MISMATCH),
        ("signal", "port", {}, PlanRule.ORDER),
        ("pws", "port", {"name": "put"}, PlanRule.ORDER),
    ],
)
def test_a_file_with_a_wrong_dependency_is_refused_and_runs_wrong(name, kind, change, rule):
    text = spoiled(name, kind, change)
    refusal = verdict(text, Collective.ALL_REDUCE)
    assert isinstance(refusal, Refuted)
    assert refusal.counter_example.rule is rule
    assert not all(outcome(text, seed) for seed in range(6))


def outcome(text, seed):
    try:
        return runs_right(text, Collective.ALL_REDUCE, seed, length=3)
    except (StuckError, LeftOverError):
        return False


def test_threads_that_do_not_meet_are_a_race():
    refusal = verdict(spoiled("nop", None, {}), Collective.ALL_REDUCE)
    assert isinstance(refusal, Refuted)
    assert refusal.counter_example.rule is PlanRule.RACE
    assert "put a nop between operations of a threadblock" in refusal.counter_example.message


def test_early_hand_over_is_a_race():
    """A release before a chunk is whole, and an acquire after it was used: nothing is left over, and nobody waits."""
    plan = json.loads(hierarchical(chunks=2))
    for name, to in (("sem_release", 0), ("sem_acquire", 40)):
        changed = json.loads(json.dumps(plan))
        block = next(one for one in changed["gpus"][5]["threadblocks"] if any(op["name"] == name for op in one["ops"]))
        at = next(place for place, op in enumerate(block["ops"]) if op["name"] == name)
        block["ops"].insert(min(to, len(block["ops"]) - 1), block["ops"].pop(at))
        refusal = verdict(json.dumps(changed), Collective.ALL_REDUCE)
        assert isinstance(refusal, Refuted)
        assert refusal.counter_example.rule is PlanRule.RACE


def test_what_cannot_be_written():
    alone = plans("node:2,gpu:4", (8, 1), (1,), Collective.ALL_REDUCE)
    with pytest.raises(PlanError, match="every reduction group has one device"):
        written(alone[0])
    with pytest.raises(
        PlanError,
        match=r"needs \d+ threadblocks per GPU, but MSCCL\+\+ has room for 64; use smaller groups or fewer chunks",
    ):
        hierarchical(chunks=64)


def test_the_file_of_the_command_line(tmp_path, capsys):
    plan, out = str(tmp_path / "plan.json"), str(tmp_path / "schedule.json")
    problem = ["--system", "node:2,gpu:2", "--axes", "data:4", "--reduce", "data", "--program"]
    output(["plan", *problem, THREE_STEPS, "--chunks", "2", "--out", plan], capsys)
    golden("emit_mscclpp.json", output(["emit", plan, "--target", "mscclpp"], capsys))
    output(["emit", plan, "--target", "mscclpp", "--out", out], capsys)
    said = output(["verify", out], capsys)
    assert "valid" in said
    assert 'goal: AllReduce among 4 GPUs, as "allreduce" says' in said


def test_a_drawn_order_of_threadblocks_does_not_matter():
    random = Random(4)
    text = hierarchical(chunks=3)
    assert all(runs_right(text, Collective.ALL_REDUCE, random.randrange(1000), length=5) for _ in range(3))


def test_as_many_parts_of_a_gpu_as_there_is_room_for():
    def gpu(blocks, semaphores):
        return SimpleNamespace(blocks=[None] * blocks, semaphores=semaphores)

    for room in (gpu(MAX_BLOCKS, 0), gpu(0, MAX_SEMAPHORES)):
        check_room(room, MAX_BARRIERS)
    for full, barriers, said in (
        (gpu(MAX_BLOCKS + 1, 0), 0, f"{MAX_BLOCKS + 1} threadblocks"),
        (gpu(0, MAX_SEMAPHORES + 1), 0, f"{MAX_SEMAPHORES + 1} semaphores"),
        (gpu(0, 0), MAX_BARRIERS + 1, f"{MAX_BARRIERS + 1} barriers"),
    ):
        with pytest.raises(PlanError, match=f"needs {said} per GPU"):
            check_room(full, barriers)
