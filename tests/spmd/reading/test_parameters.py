"""What is done with every parameter, in the field's words, read off programs of which that is known."""

import pytest
from looped import looped
from spmd.joint_problems import cluster
from spmd.mesh.meshes import mesh_of
from spmd.test_baselines import EXPERTS

from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.shares import even
from p2smt.spmd.model.precision import parse_precision
from p2smt.spmd.reading.parameters import parameter_groups
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program

LAYER = """h{n} = matmul({x}, layers.{n}.w1) + layers.{n}.b1
a{n} = relu(h{n})
x{n} = matmul(a{n}, layers.{n}.w2) + layers.{n}.b2
"""
BACK = """gradient.layers.{n}.w2 = matmul(transpose(a{n}, 1, 0), {d})
gradient.layers.{n}.b2 = sum({d}, 0)
d{n} = relu_backward(matmul({d}, transpose(layers.{n}.w2, 1, 0)), h{n})
gradient.layers.{n}.w1 = matmul(transpose({x}, 1, 0), d{n})
gradient.layers.{n}.b1 = sum(d{n}, 0)
e{n} = matmul(d{n}, transpose(layers.{n}.w1, 1, 0))
"""
NAMES = [f"layers.{n}.{kind}" for n in (0, 1) for kind in ("w1", "b1", "w2", "b2")]
SHAPES = {"w1": "8, 32", "b1": "32", "w2": "32, 8", "b2": "8"}
TEXT = (
    "program mlp\ninput x : f32[64, 8]\ninput y : f32[64, 8]\nscalar lr\n"
    + "".join(f"parameter {name} : f32[{SHAPES[name.split('.')[-1]]}]\n" for name in NAMES)
    + LAYER.format(n=0, x="x")
    + LAYER.format(n=1, x="x0")
    + "d = x1 - y\nloss = sum(d * d)\n"
    + BACK.format(n=1, x="x0", d="d")
    + BACK.format(n=0, x="x", d="e1")
    + "".join(f"{name}.new = update({name}, {name} - lr * gradient.{name})\n" for name in NAMES)
    + "output loss\n"
)
MLP = parse_program(TEXT)
MACHINES = cluster((10**7,) * 4, 10)


@pytest.fixture(scope="module")
def baselines():
    return dict(shard(MLP, MACHINES, (even(4),)).baselines)


def words(program):
    return {each.pattern: " ".join(each.layouts) for each in parameter_groups(program)}


def test_baselines_have_the_words_of_the_field(baselines):
    every = ("layers.*.w1", "layers.*.b1", "layers.*.w2", "layers.*.b2")
    assert words(baselines["data parallel, even"].program) == dict.fromkeys(every, "replicated")
    assert words(baselines["data parallel, all sliced (ZeRO-3), even"].program) == dict.fromkeys(every, "FSDP")
    groups = parameter_groups(baselines["every device does everything"].program)
    assert groups[0].names == ("layers.0.w1", "layers.1.w1")


def test_tensor_parallelism_is_by_columns_and_rows_and_biases_follow():
    kept = tuple(f"layers.{n}.{each}" for n in (0, 1) for each in ("w1 sliced(1)", "w2 sliced(0)", "b2 replicated"))
    asked = ShardingRequest(speed=10.0**7, baselines=False, conditions=(*kept, "h0 sliced(1)", "h1 sliced(1)"))
    for precision in (None, parse_precision("bf16")):
        program = shard_program(
            MLP,
            find_system("node:1,gpu:4"),
            ShardingRequest(speed=asked.speed, baselines=False, conditions=asked.conditions, precision=precision),
        ).program
        assert words(program) == {
            "layers.*.w1": "column-parallel",
            "layers.*.b1": "column-parallel",
            "layers.*.w2": "row-parallel",
            "layers.*.b2": "replicated",
        }


def test_experts_have_a_word_of_their_own():
    named = dict(shard(parse_program(EXPERTS.format(experts=4)), cluster((10**6,) * 4, 1), (even(4),)).baselines)
    assert "expert-parallel" in set(words(named["expert parallel, even"].program).values())


TABLE = """program words
mesh device=2
input x : i64[4]
parameter words : f32[6, 4] sliced({dimension})
parameter out : f32[4, 6]
y = {found}
z = matmul({whole}, out)
output z
"""


@looped(
    ("dimension", "found", "whole", "said"),
    [
        (0, "AllReduce(embedding(words, x))", "y", "vocabulary-parallel"),
        (0, "embedding(AllGather(words, 0), x)", "y", "FSDP"),
        (1, "embedding(words, x)", "AllGather(y, 1)", "sliced"),
    ],
)
def test_tables_are_parallel_by_their_vocabulary(dimension, found, whole, said):
    program = parse_program(TABLE.format(dimension=dimension, found=found, whole=whole))
    assert words(program) == {"words": said, "out": "replicated"}


@pytest.mark.thorough  # every axis is read alike
def test_every_axis_has_a_word():
    where = mesh_of((2, 2), 10**7, (10, 1), names=("data", "tensor"))
    on_axes = dict(shard_on(MLP, [where]).baselines)
    assert words(on_axes["ZeRO-3 x tensor"].program)["layers.*.w1"] == "FSDP column-parallel"
