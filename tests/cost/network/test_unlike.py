"""Prices on units of unlike size: by hand, as on units of one size where there are none, as among any members."""

from itertools import permutations, product

import pytest
from looped import looped
from support import plans, problem, refused
from unlike_plans import every_plan, unlike_plan, unlike_problem

from p2smt.collective import Collective
from p2smt.cost.above_wire import least_seconds, placement_wire
from p2smt.cost.explanation import problem_of
from p2smt.cost.network.backend import BACKENDS, Gloo, Nccl, cost_of
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.hop_cost import HopCost
from p2smt.cost.network.members import MembersCost
from p2smt.cost.network.traffic import carriers
from p2smt.cost.network.unlike import UnlikeCost, unlike_cost
from p2smt.cost.network.wire import LinkBound
from p2smt.errors import ProblemError
from p2smt.problem.model import Search
from p2smt.problem.system.algorithm import CHOICES, Algorithm
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep


@pytest.mark.parametrize("algorithm", CHOICES)
def test_on_units_of_one_size_prices_are_those_by_level(algorithm):
    asked = problem([2, 4], [4, 2])
    by_level, by_hop = cost_of(asked.system, Nccl(algorithm)), UnlikeCost(asked.system, algorithm)
    for plan in plans(asked)[:30]:
        assert by_hop.plan_seconds(plan) == pytest.approx(by_level.plan_seconds(plan), rel=1e-9)


@looped(("backend", "goal"), list(product(BACKENDS, Collective)))
def test_one_collective_takes_what_it_takes_among_these_members(backend, goal):
    plan = unlike_plan(f"(root, InsideGroup, {goal})", goal)
    members = MembersCost(plan.system, backend, plan.present)
    held = plan.payload.bytes // (8 if goal.gathers else 1)
    assert cost_of(plan.system, backend).plan_seconds(plan) == pytest.approx(members.collective(goal, held))


@pytest.mark.parametrize("goal", Collective, ids=str)
def test_of_units_of_unlike_size_no_wire_is_claimed(goal):
    plan = unlike_plan(f"(root, InsideGroup, {goal})", goal)
    lowering = Lowering(unlike_problem("node:[5,3]", (8,), goal), plan.matrix)
    assert placement_wire(lowering) == LinkBound(0.0, (0.0,) * len(plan.system.network.links))
    least, busy = least_seconds(lowering)
    assert 0 < max(least, *busy) <= cost_of(plan.system).plan_seconds(plan)


def test_the_step_ends_when_the_largest_group_ends():
    """Rings of five and of three inside nodes: each port passes 2 x 4/5 of the payload, which is more than 2 x 2/3."""
    plan = unlike_plan(
        "(node, InsideGroup, AllReduce); (node, Master(root), AllReduce); (node, InsideGroup, Broadcast)"
    )
    local, masters, _ = plan.steps
    system, size = plan.system, plan.payload.bytes
    inside, across = system.network.at("gpu")[0], system.network.at("node")[0]
    cost = UnlikeCost(system, Algorithm.RING)
    assert cost.step_cost(plan, local).links_s == pytest.approx(2 * 4 / 5 * size / inside.bandwidth)
    assert cost.step_cost(plan, masters).links_s == pytest.approx(size / across.bandwidth)
    assert cost.step_cost(plan, local).latency_s == pytest.approx(2 * 4 / 5 * 5 * inside.latency)


@pytest.mark.parametrize("goal", Collective, ids=str)
def test_plans_counted_hop_by_hop_take_as_much_where_groups_hold_equally_much(goal):
    for plan in every_plan("rack:2,node:[2,1],gpu:2", (6,), "2x2x2", goal, limit=2):
        cost, by_hop = cost_of(plan.system, Nccl()), HopCost(plan.system)
        for step in plan.steps:
            if not isinstance(step, CollectiveStep) or len(step.portions) == 1:
                assert by_hop.step_cost(plan, step).seconds == pytest.approx(cost.step_cost(plan, step).seconds)


def test_gloo_prices_groups_of_unlike_size():
    plan = unlike_plan()
    seconds = [cost_of(plan.system, Gloo()).step_cost(plan, step).seconds for step in plan.steps]
    assert all(each > 0 for each in seconds)


def test_plans_are_explained_on_systems_with_the_same_units():
    plan = unlike_plan()
    assert problem_of(plan, plan.system, Search()) == unlike_problem("node:[5,3]", (8,))
    said = refused(lambda: problem_of(plan, find_system("node:[3,5]"), Search()), ProblemError)
    assert "the plan is for units of 2x[5,3], but the system has units of 2x[3,5]" in said


@pytest.mark.parametrize("sizes", [(2, 3, 5), (1, 8, 3), (4, 4, 3)], ids=str)
def test_a_step_takes_as_long_in_whatever_order_its_groups_are_listed(sizes):
    """Groups of unlike size that hold unlike much: no part of the price is that of whoever comes first."""
    system = find_system(f"node:{list(sizes)}".replace(" ", ""))
    first = [sum(sizes[:number]) for number in range(len(sizes))]
    groups = [(range(start, start + size), 1e6 * size) for start, size in zip(first, sizes, strict=True) if size > 1]
    cluster = ClusterGraph(system)
    for collective, algorithm in product(Collective, Algorithm):
        if algorithm not in carriers(collective, algorithm, 1):
            continue
        costs = [unlike_cost(cluster, system, collective, algorithm, order) for order in permutations(groups)]
        alone = [unlike_cost(cluster, system, collective, algorithm, [group]) for group in groups]
        for cost in costs:
            assert cost.rounds == max(each.rounds for each in alone)
            assert cost.memory_s == max(each.memory_s for each in alone)
            assert cost.seconds == pytest.approx(costs[0].seconds, rel=1e-9)
            assert cost.latency_s >= max(each.latency_s for each in alone) * (1 - 1e-9)
