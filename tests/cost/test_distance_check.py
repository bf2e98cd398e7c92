"""The checker of distances: it lets true ones pass, and notices every one that is a unit too large or left out."""

from dataclasses import replace
from functools import cache
from math import prod

import pytest
from cost.unlike import Unlike
from looped import looped
from support import problem

from p2smt.collective import Collective
from p2smt.cost.any_length import Walks, buffer_rules, cheapest_program, graph_of, parts_by_lacking, walk_prices
from p2smt.cost.distance_check import Distances, WalkRules, edges_between, first_fault
from p2smt.cost.network.backend import cost_of
from p2smt.cost.network.cost import LocalWork
from p2smt.cost.step_prices import scale_of, step_seconds
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.language.language import full_language
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import HeldLevels
from p2smt.reduction.semantics.state_graph import state_graph

CASES = [
    ((2, 3), Collective.ALL_REDUCE, 0),
    ((2, 2, 2), Collective.ALL_REDUCE, 1),
    ((2, 4, 3), Collective.ALL_REDUCE, 0),
    ((2, 2, 2), Collective.ALL_GATHER, 10),
    ((2, 4, 2), Collective.REDUCE, 2),
    ((4, 2), Collective.BROADCAST, 0),
]


@cache
def searched(sizes, goal, seed):
    """What makes walks to the cheapest program, the bound that it has, and the rules to check distances by."""
    asked = problem(sizes, [prod(sizes)], goal=goal)
    lowering = Lowering(asked, all_placements(asked).items[0])
    cost = Unlike(cost_of(asked.system), seed, 1.0)
    graph = graph_of(lowering, found_all=False)
    scale = scale_of(cost.plan_seconds(lowering.plan(cheapest_program(graph, lowering, cost))))
    walk = walk_prices(lowering, graph, cost, scale)
    states = [graph.state(number) for number in range(len(graph))]
    table = step_seconds(lowering, graph.language, cost)
    prices = {
        step: {held: min(scale.units(one), scale.bound) for held, one in by.items()} for step, by in table.items()
    }
    works = [LocalWork(asked.payload.bytes / parts) for parts in parts_by_lacking(lowering)]
    rules = WalkRules(
        level_goal(goal, len(sizes)),
        edges_between(graph.language, states),
        prices,
        [scale.units(cost.work_cost(work).seconds) for work in works],
        buffer_rules(graph.language, lowering.significance),
    )
    return lambda: Walks(graph, lowering.significance, walk), scale.bound, rules


def claim_at(bound, walks, goes_below=False):
    """What a search claims where no walk is below a bound; or where one is, as if it had not been seen."""
    assert bool(list(walks.below(bound))) is goes_below
    states = [walks.graph.state(number) for number in range(len(walks.graph))]
    spent = {(states[number], orders): total for (number, orders), total in walks.spent.items()}
    return Distances(bound, dict(zip(states, walks.least.tolist(), strict=True)), spent)


@cache
def claimed(sizes, goal, seed):
    """What is claimed of the cheapest program, and the rules to check it by."""
    walks, bound, rules = searched(sizes, goal, seed)
    return claim_at(bound, walks()), rules


@looped("case", CASES)
def test_true_distances_pass(case):
    claim, rules = claimed(*case)
    assert first_fault(claim, rules) is None


def test_some_claims_need_layouts_and_some_do_not():
    places = [len(claimed(*case)[0].spent) for case in CASES]
    assert min(places) == 1
    assert max(places) > 3


@looped("case", CASES)
def test_one_unit_more_is_noticed_wherever_it_is(case):
    claim, rules = claimed(*case)
    for state, left in claim.left.items():
        assert first_fault(replace(claim, left={**claim.left, state: left + 1}), rules) is not None
    for place, spent in claim.spent.items():
        if spent + claim.left[place[0]] < claim.bound:
            assert first_fault(replace(claim, spent={**claim.spent, place: spent + 1}), rules) is not None


@looped("case", CASES)
def test_a_place_that_is_left_out_is_noticed(case):
    claim, rules = claimed(*case)
    for place, spent in claim.spent.items():
        if spent + claim.left[place[0]] < claim.bound:
            fewer = {other: total for other, total in claim.spent.items() if other != place}
            assert first_fault(replace(claim, spent=fewer), rules) is not None


@looped("case", CASES)
def test_a_bound_above_the_cheapest_program_is_noticed(case):
    claim, rules = claimed(*case)
    assert first_fault(replace(claim, bound=claim.bound * 2), rules) is not None


@looped("case", CASES)
def test_a_bound_is_noticed_from_the_first_unit_above_the_cheapest_walk_on(case):
    walks, bound, rules = searched(*case)
    cheapest, _ = next(walks().below(2 * bound))
    assert first_fault(claim_at(cheapest, walks()), rules) is None
    said = first_fault(claim_at(cheapest + 1, walks(), goes_below=True), rules)
    assert said == f"a program ends at {cheapest}, below {cheapest + 1}"


@pytest.mark.parametrize("goal", Collective)
def test_a_state_that_is_left_out_is_noticed(goal):
    language = full_language(2, goal=goal)
    graph = state_graph(language)
    states = [graph.state(number) for number in range(len(graph))]
    edges = edges_between(language, states)
    assert sum(map(len, edges.values())) == len(graph.source)
    for missing in states:
        faults = edges_between(language, [state for state in states if state != missing])
        assert isinstance(faults, str), missing


def test_after_the_deadline_nothing_is_known():
    language = full_language(2)
    assert edges_between(language, [(HeldLevels(),) * 4], deadline=0.0) is None
