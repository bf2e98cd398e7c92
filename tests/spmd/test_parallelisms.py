"""Which ways of the trade come out where, by arithmetic that stands here: vocabulary, sequence, ZeRO, experts.

The network is that of `test_expected.py`: with m devices an AllGather or ReduceScatter of V bytes takes V (m - 1) / m
units, an AllReduce twice that.
"""

from fractions import Fraction

import pytest
from spmd.joint_problems import MOMENTUM, cluster
from spmd.test_baselines import EXPERTS
from tiers import sample

from p2smt.spmd.account.recognition import recognised
from p2smt.spmd.devices.shares import even, vertices
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.layout import Sliced
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

SPEED = 10**7
"""So slow that nobody computes twice what can be cut."""


def best(text, machines, conditions=()):
    return shard(parse_program(text), machines, (even(len(machines.devices)),), conditions=conditions, beside=False)


def called(program):
    return [each.name for each in recognised(program)]


LOSS = """program loss
size B = {batch}, H = 16, V = {words}
input h : f32[B, H]
parameter w : f32[V, H]
scalar lr
e = exp(linear(h, w))
s = sum(e, 1)
g = einsum("b v, b -> b v", e, 1 / s)
loss = sum(log(s))
w_new = update(w, w - lr * einsum("b v, b h -> v h", g, h))
output loss
"""


@pytest.mark.parametrize(("batch", "words"), [(8, 512), (16, 128), (512, 16), (512, 24)])
def test_the_vocabulary_is_cut_for_small_batches_and_large_vocabularies(batch, words):
    """By words: sums of B numbers are added up, 2 (m-1)/m * 4B. By samples: a gradient of V x 16 is, as it is scattered
    or added up and everywhere then, at least (m-1)/m * 4 * 16V: dearer by far unless B is far larger than V."""
    m, unit = 4, 10
    made = best(LOSS.format(batch=batch, words=words), cluster((SPEED,) * m, unit))
    by_words, by_samples = 2 * 4 * batch, 2 * 4 * 16 * words
    assert made.account.communication <= unit * (m - 1) * min(by_words, by_samples) // m + m
    assert ("tensor parallelism" in called(made.program)) == (by_words < by_samples)
    assert ("data parallelism" in called(made.program)) == (by_words > by_samples)


BLOCKS = """program blocks
size S = 8, H = 8, F = 32
input x : f32[1, S, H]
parameter w1 : f32[H, F]
parameter w2 : f32[F, H]
parameter v1 : f32[H, F]
parameter v2 : f32[F, H]
n = layernorm(x, 2)
y = x + matmul(relu(matmul(n, w1)), w2)
k = layernorm(y, 2)
z = y + matmul(relu(matmul(k, v1)), v2)
output z
"""
MEGATRON = ("x replicated", "w1 sliced(1)", "w2 sliced(0)", "v1 sliced(1)", "v2 sliced(0)", "z replicated")


def test_norms_between_megatrons_parts_are_cut_along_the_sequence_where_computing_counts():
    """An AllReduce is a ReduceScatter and an AllGather of the same volume, and between the two each device norms its
    own positions: half of the work, for nothing more to send. The first norm's parts are gathered for that too."""
    slow = best(BLOCKS, cluster((SPEED,) * 2, 1), MEGATRON)
    (pair,) = [each for each in recognised(slow.program) if each.name == "Megatron's tensor parallelism"]
    assert pair.detail.startswith("w1 by columns, w2 by rows, and 1 more such")
    text = print_program(slow.program)
    assert "ReduceScatter(" in text
    assert [line for line in text.splitlines() if line.startswith("k") and "AllGather" in line]
    sent = [(each.text, each.bytes) for each in slow.account.instructions if each.way is not None]
    activation = 4 * 8 * 8
    assert sorted(sent) == [("AllGather", activation)] * 3 + [("ReduceScatter", activation)] * 2


@pytest.fixture(scope="module")
def ways():
    """Of data parallelism without memory in the way: the peak, the time, and what it is called."""
    made = shard(parse_program(MOMENTUM), cluster((10**10,) * 4, 1), (even(4),)).baselines
    data = [each for name, each in made if name.startswith("data parallel")]
    return [(max(each.account.memory), each.account.time, called(each.program)) for each in data]


def test_zeros_stages_hold_three_quarters_of_a_state_and_of_a_parameter_less(ways):
    """m and w take 4 * 64 * 64 = 16,384 bytes each; of four devices each keeps a quarter, and sends no more: an
    AllReduce is a ReduceScatter of the gradient and an AllGather of the new w, or of the old one before it is used."""
    peaks, times, names = zip(*ways, strict=True)
    assert names == (["data parallelism"], ["data parallelism", "ZeRO-2"], ["data parallelism", "ZeRO-3"])
    assert [peaks[0] - peak for peak in peaks] == [0, 12_288, 24_576]
    assert times[1] == times[2] < times[0]


def test_states_are_sliced_and_then_parameters_as_memory_falls(ways):
    """Where w is to stay whole, less memory than plain data parallelism takes slices m; less than that asks for w."""
    pytest.importorskip("scipy")
    peaks = [peak for peak, _, _ in ways]
    by_samples = ("x sliced(0)", "w replicated")
    states = best(MOMENTUM, cluster((10**10,) * 4, 1, memory=peaks[0] - 1), by_samples)
    assert "ZeRO-2" in called(states.program)
    assert max(states.account.memory) == peaks[1]
    refused = best(MOMENTUM, cluster((10**10,) * 4, 1, memory=peaks[1] - 1), by_samples)
    assert refused.lacks
    everything = best(MOMENTUM, cluster((10**10,) * 4, 1, memory=peaks[1] - 1), by_samples[:1])
    assert "ZeRO-3" in called(everything.program)
    assert not everything.lacks


FAST_AND_SLOW = (2 * 10**6, 2 * 10**6, 10**6, 10**6)


@pytest.mark.parametrize("experts", sample([5, 4, 9, 13, 16, 6], 1))
def test_experts_that_do_not_divide_are_placed_without_padding(experts):
    """In proportion a fast device has E / 3 experts, a slow one E / 6. Experts are whole: the one that has longest to
    compute has less than one more than that, in the time that one takes it. Padded to a multiple of four devices, each
    has ceil(E / 4), and a slow one is waited for: 2 where 5 experts take ours 1, in slow devices' time for one."""
    made = shard(parse_program(EXPERTS.format(experts=experts)), cluster(FAST_AND_SLOW, 1), vertices(FAST_AND_SLOW))
    named = dict(made.baselines)
    parallel = named["expert parallel, proportional"]
    (first,) = [source.layouts[0].layout for source in parallel.program.sources if source.name == "first"]
    assert isinstance(first, Sliced)
    counts = first.sizes or (1,) * 4
    assert sum(counts) == experts
    taken = max(Fraction(count * 10**6, speed) for count, speed in zip(counts, FAST_AND_SLOW, strict=True))
    assert taken < Fraction(experts, 6) + 1
    assert taken <= -(-experts // 4)
    padded = named["expert parallel, even"].account.time
    assert made.account.time <= parallel.account.time < padded
    assert (experts % 4 == 1) <= (parallel.account.time < 0.97 * padded)
