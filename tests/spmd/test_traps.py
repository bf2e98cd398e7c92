"""Mistakes of published sharding code, of each of which a step that would show it is sharded, trained and compared.

A layer norm's weights that are not trained; a length of 1 that is cut; clipping by each rank's own norm; ranks that
drop out alike; a weight used twice; a mean over unequal shares; an einsum cut where it cannot be; a program with the
shares of another; a sum in place of what is still read; convolutions priced without their kernels; a queue without an
order. That wrong rules of layouts are refused: tests/tensor/test_traps.py. That no order of elimination loses the
optimum: test_engines.py.
"""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from looped import looped
from spmd.joint_problems import cluster
from spmd.test_astar import drawn
from spmd.training import apart
from tiers import is_full

from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.shares import proportional, vertices
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.hap import astar
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import parse_conditions
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.derivation import check
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Sliced
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

SPEEDS = (3 * 10**5, 10**5, 10)
"""Unlike, and one that gets nothing."""


def trained(text, *conditions):
    """The sharded program's text; it has to be right, and its parameters to move as those of one device do."""
    single = parse_program("program trap\n" + text)
    graph = graph_of(single)
    sharding = build(
        OptionCache(on_one_axis(graph, classes_of(graph), cluster(SPEEDS), proportional(SPEEDS))),
        parse_conditions(conditions, graph),
    )
    program = emit(sharding, eliminate(sharding.problem).answer.assignment)
    inferred = infer(program)
    assert isinstance(inferred, Inferred), inferred
    assert check(program, inferred) is None
    assert apart(program, single) is None
    return print_program(program)


NORMED = """input x : f32[8, 6]
parameter weight : f32[6]
parameter bias : f32[6]
scalar lr
n = layernorm(x, 1)
y = n * weight + bias
loss = sum(y * y)
weight_new = update(weight, weight - lr * sum(y * n, 0))
bias_new = update(bias, bias - lr * sum(y, 0))
output loss
"""


@pytest.mark.parametrize("stored", ["replicated", "sliced(0)"])
def test_weight_and_bias_of_a_layer_norm_are_trained(stored):
    text = trained(NORMED, "x sliced(0)", f"weight {stored}", f"bias {stored}")
    assert text.count("AllReduce(") + text.count("ReduceScatter(") >= 2


POSITIONS = """input x : f32[8, 6]
parameter p : f32[1, 6]
scalar lr
y = x + p
loss = sum(y * y)
p_new = update(p, p - lr * reshape(sum(y, 0), 1, 6))
output loss
"""


def test_a_parameter_of_length_one_is_whole_and_its_gradient_summed():
    text = trained(POSITIONS, "x sliced(0)")
    assert "p : f32[1, 6] sliced(0" not in text
    assert "AllReduce(" in text or "ReduceScatter(" in text or "AllToAll(" in text


STEP = """input x : f32[8, 6]
parameter w : f32[6, 6]
scalar lr
y = {forward}
loss = {loss}
g = matmul(transpose(x, 1, 0), y)
w_new = update(w, w - lr * {gradient})
output loss
"""


def step(forward="matmul(x, w)", loss="sum(y * y)", gradient="g"):
    return STEP.format(forward=forward, loss=loss, gradient=gradient)


@pytest.mark.parametrize("stored", ["replicated", "sliced(0)", "sliced(1)"])
def test_gradients_are_clipped_by_the_norm_of_all_ranks(stored):
    trained(step(gradient="g * minimum(1, 0.01 / norm(g))"), "x sliced(0)", f"w {stored}")


@pytest.mark.parametrize("condition", ["x sliced(0)", "w sliced(1)"])
def test_what_is_dropped_does_not_depend_on_the_rank(condition):
    assert "dropout(" in trained(step(forward="dropout(matmul(x, w), 0.5, seed=1)"), condition)


@pytest.mark.parametrize("stored", ["replicated", "sliced(0)", "sliced(1)"])
def test_a_weight_is_used_twice_by_different_cuts(stored):
    trained(step(forward="matmul(relu(matmul(x, w)), w)"), "x sliced(0)", f"w {stored}")
    trained(step(forward="matmul(matmul(x, w), transpose(w, 1, 0))"), f"w {stored}")


