"""What has to come out, by arithmetic that stands here, of steps of a perceptron and smaller programs.

The network of these tests takes `unit` picoseconds for each byte that the largest shard brings: with m devices an
AllGather or ReduceScatter of V bytes takes V (m - 1) / m, an AllReduce twice that.
"""

import pytest
from looped import looped
from spmd.joint_problems import MOMENTUM, cluster

from p2smt.spmd.account.instructions import account
from p2smt.spmd.account.recognition import short_names
from p2smt.spmd.devices.shares import even, proportional, vertices
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import parse_conditions
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.model.restriction import FREEDOM
from p2smt.spmd.search.memory import fitted
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

FREE = 10**18
"""A speed with which computing takes next to nothing."""


def solved(text, machines, shares=None, conditions=()):
    graph = graph_of(parse_program(text))
    pricing = on_one_axis(graph, classes_of(graph), machines, shares or even(len(machines.devices)))
    sharding = build(OptionCache(pricing), parse_conditions(conditions, graph) if conditions else FREEDOM)
    assignment = eliminate(sharding.problem).answer.assignment
    program = emit(sharding, assignment)
    return program, account(program, machines), short_names(program), sharding


def mlp(batch, hidden):
    """Forward, backward and plain descent of two layers without bias, F = 4H, and squared errors."""
    return f"""program mlp
size B = {batch}, H = {hidden}, F = {4 * hidden}
input x : f32[B, H]
input y : f32[B, H]
parameter w1 : f32[H, F]
parameter w2 : f32[F, H]
scalar lr
h = matmul(x, w1)
a = relu(h)
z = matmul(a, w2)
dz = z - y
loss = sum(dz * dz)
dw2 = matmul(transpose(a, 1, 0), dz)
da = matmul(dz, transpose(w2, 1, 0))
dh = relu_backward(da, h)
dw1 = matmul(transpose(x, 1, 0), dh)
w1_new = update(w1, w1 - lr * dw1)
w2_new = update(w2, w2 - lr * dw2)
output loss
"""


SPEED = 10**7
"""So slow that nobody computes twice what can be cut."""


@looped(("batch", "hidden"), [(8, 4), (32, 4), (64, 4), (128, 4), (64, 8), (256, 8)])
def test_a_perceptron_is_cut_by_features_for_small_and_by_samples_for_large_batches(batch, hidden):
    """Column then row: z is summed, 2 (m-1)/m * 4BH bytes. By samples: both gradients are, 2 (m-1)/m * 4 * 8H^2.

    They tie at B = 8H. (Gradients of inputs are not asked for, as in a first layer.)
    """
    m, unit = 4, 10
    _, made, meaning, _ = solved(mlp(batch, hidden), cluster((SPEED,) * m, unit))
    features, samples = batch * hidden, 8 * hidden * hidden
    assert made.communication <= unit * 2 * (m - 1) * 4 * min(features, samples) / m
    if batch != 8 * hidden:
        assert meaning[0] == ("tensor" if features < samples else "data")
        assert made.communication == unit * 2 * (m - 1) * 4 * min(features, samples) // m


def test_everything_is_replicated_when_computing_is_free():
    _, made, meaning, _ = solved(mlp(64, 8), cluster((FREE,) * 4, unit=1000))
    assert made.communication == 0
    assert all(each.way is None for each in made.instructions)
    assert "replicated" in meaning or made.time < 1000


def test_one_device_sends_nothing_and_computes_all():
    _, made, _, _ = solved(mlp(64, 8), cluster((10**9,)))
    assert made.communication == 0
    flops = sum(each.flops[0] for each in made.instructions)
    assert abs(made.time - (flops * 1000)) <= 1


def test_a_gather_that_two_operations_use_is_paid_once():
    """Both softmaxes look across rows of y, which is made of rows: one exchange, whichever way, not two."""
    text = """program twice
input x : f32[8, 8]
parameter w : f32[8, 8]
y = matmul(x, w)
p = softmax(y, 0)
q = relu(softmax(y, 0))
r = softmax(y, 1)
output p
output q
output r
"""
    conditions = ("x sliced(0)", "w replicated", "p replicated", "q replicated", "r sliced(0)")
    program, _, _, _ = solved(text, cluster((SPEED,) * 2, 1), conditions=conditions)
    once = [line for line in print_program(program).splitlines() if "y_" in line and "AllGather(y" in line]
    assert len(once) <= 1
    assert print_program(program).count("AllToAll(y") + len(once) == 1


