"""What others would do: right, as their names say, and never faster than the answer beside which they stand."""

import random

import pytest
from looped import looped
from spmd.joint_problems import cluster
from spmd.test_programs import CLUSTERS, SINGLE, is_right
from tensor.random_programs import single_program
from tiers import is_full

from p2smt.spmd.devices.shares import even, vertices
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.search.baselines import applies
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.layout import Sliced
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

EXPERTS = """program experts
size B = 8, S = 4, D = 2, H = 4, E = {experts}, C = 3
input x : f32[B, S, D]
input sent : f32[B, S, E, C]
parameter wide : f32[D, D]
parameter first : f32[E, D, H]
parameter second : f32[E, H, D]
state mean : f32[E, D, H]
scalar lr
h = matmul(x, wide)
tokens = einsum("b s d, b s e c -> b e c d", h, sent)
inner = relu(einsum("e d h, b e c d -> b e c h", first, tokens))
made = einsum("e h d, b e c h -> b e c d", second, inner)
y = einsum("b e c d, b s e c -> b s d", made, sent)
gradient = einsum("b e c d, b e c h -> e d h", tokens, inner)
mean_new = update(mean, mean + gradient)
first_new = update(first, first - lr * mean_new)
loss = sum(y * y)
output loss
"""


def no_baseline_is_faster(program, machines):
    sharded = shard(program, machines, vertices(machines.speeds))
    times = [each.account.time for _, each in sharded.baselines]
    assert sharded.account.time == min(each.account.time for each in sharded.candidates)
    assert all(time >= sharded.account.time for time in times)
    assert sharded.lower_bound <= sharded.account.time
    for candidate in sharded.candidates:
        same = [each.account.time for _, each in sharded.baselines if each.shares.parts == candidate.shares.parts]
        assert candidate.account.time <= min(same, default=candidate.account.time)
    return sharded, len(times)


EXAMPLES = [(name, "unlike") for name in SINGLE]
EXAMPLES += [
    (name, "free computing")
    if name == "gpt_block"
    else pytest.param(name, "free computing", marks=pytest.mark.thorough)  # among random programs
    for name in SINGLE
]


@pytest.mark.thorough  # random programs are tried in the standard tier
@pytest.mark.parametrize(("name", "where"), EXAMPLES)
def test_no_baseline_is_faster_than_the_answer_for_an_example(name, where):
    """With free computing, data parallelism of the GPT block is a picosecond faster than what the search finds."""
    sharded, _ = no_baseline_is_faster(SINGLE[name], CLUSTERS[where])
    is_right(sharded.program, SINGLE[name])


def test_no_baseline_is_faster_than_the_answer_for_random_programs():
    rng = random.Random(5)
    count = 0
    tried = 25 if is_full() else 5
    for _ in range(tried):
        speeds = tuple(rng.choice((10**5, 10**6, 3 * 10**6)) for _ in range(rng.randint(2, 5)))
        machines = cluster(speeds, unit=rng.choice((1, 10, 10**4)))
        single = single_program(rng)
        sharded, others = no_baseline_is_faster(single, machines)
        is_right(sharded.program, single)
        count += others
    assert count > 2 * tried


@pytest.mark.parametrize("experts", [4, 5])
def test_experts_are_stored_and_computed_apart_and_the_rest_is_data_parallel(experts):
    program = parse_program(EXPERTS.format(experts=experts))
    machines = cluster((10**6,) * 4, 1)
    named = dict(shard(program, machines, (even(4),)).baselines)
    made = named["expert parallel, even"]
    is_right(made.program, program)
    layouts = {source.name: source.layouts[0].layout for source in made.program.sources if source.layouts}
    for name in ("first", "second", "mean"):
        assert layouts[name] == Sliced(0, None if experts == 4 else (2, 1, 1, 1))
    assert layouts["x"] == layouts["sent"] == Sliced(0)
    assert "wide" not in layouts
    assert "AllToAll" in print_program(made.program)


@looped("name", SINGLE)
def test_only_programs_with_experts_have_expert_parallelism(name):
    graph = graph_of(SINGLE[name])
    assert applies("expert parallel", graph, classes_of(graph)) == (name == "moe_layer")
