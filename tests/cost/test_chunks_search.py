"""The search over programs in chunks against all programs, lowered in all ways, priced one by one; and its check."""

from dataclasses import replace
from math import prod

import numpy as np
import pytest
from cost.network.random_systems import costs, systems
from cost.test_pipelining import asked
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples, is_full, sample

from p2smt.collective import Collective
from p2smt.cost.chunks_check import claim_fault
from p2smt.cost.chunks_search import ChunksSearch
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.cost.network.pipelining import Pipelines
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Grammar, Payload, Search
from p2smt.problem.system.processors import Processors
from p2smt.reduction.language.hierarchy import language_of, read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import apply_step
from p2smt.reduction.semantics.state_graph import state_graph


def language_and_graph(lowering, goal=Collective.ALL_REDUCE, grammar=Grammar.FULL):
    language = language_of(lowering.hierarchy, grammar, goal)
    return language, state_graph(language)


def all_programs(language):
    """Every program of a language, by applying every step to every state."""
    goal = level_goal(language.goal, language.levels)
    waiting = [(goal.start, ())]
    while waiting:
        state, steps = waiting.pop()
        if goal.is_reached(state):
            yield language.program(steps)
            continue
        for step in language.steps():
            after = apply_step(state, step, language.levels)
            if after is not None and len(steps) < 10:
                waiting.append((after, (*steps, step)))


def least_by_brute_force(lowering, language, cost):
    """The least seconds of all programs, lowered in every way, in 2, 4 ... 256 chunks that are long enough."""
    pipelines, least = Pipelines(cost), np.inf
    for program in all_programs(language):
        for plan in {lowering.plan(program), *lowering.every_plan(program)}:
            most = plan.payload.elements // plan.multiple
            for chunks in (2, 4, 8, 16, 32, 64, 128, 256):
                if chunks <= most:
                    least = min(least, pipelines.pipeline(replace(plan, chunks=chunks)).seconds)
    return least


@pytest.mark.thorough  # tests/cost/test_pipelining.py compares with all programs
def test_the_best_in_chunks_is_that_of_all_programs_lowered_in_all_ways():
    ways = {"found": 0, "none faster": 0}

    @settings(max_examples=examples(2))
    @given(st.data())
    def holds(data):
        sizes = data.draw(st.sampled_from([(2, 3), (4, 2), (2, 2)]))
        system, goal = data.draw(systems(sizes)), data.draw(st.sampled_from(Collective))
        payload = Payload(data.draw(st.sampled_from([27, 130, 1 << 10, 1 << 16, 3 << 22])), "uint8")
        problem = build_problem(system, [Axis("a", prod(sizes))], [0], payload, goal=goal, search=Search())
        lowering = Lowering(problem, all_placements(problem).items[0])
        language, graph = language_and_graph(lowering, goal)
        cost = data.draw(costs(system))
        least = least_by_brute_force(lowering, language, cost)
        for known in (1.5 * least, 0.9 * least):
            found = ChunksSearch(lowering, graph, cost).below(known)
            assert found.seconds == found.least_s == pytest.approx(min(least, known), rel=1e-8)
            assert claim_fault(found.claim, lowering, language, cost) is None
            if found.plan is not None:
                assert cost.plan_seconds(found.plan) == found.seconds
            ways["none faster" if found.plan is None else "found"] += 1

    holds()
    assert min(ways.values()) > (5 if is_full() else 1)


@pytest.mark.parametrize("cores", sample([1, 3], 1))
def test_where_devices_share_cores_the_best_is_found_and_the_claim_holds_only_there(cores):
    """4 kB, or one, that wait for cores alone: with them no program takes as little as without."""
    problem = asked("2x4", 1 << (12 if is_full() else 10))
    lowering = Lowering(problem, all_placements(problem).items[0])
    language, graph = language_and_graph(lowering)
    crowded = replace(problem.system.network, processors=Processors(cores, 1e-5, 1e-5, 1e-6))
    cost, free = (cost_of(replace(problem.system, network=each), Gloo()) for each in (crowded, problem.system.network))
    least = least_by_brute_force(lowering, language, cost)
    assert least > 2 * least_by_brute_force(lowering, language, free)
    found = ChunksSearch(lowering, graph, cost).below(2 * least)
    assert found.seconds == found.least_s == pytest.approx(least, rel=1e-8)
    assert claim_fault(found.claim, lowering, language, cost) is None
    assert claim_fault(found.claim, lowering, language, free) is not None
    more = replace(found.claim, seconds=found.seconds * 1.001)
    assert "takes" in claim_fault(more, lowering, language, cost)


@pytest.fixture(scope="module")
def searched():
    """Three levels whose links take about as long, where more than collectives count: permutations."""
    problem = asked("2x4x8", 2**26)
    lowering = Lowering(problem, all_placements(problem).items[0])
    language, graph = language_and_graph(lowering)
    cost = cost_of(problem.system)
    return lowering, language, graph, cost, ChunksSearch(lowering, graph, cost).below(1.0)


@pytest.mark.thorough  # a larger grid
def test_over_three_levels_it_is_proved_and_no_other_way_to_lower_it_is_faster(searched):
    lowering, language, _, cost, found = searched
    assert found.seconds == found.least_s
    assert claim_fault(found.claim, lowering, language, cost) is None
    program = read_program(lowering.hierarchy, found.plan.program)
    every = lowering.every_plan(program)
    assert found.seconds == min(cost.plan_seconds(replace(plan, chunks=found.plan.chunks)) for plan in every)
    assert lowering.plan(program) in every


@pytest.mark.thorough  # a larger grid
def test_a_search_that_looks_at_little_leaves_a_bound_below_the_best(searched):
    lowering, _, graph, cost, found = searched
    for most in (1, 100):
        part = ChunksSearch(lowering, graph, cost).below(1.0, most)
        assert part.least_s <= found.seconds * (1 + 1e-9)
        assert part.seconds >= found.seconds * (1 - 1e-9)
    assert part.least_s < part.seconds


def test_a_spoiled_claim_is_refused(searched):
    lowering, language, _, cost, found = searched
    claim = found.claim

    def fault(**changes):
        return claim_fault(replace(claim, **changes), lowering, language, cost)

    def with_first(**changes):
        cuts = tuple(
            replace(cut, potentials=(replace(cut.potentials[0], **changes), *cut.potentials[1:])) for cut in claim.cuts
        )
        return fault(cuts=cuts)

    assert "takes" in fault(seconds=claim.seconds * 1.0001)
    assert "nothing is said of" in fault(cuts=claim.cuts[1:])
    potential = claim.cuts[0].potentials[0]
    assert "not a mean" in with_first(weights=potential.weights * 1.01)
    assert "not a mean" in with_first(weights=-potential.weights)
    assert "not a mean" in with_first(part=1.5)
    assert "leaves less" in with_first(left=potential.left * 1.5)
    little_more = tuple(
        replace(cut, potentials=tuple(replace(each, left=each.left * 1.001) for each in cut.potentials))
        for cut in claim.cuts
    )
    assert "leaves less" in (fault(cuts=little_more) or "")
    at_goal = np.where(potential.left == 0, 1e-9, potential.left)
    assert "is left at the goal" in with_first(left=at_goal)
