"""The closed form of the ring cost against rings laid on an explicit graph of links."""

from collections import Counter
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import problem

from p2smt.cost.model import plan_seconds
from p2smt.cost.ranking import best_placement, rank
from p2smt.cost.ring import RingCost, loads
from p2smt.placement.digits import split
from p2smt.plan.lower import Lowering
from p2smt.plan.model import CollectiveStep, Plan
from p2smt.problem.model import Engine, Link
from p2smt.program.collective import Collective
from p2smt.synth.engines import find_programs
from p2smt.synth.placements import all_placements
from p2smt.synth.session import Synthesizer


def tree(plan: Plan) -> nx.Graph:
    """Every unit of every level linked to the unit around it; a device is the unit of all its level digits."""
    graph = nx.Graph()
    sizes = [size for _, size in plan.levels]
    for device in range(plan.devices):
        nx.add_path(graph, [split(device, sizes)[:depth] for depth in range(len(sizes) + 1)])
    return graph


def counted(plan: Plan, step: CollectiveStep) -> tuple[Counter[int], list[int]]:
    """Most rings on a unit's outgoing link per level, and one ring's hops by the outermost level they cross."""
    graph, sizes = tree(plan), [size for _, size in plan.levels]
    rings: Counter[tuple[int, ...]] = Counter()
    hops = [0] * len(sizes)
    for number, group in enumerate(plan.groups(step.groups)):
        for a, b in pairwise([*group, group[0]]):
            path = nx.shortest_path(graph, split(a, sizes), split(b, sizes))
            top = min(map(len, path))
            rings.update(unit for unit in path[: path.index(next(u for u in path if len(u) == top))])
            hops[top] += number == 0
    most: Counter[int] = Counter()
    for unit, count in rings.items():
        most[len(unit) - 1] = max(most[len(unit) - 1], count)
    return most, hops


@pytest.mark.parametrize(
    ("sizes", "axes", "reduce"),
    [
        ((2, 4), [8], [0]),
        ((4, 4), [4, 4], [0]),
        ((2, 2, 3), [4, 3], [0]),
        ((2, 2, 2), [8], [0]),
        ((4, 4), [2, 4, 2], [0, 2]),
    ],
    ids=str,
)
def test_rings_per_link_and_hops_equal_a_count_on_the_graph(sizes, axes, reduce):
    asked = problem(sizes, axes, reduce)
    for matrix in all_placements(asked).items:
        lowering = Lowering(asked, matrix)
        for grouping in lowering.language.groupings:
            steps = find_programs(Engine.EXPLICIT, lowering.language, [2] * lowering.language.levels, 5).items
            using = next((p for p in steps if grouping in [g for g, _ in p]), None)
            if using is None:
                continue
            plan = lowering.plan(lowering.language.program(using))
            for step in plan.steps:
                if isinstance(step, CollectiveStep):
                    most, hops = counted(plan, step)
                    load = loads(plan, step.collective, step.groups, 1.0)
                    assert load.groups == tuple(most[level] for level in range(len(sizes)))
                    assert list(load.hops) == hops


def allreduce(sizes: list[int]) -> Plan:
    asked = problem(sizes, [sizes[0] * sizes[1]])
    return Lowering(asked, all_placements(asked).items[0]).allreduce()


def test_the_known_time_of_one_ring_over_two_nodes():
    plan = allreduce([2, 4])
    links = (Link(1e9, 1e-3), Link(1e12, 1e-6))
    by_hand = 2 * 7 / 8 * plan.payload.bytes / 1e9 + 2 * 7 / 8 * (2 * 1e-3 + 6 * 1e-6)
    assert plan_seconds(RingCost(links), plan) == pytest.approx(by_hand)


positive = st.floats(1e-3, 1e3)


@given(positive, positive, st.floats(1, 100))
def test_time_never_falls_when_bandwidth_falls_or_latency_grows(bandwidth, latency, factor):
    plan = allreduce([4, 4])
    inner = Link(1e9, 1e-6)
    base = plan_seconds(RingCost((Link(bandwidth, latency), inner)), plan)
    assert plan_seconds(RingCost((Link(bandwidth / factor, latency), inner)), plan) >= base
    assert plan_seconds(RingCost((Link(bandwidth, latency * factor), inner)), plan) >= base


def test_ring_bytes_of_every_collective():
    plan = allreduce([2, 4])
    sent = {kind: loads(plan, kind, plan.reduction, 80.0).ring_bytes for kind in Collective}
    assert sent == {
        Collective.ALL_REDUCE: 140.0,
        Collective.REDUCE_SCATTER: 70.0,
        Collective.ALL_GATHER: 560.0,
        Collective.REDUCE: 80.0,
        Collective.BROADCAST: 80.0,
    }


def test_ranking_keeps_every_program_and_puts_the_cheapest_first():
    asked = problem([4, 16], [4, 16], [1])
    synthesis = Synthesizer().synthesize(asked)
    ranked = rank(synthesis, RingCost(tuple(level.link for level in asked.levels)))
    for placed, placement in zip(synthesis.placements, ranked, strict=True):
        assert {entry.program for entry in placement.programs} == set(placed.programs)
        seconds = [entry.seconds for entry in placement.programs]
        assert seconds == pytest.approx(sorted(seconds))
    best = best_placement(ranked)
    assert best is not None
    assert str(best.placed.matrix) == "4x1/1x16"
    crossing = ranked[1]
    assert crossing.programs[0].plan.program == (
        "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), AllReduce); (level0, InsideGroup, AllGather)"
    )
    assert crossing.programs[0].seconds < crossing.allreduce_seconds
