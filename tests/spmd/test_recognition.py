"""What a sharding is called is read off its program: ways of the trade are recognised, and nothing else."""

import pytest
from spmd.joint_problems import cluster
from spmd.mesh.meshes import mesh_of
from spmd.test_baselines import EXPERTS

from p2smt.spmd.account.recognition import recognised, strategy
from p2smt.spmd.devices.shares import even
from p2smt.spmd.reading.comparison import runner_ups, why
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program

STEP = """program mlp
size B = 64, H = 8, F = 32
input x : f32[B, H]
input y : f32[B, H]
parameter w1 : f32[H, F]
parameter w2 : f32[F, H]
state m1 : f32[H, F]
scalar lr
h = matmul(x, w1)
a = relu(h)
z = matmul(a, w2)
dz = z - y
loss = sum(dz * dz)
dw2 = matmul(transpose(a, 1, 0), dz)
dh = relu_backward(matmul(dz, transpose(w2, 1, 0)), h)
m1_new = update(m1, m1 * 0.9 + matmul(transpose(x, 1, 0), dh))
w1_new = update(w1, w1 - lr * m1_new)
w2_new = update(w2, w2 - lr * dw2)
output loss
"""
MACHINES = cluster((10**7,) * 4, 10)


@pytest.fixture(scope="module")
def sharded():
    return shard(parse_program(STEP), MACHINES, (even(4),))


def called(program):
    return [each.name for each in recognised(program)]


@pytest.mark.parametrize(
    ("baseline", "names"),
    [
        ("every device does everything", ["replicated work"]),
        ("data parallel, even", ["data parallelism"]),
        ("data parallel, states sliced (ZeRO-1, 2), even", ["data parallelism", "ZeRO-2"]),
        ("data parallel, all sliced (ZeRO-3), even", ["data parallelism", "ZeRO-3"]),
        ("tensor parallel, even", ["Megatron's tensor parallelism"]),
    ],
)
def test_the_baselines_are_called_what_they_are(sharded, baseline, names):
    assert called(dict(sharded.baselines)[baseline].program) == names


STRATEGIES = {
    "every device does everything": "replicated over 4",
    "data parallel, even": "data parallel over 4",
    "data parallel, states sliced (ZeRO-1, 2), even": "data parallel with ZeRO-2 over 4",
    "data parallel, all sliced (ZeRO-3), even": "FSDP over 4",
    "tensor parallel, even": "tensor parallel over 4",
}


def test_strategies_are_named_by_the_fields_words_axis_by_axis(sharded):
    for name, said in STRATEGIES.items():
        assert strategy(dict(sharded.baselines)[name].program) == said
    where = mesh_of((2, 1, 4), 10**7, (10, 1, 1), names=("data", "one", "tensor"))
    on_axes = dict(shard_on(parse_program(STEP), [where]).baselines)
    assert strategy(on_axes["ZeRO-3 x tensor"].program) == "FSDP over 2 (data), tensor parallel over 4 (tensor)"


def test_megatrons_pair_is_named(sharded):
    (one,) = recognised(dict(sharded.baselines)["tensor parallel, even"].program)
    assert one.detail == "w1 by columns, w2 by rows; 100% of the contractions' work"
    assert one.axis == "device"


def test_experts_are_recognised_beside_data():
    program = parse_program(EXPERTS.format(experts=4))
    named = dict(shard(program, cluster((10**6,) * 4, 1), (even(4),)).baselines)
    assert set(called(named["expert parallel, even"].program)) == {"expert parallelism", "data parallelism"}
    assert "expert parallelism" not in called(named["data parallel, even"].program)


FACTORS = """program factors
mesh device=4
size B = {batch}
input x : f32[B, 16] sliced(0)
input g : f32[B, 16] sliced(0)
parameter w : f32[16, 16]
scalar lr
{gathered}w_new = update(w, w - lr * {gradient})
loss = AllReduce(sum(x * x))
output loss
"""


def test_sufficient_factors_are_recognised_where_all_samples_are_gathered():
    sent = FACTORS.format(
        batch=8,
        gathered="xs = AllGather(x, 0)\ngs = AllGather(g, 0)\n",
        gradient="matmul(transpose(xs, 1, 0), gs)",
    )
    summed = FACTORS.format(batch=8, gathered="", gradient="AllReduce(matmul(transpose(x, 1, 0), g))")
    assert called(parse_program(sent)) == ["replicated work", "sufficient-factor broadcasting"]
    assert called(parse_program(summed)) == ["data parallelism"]


def test_zero_1_sums_gradients_whole_and_cuts_them_then():
    text = FACTORS.replace("parameter w", "state m : f32[16, 16] sliced(0)\nparameter w").format(
        batch=8,
        gathered="s = AllReduce(matmul(transpose(x, 1, 0), g))\nm_new = update(m, m + Slice(s, 0))\n",
        gradient="AllGather(m_new, 0)",
    )
    assert called(parse_program(text)) == ["data parallelism", "ZeRO-1"]


def test_runner_ups_are_in_the_order_of_their_times_and_say_why_they_lose(sharded):
    """What they take more is what their collectives and their computing take more."""
    others = runner_ups(sharded)
    assert len(others) >= 4
    assert [each.slower for each in others] == sorted(each.slower for each in others)
    for each in others:
        assert each.slower == each.candidate.account.time - sharded.account.time >= 0
        assert each.missing == 0
        assert why(each)
    alone = next(each for each in others if each.name == "every device does everything")
    assert alone.collectives == -sharded.account.communication
    assert why(alone).startswith("computing ")
    assert " more, collectives " in why(alone)


def test_a_runner_up_that_is_too_large_is_last_and_lacks_memory():
    """The fastest program is by samples, which hold everything whole; a little less memory than that asks for ZeRO."""
    pytest.importorskip("scipy")
    text = STEP.replace("B = 64", "B = 4096").replace("H = 8, F = 32", "H = 32, F = 128")
    free = shard(parse_program(text), cluster((10**9,) * 4, 1), (even(4),))
    data = dict(free.baselines)["data parallel, even"]
    tight = cluster((10**9,) * 4, 1, memory=max(data.account.memory) - 1)
    sharded = shard(parse_program(text), tight, (even(4),))
    assert not sharded.lacks
    last = runner_ups(sharded)[-1]
    assert last.missing > 0
    assert why(last).startswith("a device lacks ")