def test_sufficient_factors_are_sent_for_small_batches_only():
    """A gradient of H x K, both parameters whole: the factors are gathered, (m-1)/m * 4B(H+K) bytes, or the product is
    summed, 2 (m-1)/m * 4HK: below B = 2HK/(H+K) the factors win, while computing the product everywhere is cheap."""
    text = """program factors
size B = {batch}, H = 16, K = 16
input x : f32[B, H]
input g : f32[B, K]
parameter w : f32[H, K]
scalar lr
y = sum(exp(x) * exp(x))
e = exp(exp(x))
f = exp(exp(g))
w_new = update(w, w - lr * matmul(transpose(e, 1, 0), f))
output y
"""
    conditions = ("w replicated", "x sliced(0)", "g sliced(0)")
    ways = {}
    for batch in (4, 8, 32, 64):
        program, _, _, _ = solved(text.format(batch=batch), cluster((10**12,) * 4, 100), conditions=conditions)
        written = print_program(program)
        ways[batch] = "AllGather(e, 0)" in written
        summed = "AllReduce(value" in written or "ReduceScatter(value" in written
        assert summed != ways[batch]
    assert ways == {4: True, 8: True, 32: False, 64: False}


def test_a_device_that_is_next_to_useless_gets_nothing():
    """Shares in proportion to the speeds round to none; no sample is its own."""
    speeds = (10**9, 10**9, 10**3)
    program, _, _, _ = solved(mlp(64, 8), cluster(speeds, 1), proportional(speeds))
    cuts = [source.layouts[0].layout.sizes for source in program.sources if source.layouts]
    assert cuts
    assert all(sizes[2] == 0 for sizes in cuts)


def test_heads_are_cut_between_heads():
    text = """program heads
size B = 1, S = 4, D = 24, N = 12, K = 2
input x : f32[B, S, D]
parameter w : f32[D, D]
q = reshape(matmul(x, w), B, S, N, K)
s = softmax(einsum("b s n k, b t n k -> b n s t", q, q), 3)
y = relu(s)
output y
"""
    program, _, meaning, _ = solved(text, cluster((10**6,) * 5, 1), conditions=("w sliced(1)",))
    (w,) = [source for source in program.sources if source.name == "w"]
    assert w.layouts[0].layout.sizes == (6, 6, 4, 4, 4)
    assert meaning[0] == "tensor"


def test_three_kinds_of_devices_can_ask_for_the_middle_vertex():
    """y is computed by samples and gathered: V max B + W max B / speed, speeds 4, 2 and 1.

    Even 1/3, 1/3, 1/3; capped 2/5, 2/5, 1/5; proportional 4/7, 2/7, 1/7. In units of W per slowest speed the second
    terms are 1/3, 1/5, 1/7: even is best above V = 2, proportional below V = 1/3.
    """
    text = """program gathered
input x : f32[84, 16]
parameter w : f32[16, 16]
y = relu(matmul(x, w))
output y
"""
    conditions = ("x sliced(0)", "w replicated", "y replicated")
    speeds = (4 * 10**7, 2 * 10**7, 10**7)
    work = (2 * 84 * 16 * 16 + 84 * 16) * 10**5
    best = {}
    for volume in (0.1, 1, 8):
        unit = round(volume * work / (2 * 4 * 84 * 16))
        machines = cluster(speeds, unit)
        times = [solved(text, machines, shares, conditions)[1].apart for shares in vertices(speeds)]
        best[volume] = times.index(min(times))
    assert best == {0.1: 2, 1: 1, 8: 0}


def test_states_then_parameters_are_sliced_as_memory_falls():
    """Computing by samples, everything whole: 4 bytes each of w, m; less memory slices what is cheapest to slice."""
    pytest.importorskip("scipy")
    machines = cluster((10**10,) * 4, unit=1)
    _, made, _, _ = solved(MOMENTUM, machines)
    peak = max(made.memory)
    times = [made.time]
    for most in (peak - 1, peak - 8_000, peak - 20_000):
        _, _, _, sharding = solved(MOMENTUM, cluster((10**10,) * 4, unit=1, memory=most))
        fits = fitted(sharding)
        assert fits is not None
        assert max(fits.account.memory) <= most
        times.append(fits.account.time)
    assert times == sorted(times)


def test_who_has_a_part_of_a_table_looks_up_all_rows_all_the_same():
    """Every index is looked at by everyone: a table that is cut by its 64 rows saves no work on 6 rows of 3."""
    text = """program lookup
size B = 6, V = 64, H = 3
input i : i64[B]
parameter w : f32[V, H]
h = embedding(w, i)
output h
"""
    program, made, _, sharding = solved(text, cluster((10**9,) * 2, 10**6), conditions=("w sliced(0)", "i replicated"))
    assert "h_local = embedding(w, i)\nh = ReduceScatter(h_local, 0)\n" in print_program(program)
    cost = sharding.problem.cost(eliminate(sharding.problem).answer.assignment)
    assert cost == made.time == 6 * 3 * 10**12 // 10**9 + 10**6 * 4 * 6 * 3 // 2
