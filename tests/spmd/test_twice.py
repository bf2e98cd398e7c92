"""Values are computed twice where that is faster, by arithmetic that stands here, and never where it is not."""

import random

import pytest
from looped import looped
from spmd.joint_problems import cluster
from spmd.test_astar import drawn
from spmd.test_programs import is_right
from tiers import is_full, sample

from p2smt.spmd.devices.shares import even, proportional
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.search.sharding import shard
from p2smt.spmd.search.twice import doubled
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

TWO_CUTS = """program cuts
input x : f32[64, 64]
y = exp(x)
a = softmax(y, 0)
b = softmax(y, 1)
output a
output b
"""
CHAIN = TWO_CUTS.replace("y = exp(x)", "y = tanh(exp(x))")
OPERATION = 64 * 64 * 1000
"""Picoseconds of one operation on every element, for a device of 10**9 operations per second."""


@pytest.mark.parametrize(
    ("text", "operations", "unit"),
    sample([(TWO_CUTS, 1, 10**4), (TWO_CUTS, 1, 10**5), (CHAIN, 2, 10**4), (CHAIN, 2, 10**5)], 2),
)
def test_two_cuts_of_a_cheap_value_are_computed_apart(text, operations, unit):
    """One softmax wants rows whole, the other columns. Four devices compute the value everywhere, which takes all of
    its operations, or in both cuts, which takes half of them; an exchange, of 3072 units, is dearer than either."""
    single, machines = parse_program(text), cluster((10**9,) * 4, unit)
    flops = sum(node.flops for node in graph_of(single).nodes if node.operation != "softmax")
    once = shard(single, machines, (even(4),), beside=False)
    twice = shard(single, machines, (even(4),), beside=False, twice=2)
    assert once.account.apart - twice.account.apart == flops * 1000 // 2
    assert flops * 1000 == operations * OPERATION < 3072 * unit
    assert print_program(once.program).count("exp(") == 1
    assert print_program(twice.program).count("exp(") == 2
    assert not any(each.way for each in twice.account.instructions)
    assert twice.lower_bound <= twice.account.time < once.lower_bound
    is_right(twice.program, single)


def test_nothing_is_computed_twice_where_that_gains_nothing():
    """By two devices both cuts take as long as everything; with a free network an exchange takes nothing."""
    single = parse_program(TWO_CUTS)
    for machines in (cluster((10**9,) * 2, 10**4), cluster((10**9,) * 4, 0)):
        shares = (even(len(machines.devices)),)
        once, twice = (shard(single, machines, shares, beside=False, twice=count) for count in (0, 2))
        assert twice.program == once.program


def test_random_programs_never_take_longer_and_compute_the_same():
    rng = random.Random(9)
    faster = 0
    for number in range(20 if is_full() else 6):
        single, machines, _ = drawn(rng)
        if number % 2:
            speeds = tuple(rng.choice((10**9, 2 * 10**9)) for _ in range(rng.randint(3, 5)))
            machines = cluster(speeds, rng.choice((10, 10**4)))
            made = "exp(x)"
            for _ in range(rng.randrange(3)):
                made = f"{rng.choice(('relu', 'tanh'))}({made})"
            single = parse_program(TWO_CUTS.replace("64", rng.choice(("8", "16"))).replace("exp(x)", made))
        shares = (proportional(machines.speeds),)
        once, twice = (shard(single, machines, shares, beside=False, twice=count) for count in (0, 2))
        assert twice.account.apart <= once.account.apart
        assert twice.lower_bound <= min(once.lower_bound, twice.account.time)
        faster += twice.account.apart < once.account.apart
        is_right(twice.program, single)
    assert faster > 0


def test_a_copy_is_read_by_whom_it_is_for():
    graph = graph_of(parse_program(CHAIN))
    named = graph.named
    first = next(node.result for node in graph.nodes if node.operation == "exp")
    copied = doubled(graph, frozenset({first, named["y"]}), frozenset({named["b"]}))
    made = {node.result: node for node in copied.nodes}
    assert [node.operation for node in copied.nodes] == ["exp", "exp", "tanh", "tanh", "softmax", "softmax"]
    assert made[named["a"]].reads == (named["y"],)
    (copy,) = made[named["b"]].reads
    assert copy >= len(graph.tensors)
    assert made[copy].operation == "tanh"
    assert made[copy].reads[0] >= len(graph.tensors)
    assert copied.tensors[copy].shape == copied.tensors[named["y"]].shape


@looped("certify", [True, False])
@looped("twice", [0, 1, 2])
def test_nothing_is_proved_of_programs_with_copies(certify, twice):
    """The certificates are of programs in which every value is computed once, whether a copy is faster or not."""
    for machines in (cluster((10**9,) * 4, 10**4), cluster((10**9,) * 4, 0)):
        found = shard(parse_program(TWO_CUTS), machines, (even(4),), beside=False, certify=certify, twice=twice)
        assert found.proved is (certify and twice == 0)


def test_the_bound_of_one_copy_holds_for_programs_with_more():
    """Two values of which a copy gains something each, of which one is copied."""
    other = "input u : f32[64, 64]\nz = exp(u)\nc = softmax(z, 0)\nd = softmax(z, 1)\noutput c\noutput d\n"
    single = parse_program(TWO_CUTS + other)
    machines = cluster((10**9,) * 4, 10**5)
    once, one, both = (shard(single, machines, (even(4),), beside=False, twice=count) for count in range(3))
    assert once.account.time > one.account.time > both.account.time
    assert one.lower_bound <= both.account.time
