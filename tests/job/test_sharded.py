"""Collectives of a distributed program as reductions of a job: what they move, how often, along which axis."""

import json

import pytest
from command_line import output
from support import refused
from tiers import is_full

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.network.backend import cost_of
from p2smt.errors import ProblemError
from p2smt.job.optimize import Optimum, optimize
from p2smt.job.sharded import sharded_workload
from p2smt.problem.system.text import find_system
from p2smt.tensor.text.parser import parse_program

TWO_AXES = """program two
mesh data=2, model=4
input x : f32[64, 128] sliced(0, data)
parameter w1 : f32[128, 512] sliced(1, model)
parameter w2 : f32[512, 128] sliced(0, model)
scalar lr
h = relu(matmul(x, w1))
z = AllReduce(matmul(h, w2), axis=model)
dw2 = matmul(transpose(h, 1, 0), z)
w2_new = update(w2, w2 - lr * AllReduce(dw2, axis=data))
loss = AllReduce(sum(z * z), axis=data)
output loss
"""
NODES = find_system("node:2,gpu:4")


def reductions(text, system=NODES):
    return sharded_workload(parse_program(text), system).reductions


def test_a_collective_moves_what_other_axes_leave_of_a_tensor():
    """z: 64 x 128 numbers, of which data cuts the samples; its gradient: 512 x 128, of which model cuts features."""
    found = {each.name: (each.goal, each.axes, each.payload.bytes, each.times) for each in reductions(TWO_AXES)}
    assert found == {
        "AllReduce of z": (Collective.ALL_REDUCE, (1,), 32 * 128 * 4, 1.0),
        "AllReduce of w2_new": (Collective.ALL_REDUCE, (0,), 128 * 128 * 4, 1.0),
        "AllReduce of loss": (Collective.ALL_REDUCE, (0,), 4, 1.0),
    }


def test_equal_collectives_are_one_reduction_and_uneven_blocks_count_as_the_largest():
    text = """program p
mesh device=4
input x : bf16[10, 8] sliced(0, sizes=4/3/2/1)
input y : bf16[10, 8] sliced(0, sizes=4/3/2/1)
u = AllGather(x, 0)
v = AllGather(y, 0)
w = AllToAll(x, 0, 1)
z = ReduceScatter(sum(x, 0), 0)
output u
output v
output w
output z
"""
    found = {(each.goal, each.payload.bytes): (each.times, each.name) for each in reductions(text, find_system("4"))}
    assert found == {
        (Collective.ALL_GATHER, 16 * 8 * 2): (2.0, "AllGather of u and 1 more"),
        (Exchange.ALL_TO_ALL, 16 * 8 * 2): (1.0, "AllToAll of w"),
        (Collective.REDUCE_SCATTER, 8 * 2): (1.0, "ReduceScatter of z"),
    }
    assert {each.payload.dtype for each in reductions(text, find_system("4"))} == {"bfloat16"}


def test_collectives_within_one_statement_count_as_often_as_they_are():
    text = "program p\nmesh r=4\ninput x : f32[8, 8] partial(+)\ny = AllReduce(x) * AllReduce(x) + AllReduce(x)\n"
    (found,) = reductions(f"{text}z = AllReduce(x)\noutput y\noutput z\n", find_system("4"))
    assert (found.name, found.times) == ("AllReduce of y and 3 more", 4.0)


def test_a_send_is_one_to_the_next_group_and_no_exchange_of_all():
    text = "program p\nmesh pipe=2, model=2\ninput x : f32[64] on_rank(0, pipe)\ny = Send(x, next, axis=pipe)\n"
    (found,) = reductions(f"{text}output y on_rank(1, pipe)\n", find_system("2x2"))
    assert (found.goal, found.axes, found.payload.bytes) == (NeighbourSend.NEXT, (0,), 256)


def test_the_axes_of_a_sharded_step_are_placed():
    """The model's axis sends 16 KiB, the data axis 64 KiB and more: the answer is the cheapest of all placements."""
    workload = sharded_workload(parse_program(TWO_AXES), NODES)
    best = optimize(workload, cost_of(NODES))
    assert isinstance(best, Optimum)
    assert best.proved
    alone = {}
    for condition in ("data inside node", "model inside node"):
        forced = optimize(sharded_workload(parse_program(TWO_AXES), NODES, (condition,)), cost_of(NODES))
        assert isinstance(forced, Optimum)
        alone[condition] = forced.best.seconds
    assert best.best.seconds == min(alone.values()) < max(alone.values())


def test_what_has_nothing_to_place_is_refused():
    single = "program p\ninput x : f32[4]\ny = x\noutput y\n"
    assert "has no mesh; shard it first" in refused(lambda: reductions(single), ProblemError)
    quiet = "program p\nmesh a=8\ninput x : f32[4]\ny = relu(x)\noutput y\n"
    assert "has no collectives, so there is nothing to place; use p2smt shard alone" in refused(
        lambda: reductions(quiet), ProblemError
    )


STEP = """program step
input x : f32[65536, 8192]
parameter w : f32[8192, 8192]
parameter v : f32[8192, 8192]
y = relu(matmul(x, w))
z = relu(matmul(y, v))
loss = sum(z * z)
w_new = update(w, w - matmul(transpose(x, 1, 0), y))
v_new = update(v, v - matmul(transpose(y, 1, 0), z))
output loss
"""


@pytest.mark.thorough  # the joint search: tests/job/test_joint.py; the command: tests/cli/test_optimize.py
def test_a_step_of_one_device_is_sharded_placed_and_given_programs(tmp_path, capsys):
    path = tmp_path / "step.tp"
    path.write_text(STEP, encoding="utf-8")
    step = ["optimize", str(path), "--system", "node:2,gpu:2", "--depth", "1", "--json"]
    document = json.loads(output(step, capsys))
    assert document["proved"] is True
    assert document["schedule"]["seconds"] < document["schedule"]["untouched_s"]
    if not is_full():
        return
    path.write_text(TWO_AXES, encoding="utf-8")
    as_it_is = ["optimize", str(path), "--system", "node:2,gpu:4", "--depth", "0", "--json"]
    document = json.loads(output(as_it_is, capsys))
    assert [axis["name"] for axis in document["job"]["axes"]] == ["data", "model"]
    assert len(document["job"]["reductions"]) == 3


@pytest.mark.parametrize(
    ("system", "said"),
    [((), "is a program, which has no system; give --system"), (("--system", "4x4"), "need 8 devices, but ")],
)
def test_systems_that_do_not_match_are_refused(system, said, tmp_path, capsys):
    from command_line import refused as refused_command

    path = tmp_path / "two.tp"
    path.write_text(TWO_AXES, encoding="utf-8")
    assert said in refused_command(["optimize", str(path), *system], capsys)


@pytest.mark.parametrize(("length", "held"), [(3, 2), (4, 2), (5, 3), (1, 1)])
def test_of_what_another_axis_cuts_unevenly_the_largest_block_counts(length, held):
    text = f"""program p
mesh data=2, model=2
input x : f32[{length}, 8] sliced(0, data) partial(+, model)
y = AllReduce(x, axis=model)
output y
"""
    (found,) = reductions(text, find_system("2x2"))
    assert found.payload.bytes == held * 8 * 4
