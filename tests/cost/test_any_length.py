"""The cheapest program of any length, against all programs there are, lowered in all ways there are."""

from dataclasses import replace
from functools import cache
from itertools import product
from math import inf, nextafter, prod

import numpy as np
import pytest
from cost.network.random_systems import systems
from cost.unlike import Unlike
from hypothesis import given, settings
from hypothesis import strategies as st
from reduction.plan.all_layouts import alike, fewest_permuted
from support import problem, programs
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.cost import any_length
from p2smt.cost.any_length import Reach, cheapest_program, graph_of
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.cost.network.cost import LocalWork
from p2smt.cost.ranking import Ranker, competition_ranks, rank
from p2smt.cost.step_prices import step_seconds
from p2smt.cost.ten_digits import ten_digits
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Engine, Grammar, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.text import find_system
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import apply_step, class_groups
from p2smt.reduction.semantics.state_graph import StateGraph, state_graph
from p2smt.reduction.synth.session import synthesize

BACKENDS = (*map(Nccl, Algorithm), Gloo())
LONGEST = 10


@cache
def every_program(levels, goal):
    """All programs of any length, and per program its steps with the sets that are scattered on their roots."""
    every = sorted(programs(Engine.EXPLICIT, (2,) * levels, LONGEST, goal=goal), key=lambda steps: (len(steps), steps))
    assert max(map(len, every)) < LONGEST
    return [(steps, _charges(steps, level_goal(goal, levels).start, levels)) for steps in every]


def _charges(steps, state, levels):
    found = []
    for step in steps:
        found.append((step, frozenset(state[group[0]].scattered for group in class_groups(step[0], levels))))
        state = apply_step(state, step, levels)
    return found


def least_seconds(lowering, cost):
    """What the cheapest of all programs takes, with the fewest bytes permuted.

    From the program that is cheapest without permutations on; when one without them takes more, no other is cheaper.
    """
    sizes = [level.size for level in lowering.hierarchy.reduction_levels]
    goal = lowering.problem.goal
    table = step_seconds(lowering, language_of(lowering.hierarchy, Grammar.FULL, goal), cost)
    whole = cost.work_cost(LocalWork(lowering.problem.payload.bytes)).seconds
    alone = [
        (sum(max(table[step][held] for held in sets) for step, sets in charges), steps)
        for steps, charges in every_program(len(sizes), goal)
    ]
    best, tried = float("inf"), 0
    for seconds, steps in sorted(alone, key=lambda one: one[0]):
        if seconds >= best:
            break
        payloads, _ = fewest_permuted(steps, sizes, goal, alike)
        best, tried = min(best, seconds + float(payloads) * whole), tried + 1
    return best, tried


def checked(system, sizes, payload, backend, goal):
    """Compare on one system; how many programs had to be lowered, and the length of the one that is found."""
    asked = build_problem(system, [Axis("a", prod(sizes))], [0], Payload(payload, "uint8"), goal=goal)
    (matrix,) = all_placements(asked).items
    lowering, cost = Lowering(asked, matrix), cost_of(system, backend)
    best, tried = least_seconds(lowering, cost)
    program = cheapest_program(graph_of(lowering, found_all=False), lowering, cost)
    found = cost.plan_seconds(lowering.plan(program))
    assert found == pytest.approx(best, rel=1e-12)
    graph = graph_of(lowering, found_all=False)
    assert cheapest_program(graph, lowering, cost, than=found) is None
    last_bit = nextafter(found, inf)
    equal = ten_digits(last_bit) == ten_digits(found)
    assert (cheapest_program(graph, lowering, cost, than=last_bit) is None) == equal
    assert cheapest_program(graph, lowering, cost, than=found * (1 + 1e-8)) == program
    return tried, len(program)


SIZES = [(2, 3), (4, 2), (2, 8), (2, 2, 2), (2, 4, 2), (4, 2, 2), (3, 2, 4)]
PAYLOADS = [1, 16, 1000, 10**7]


@settings(max_examples=30 if is_full() else 2)
@given(st.data())
def test_no_program_of_any_length_is_cheaper_however_it_is_lowered(data):
    sizes = data.draw(st.sampled_from(SIZES))
    system = data.draw(systems(sizes))
    backend, goal = data.draw(st.sampled_from(BACKENDS)), data.draw(st.sampled_from(Collective))
    checked(system, sizes, data.draw(st.sampled_from(PAYLOADS)), backend, goal)


@pytest.mark.thorough  # random prices are tried in the other tests of this file
@pytest.mark.parametrize("goal", sample([Collective.ALL_REDUCE, Collective.ALL_GATHER, Collective.REDUCE], 1))
def test_odd_prices_lead_to_long_programs_and_to_permutations(goal):
    lengths, permuted = set(), 0
    for seed in range(12 if is_full() else 2):
        sizes = ((2, 2, 2), (2, 4, 3))[seed % 2]
        asked = problem(sizes, [prod(sizes)], goal=goal)
        (matrix,) = all_placements(asked).items
        lowering = Lowering(asked, matrix)
        cost = Unlike(cost_of(asked.system), seed, (0.01, 1.0, 30.0)[seed % 3])
        program = cheapest_program(graph_of(lowering, found_all=False), lowering, cost)
        plan = lowering.plan(program)
        best, _ = least_seconds(lowering, cost)
        assert cost.plan_seconds(plan) == pytest.approx(best, rel=1e-12)
        lengths.add(len(program))
        permuted += len(plan.steps) > len(program)
    assert len(lengths) > (2 if is_full() else 0)
    assert permuted > 0 or goal is Collective.REDUCE


