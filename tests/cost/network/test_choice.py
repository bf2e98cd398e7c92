"""What NCCL chooses by itself: for every call the cheaper of ring and tree, and nothing else changes."""

from itertools import product

import pytest
from cost.network.random_systems import placed
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from looped import looped
from support import problem
from tiers import sample

from p2smt.collective import Collective
from p2smt.cost.network.applicable import has_parallel_trees
from p2smt.cost.network.backend import CHOICES, Nccl, cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.double_tree import MOST_MACHINES
from p2smt.cost.network.hop_cost import HopCost
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.traffic import connection, traffic
from p2smt.cost.ranking import rank
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm, Auto
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.reduction.synth.session import synthesize


def each_way(system, work):
    return {one: NetworkCost(system, one).work_cost(work) for one in CHOICES}


@pytest.mark.parametrize("algorithm", [Algorithm.RING, Algorithm.TREE])
def test_what_bounds_connections_of_an_algorithm_bounds_its_calls(algorithm):
    """`flow` of a link is given by algorithm, and looked up by the shape of its hops."""
    assert connection(traffic(Collective.ALL_REDUCE, algorithm, 8).shape)[0] is algorithm


@given(placed(), st.sampled_from(Collective), st.floats(0.1, 1e9))
def test_a_call_takes_the_cheaper_of_ring_and_tree(case, collective, held):
    pattern, system = case
    work = Work(collective, pattern, held)
    costs = each_way(system, work)
    if pattern.group_size == 1:
        assert {cost.algorithm for cost in costs.values()} == {None}
    elif collective is not Collective.ALL_REDUCE:
        able = has_parallel_trees(system, pattern.members) and collective in (
            Collective.ALL_GATHER,
            Collective.REDUCE_SCATTER,
        )
        trees = {Algorithm.PAT} if able else set()
        told = {one: cost for one, cost in costs.items() if one not in (Algorithm.PAT, Auto.AUTO)}
        assert {cost.algorithm for cost in told.values()} == {Algorithm.RING}
        assert costs[Algorithm.PAT].algorithm in (trees or {Algorithm.RING})
        assert costs[Auto.AUTO].seconds == min(cost.seconds for cost in costs.values())
    else:
        cheapest = min((costs[one] for one in Algorithm), key=lambda cost: cost.seconds)
        chosen = costs[Auto.AUTO]
        assert (chosen.seconds, chosen.algorithm) == (cheapest.seconds, cheapest.algorithm)
        assert [costs[one].algorithm for one in (Algorithm.RING, Algorithm.TREE)] == [Algorithm.RING, Algorithm.TREE]
        assert costs[Algorithm.NVLS].algorithm is costs[Algorithm.NVLS_TREE].algorithm is not Algorithm.TREE


@pytest.mark.parametrize("wanted", [Algorithm.RING, Algorithm.TREE])
def test_both_are_chosen(wanted):
    def chosen(drawn):
        (pattern, system), held = drawn
        return NetworkCost(system).work_cost(Work(Collective.ALL_REDUCE, pattern, held)).algorithm is wanted

    # The first example will do; the smallest takes seconds to find.
    find(st.tuples(placed(), st.floats(0.1, 1e9)), chosen, settings=settings(max_examples=100, phases=[Phase.generate]))


def test_over_more_machines_than_trees_are_drawn_for_rings_are_taken():
    system = find_system(f"{2 * MOST_MACHINES}x2")
    work = Work(Collective.ALL_REDUCE, Pattern((((Role.VARYING, 2 * MOST_MACHINES),), ())), 1e9)
    assert NetworkCost(system).work_cost(work) == NetworkCost(system, Algorithm.RING).work_cost(work)


CASES = [("4x4", [16], [0]), ("p2-a100:2x16", [4, 8], [1]), ("2x2x4", [2, 8], [1]), ("dgx-h100:2x8", [2, 8], [1])]


@looped("size", [1 << 10, 1 << 20, 1 << 30])
@looped(("system", "axes", "reduce"), sample(CASES, 2))
def test_the_best_of_all_is_that_of_a_search_over_programs_and_algorithms(system, axes, reduce, size):
    """Brute force: every program with every assignment of rings and trees to its calls."""
    named = [Axis(f"axis{number}", one) for number, one in enumerate(axes)]
    asked = build_problem(find_system(system), named, reduce, Payload(size, "float32"), Search(limit=3))
    single = {one: NetworkCost(asked.system, one) for one in Algorithm}
    for placement in rank(synthesize(asked), cost_of(asked.system)):
        for ranked in placement.programs[::7]:
            assert ranked.seconds == pytest.approx(least_of_all(ranked.plan, single), rel=1e-9)
            for cost in single.values():
                assert ranked.seconds <= cost.plan_seconds(ranked.plan) * (1 + 1e-9)
        best = min(least_of_all(one.plan, single) for one in placement.programs)
        assert placement.programs[0].seconds == pytest.approx(best, rel=1e-9)
        plain = placement.programs[0].lowering.direct
        assert placement.allreduce_seconds == min(cost.plan_seconds(plain) for cost in single.values())


def least_of_all(plan, single):
    times = [[cost.step_cost(plan, step).seconds for cost in single.values()] for step in plan.steps]
    return min(map(sum, product(*times)), default=0.0)


def test_counting_by_hop_chooses_as_counting_by_level_does():
    asked = problem((4, 4), (16,), limit=3)
    by_level, by_hop = NetworkCost(asked.system), HopCost(asked.system)
    seen = set()
    (placement,) = rank(synthesize(asked), by_level)
    for ranked in placement.programs[::5]:
        plan = ranked.plan
        for step in plan.steps:
            costs = [cost.step_cost(plan, step) for cost in (by_level, by_hop)]
            if isinstance(step, CollectiveStep) and len({portion.parts for portion in step.portions}) == 1:
                assert costs[0].seconds == pytest.approx(costs[1].seconds)
                assert costs[0].algorithm is costs[1].algorithm
                seen.add(costs[0].algorithm)
    assert seen >= {Algorithm.RING}


def test_it_is_what_is_taken_when_nothing_is_said():
    assert Nccl().algorithm is Auto.AUTO
    assert NetworkCost(find_system("2x2")).algorithm is Auto.AUTO