def test_a_mean_is_over_all_samples_whatever_the_shares():
    assert "sizes=6/2/0" in trained(step(loss="mean(y * y)"), "x sliced(0)")


EXPERTS = """input x : f32[2, 3, 4, 5]
input z : f32[2, 4, 3, 4]
parameter w : f32[5]
scalar lr
y = einsum("b e c d, b s e c -> b s d", x, z)
loss = sum(y * y)
w_new = update(w, w - lr * sum(y, 0, 1))
output loss
"""


@looped("condition", [*(f"x sliced({at})" for at in range(4)), *(f"z sliced({at})" for at in range(4))])
def test_an_einsum_is_cut_along_each_of_its_labels(condition):
    trained(EXPERTS, condition)


def test_the_answer_has_its_own_shares():
    single = parse_program("program own\n" + step())
    speeds = (4 * 10**5, 2 * 10**5, 10**5)
    machines = cluster(speeds)
    sharded = shard(single, machines, vertices(speeds))
    assert len({print_program(each.program) for each in sharded.candidates}) == 3
    for answer in (sharded, *sharded.candidates):
        made = account(answer.program, machines)
        assert made == answer.account
        cuts = [each.layout for source in answer.program.sources for each in source.layouts]
        sizes = {cut.sizes for cut in cuts if isinstance(cut, Sliced) and cut.sizes and sum(cut.sizes) == 6}
        assert sizes <= {answer.shares.atoms(6)}
    assert sharded.account.time == min(each.account.time for each in sharded.candidates)


SUMMED = """input x : f32[8, 6]
parameter w : f32[6]
scalar lr
s = sum(x, 0)
t = s + s
e = exp(s)
w_new = update(w, w - lr * (t + e))
loss = sum(t)
output loss
"""


def test_a_summand_that_is_still_read_is_not_overwritten():
    text = trained(SUMMED, "x sliced(0)")
    names = [line.split(" = ")[0] for line in text.splitlines() if " = " in line]
    assert len(names) == len(set(names))


def test_a_convolution_is_priced_with_its_kernel():
    work = {}
    for kernel in (1, 3):
        text = f"input x : f32[2, 3, 8, 8]\nparameter w : f32[4, 3, {kernel}, {kernel}]\n"
        text += f"y = conv2d(x, w, padding={kernel // 2})\noutput y\n"
        work[kernel] = graph_of(parse_program("program conv\n" + text)).nodes[0].flops
    assert work[3] == 9 * work[1] == 9 * 2 * (2 * 4 * 8 * 8) * 3


def test_the_queue_of_the_search_has_one_order_and_without_it_the_optimum_is_lost(monkeypatch):
    """What leaves the queue never has a lower score than what left before, and no two have one place in it. A guard:
    a queue that is emptied as it was filled ends some searches too early."""
    rng, lost, looked = random.Random(8), 0, 0
    for _ in range(25 if is_full() else 15):
        single, machines, shares = drawn(rng)
        graph = graph_of(single)
        sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), machines, shares)))
        least = eliminate(sharding.problem).answer.cost
        left = []

        def popped(queue, left=left):
            left.append(heapq.heappop(queue))
            return left[-1]

        monkeypatch.setattr(astar, "heapq", _Queue(heapq.heappush, popped))
        assert astar.astar(sharding).answer.cost == least
        scores, places = [each[0] for each in left], [each[:3] for each in left]
        assert scores == sorted(scores)
        assert len(set(places)) == len(places)
        looked += len(places)
        monkeypatch.setattr(astar, "heapq", _Queue(list.append, lambda queue: queue.pop(0)))
        lost += astar.astar(sharding).answer.cost > least
    assert looked > (100 if is_full() else 50)
    assert lost > (2 if is_full() else 0)


@dataclass(frozen=True)
class _Queue:
    """In the place of the module `heapq`."""

    heappush: Callable
    heappop: Callable