@pytest.mark.parametrize(
    ("name", "payload", "algorithm", "instructions", "microseconds"),
    [
        ("2x4x4x8", 2**20, Algorithm.RING, 7, 381.0),
        ("4x4x4", 2**20, Algorithm.TREE, 6, 385.5),
        ("4x2x4x4", 4096, Algorithm.RING, 7, 155.6),
        ("4x2x4x4", 4096, Algorithm.TREE, 6, 120.5),
    ],
)
def test_the_best_program_is_longer_than_the_limit_where_that_pays(
    name, payload, algorithm, instructions, microseconds
):
    """Figures of an independent search, for calls that cost nothing to begin."""
    system = find_system(name)
    system = replace(system, network=replace(system.network, launch=0.0))
    axes = [Axis("data", prod(level.size for level in system.levels))]
    asked = build_problem(system, axes, [0], Payload(payload, "float32"), Search(limit=2))
    (placement,) = rank(synthesize(asked), cost_of(system, Nccl(algorithm)))
    best, *others = placement.programs
    assert len(best.program) == instructions
    assert best.seconds * 1e6 == pytest.approx(microseconds, abs=0.06)
    assert (placement.any_length, best.beyond_limit, best.rank) == (True, True, 1)
    assert [one.program for one in others] != []
    assert {one.program for one in others} == set(placement.placed.programs)
    assert not any(one.beyond_limit for one in others)
    assert others[0].rank == 2
    assert (
        Ranker(cost_of(system, Nccl(algorithm)), any_length=False)
        .placement(asked, placement.placed)
        .programs[0]
        .seconds
        == others[0].seconds
    )


@pytest.mark.parametrize("limit", sample([3, 1, 5], 1))
def test_up_to_the_limit_both_ways_find_the_same_time(limit):
    """Nothing is cheaper than the best of all programs; what has fewer instructions is found without a graph."""
    sizes = (2, 4, 2) if is_full() else (2, 2, 2)
    asked = problem(sizes, (prod(sizes),), limit=limit, engine=Engine.EXPLICIT)
    cost = cost_of(asked.system, Nccl(Algorithm.TREE))
    synthesis = synthesize(asked)
    (placement,) = rank(synthesis, cost)
    best, _ = least_seconds(placement.programs[0].lowering, cost)
    assert ten_digits(placement.programs[0].seconds) == ten_digits(best)
    order, numbers = competition_ranks([one.seconds for one in placement.programs])
    assert order == sorted(order)
    assert numbers == [one.rank for one in placement.programs]


def test_over_more_levels_than_a_graph_is_made_for_the_limit_stays():
    asked = problem((2,) * 6, (64,), limit=1)
    (placement,) = rank(synthesize(asked), cost_of(asked.system))
    assert placement.reach is Reach.LEVELS
    assert not placement.any_length
    assert [len(one.program) for one in placement.programs] == [1]
    asked = problem((2, 1), (2,), (0,), limit=1)
    assert np.all([placed.any_length for placed in rank(synthesize(asked), cost_of(asked.system))])


@pytest.mark.parametrize(("limit", "needed"), [(8, True), (9, False)])
def test_beyond_the_longest_program_there_is_nothing_to_search(limit, needed):
    asked = problem((2, 4, 2), (16,), limit=limit)
    lowering = Lowering(asked, all_placements(asked).items[0])
    assert (graph_of(lowering, found_all=True) is not Reach.ALL) == needed
    assert isinstance(graph_of(lowering, found_all=False), StateGraph)


@pytest.mark.parametrize("most", [2, 3, 4])
def test_as_many_levels_as_graphs_are_made_for_are_searched(most, monkeypatch):
    asked = problem((2, 2, 2), (8,), limit=1)
    monkeypatch.setattr(any_length, "MAX_LEVELS", most)
    (placement,) = rank(synthesize(asked), cost_of(asked.system))
    assert placement.reach is (Reach.LEVELS if most < 3 else Reach.CHEAPEST)


def test_of_equally_cheap_programs_the_shortest_is_found():
    """Where bytes alone take time, a scatter and a gather take what an all-reduce takes, but for the last bits."""
    for size, rate in product(range(2, 15), (1e9 / 3, 1e9, 1.1e9)):
        asked = problem((size,), (size,))
        network = asked.system.network
        links = tuple(replace(link, latency=0.0, bandwidth=rate) for link in network.links)
        alone = replace(network, links=links, launch=0.0, memory_bandwidth=inf)
        asked = replace(asked, system=replace(asked.system, network=alone))
        lowering, cost = Lowering(asked, all_placements(asked).items[0]), cost_of(asked.system, Nccl(Algorithm.RING))
        assert len(cheapest_program(graph_of(lowering, found_all=False), lowering, cost)) == 1


def test_a_graph_serves_all_placements_of_a_language():
    first, second = (
        graph_of(Lowering(asked, all_placements(asked).items[0]), found_all=False)
        for asked in (problem((2, 4, 2), (16,)), problem((8, 2, 8), (128,)))
    )
    assert first is second
    assert first is state_graph(first.language)


def test_after_the_deadline_nothing_longer_is_looked_for():
    asked = problem((2, 2, 3, 2), (24,), limit=1)
    (placement,) = rank(synthesize(asked), cost_of(asked.system), deadline=0.0)
    assert (placement.reach, placement.any_length) == (Reach.LATE, False)
    assert [len(one.program) for one in placement.programs] == [1]
    (placement,) = rank(synthesize(asked), cost_of(asked.system))  # what was cut off is not kept
    assert placement.any_length
    assert len(placement.programs[0].program) > 1
    (placement,) = rank(synthesize(asked), cost_of(asked.system), deadline=0.0)  # nor is a kept graph walked on then
    assert placement.reach is Reach.LATE
