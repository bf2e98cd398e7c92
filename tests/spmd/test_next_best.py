"""The next best programs are the best of what is left, by trying every way of storing, and say why they lose."""

from itertools import product

import pytest
from spmd.joint_problems import MOMENTUM, cluster
from spmd.test_programs import is_right

from p2smt.errors import ProblemError
from p2smt.spmd.devices.shares import even
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.model.build import build
from p2smt.spmd.model.chosen import chosen
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import parse_conditions
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.reading.comparison import runner_ups, why
from p2smt.spmd.search.next_best import differences, next_best
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program

SMALL = MOMENTUM.replace("B = 4096, H = 64", "B = 64, H = 16")
KEPT = ("w", "m")


def by_storage(pricing):
    """The least cost for each way of storing w and m, as the conditions say it."""
    costs = {}
    for layouts in product(("replicated", "sliced(0)", "sliced(1)"), repeat=len(KEPT)):
        wanted = ["x replicated"] + [f"{name} {layout}" for name, layout in zip(KEPT, layouts, strict=True)]
        try:
            answer = eliminate(build(OptionCache(pricing), parse_conditions(wanted, pricing.graph)).problem).answer
        except ProblemError:
            continue
        if isinstance(answer, Best):
            costs[layouts] = answer.cost
    return costs


@pytest.mark.parametrize("unit", [pytest.param(1, marks=pytest.mark.thorough), 1000])  # other prices, the same search
def test_they_are_the_best_of_what_is_stored_otherwise(unit):
    pytest.importorskip("scipy")
    machines = cluster((10**7,) * 4, unit)
    graph = graph_of(parse_program(SMALL))
    pricing = on_one_axis(graph, classes_of(graph), machines, even(4))
    sharding = build(OptionCache(pricing), parse_conditions(["x replicated"], graph))
    first = eliminate(sharding.problem).answer
    found = [first.assignment, *next_best(sharding, chosen(sharding, first.assignment), 4)]
    assert len(found) == 5
    costs = [sharding.problem.cost(each) for each in found]
    assert costs == sorted(by_storage(pricing).values())[:5]
    made = [chosen(sharding, each) for each in found]
    stored = [tuple(each.produced[graph.named[name]] for name in KEPT) for each in made]
    assert len(set(stored)) == 5
    for each in made[1:]:
        assert differences(sharding, made[0], each)
    assert differences(sharding, made[0], made[0]) == ()


def test_they_compute_the_same_and_are_among_the_runner_ups():
    pytest.importorskip("scipy")
    single = parse_program(SMALL)
    sharded = shard(single, cluster((3 * 10**7, 10**7, 10**7), 10), (even(3),), more=3)
    assert len(sharded.spare) == 3
    named = {each.name: each for each in runner_ups(sharded)}
    for name, candidate in sharded.spare:
        is_right(candidate.program, single)
        assert candidate.program != sharded.program
        assert candidate.account.time >= sharded.account.time
        assert name.startswith("next best, ")
        assert any(each.candidate.program == candidate.program and why(each) for each in named.values())


def test_nothing_is_left_where_conditions_leave_one_way():
    pytest.importorskip("scipy")
    single = parse_program("program one\ninput x : f32[8]\ny = x + x\noutput y\n")
    fixed = ("x replicated", "y replicated")
    assert shard(single, cluster((10**9,) * 2), (even(2),), conditions=fixed, beside=False, more=3).spare == ()


@pytest.mark.parametrize("text", [SMALL, MOMENTUM.replace("H = 64", "H = 16")])
def test_each_stores_a_tenth_otherwise_than_every_one_before_where_sources_may_be_cut_as_they_are_read(text):
    """What is read in one cut alone is stored in it, whole or not."""
    pytest.importorskip("scipy")
    graph = graph_of(parse_program(text))
    sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), cluster((10**7,) * 4, 10), even(4))))
    first = chosen(sharding, eliminate(sharding.problem).answer.assignment)
    found = [first, *(chosen(sharding, each) for each in next_best(sharding, first, 4))]
    assert len(found) > 2
    sources = [number for number, tensor in enumerate(graph.tensors) if tensor.source is not None]
    total = sum(graph.tensors[number].bytes for number in sources)
    for later, mine in enumerate(found):
        for before in found[:later]:
            same = sum(
                graph.tensors[number].bytes
                for number in sources
                if mine.produced.get(number) == before.produced.get(number)
            )
            assert 10 * same <= 9 * total
