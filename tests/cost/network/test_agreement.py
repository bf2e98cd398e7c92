"""The loads by level against the same counted hop by hop on the graph of the cluster."""

from collections import Counter
from dataclasses import fields

import pytest
from cost.network.random_systems import listed, placed, shapes_on
from hypothesis import given, settings
from looped import looped
from support import problem
from tiers import examples, is_full, sample

from p2smt.cost.network.cluster_graph import MOST_DEVICES, ClusterGraph
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.levels import pattern_loads
from p2smt.cost.network.load import LinkLoad, around_seconds
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.traffic import HopShape, traffic
from p2smt.errors import ProblemError
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.link import Wiring
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, applies
from p2smt.reduction.synth.session import Synthesizer

AMOUNTS = ("incoming", "outgoing", "busiest", "switch", "flow")


def assert_equal_loads(by_level, by_hop):
    """All fields; of `hops` their seconds, because which of two equally long ways is named is open."""
    assert {field.name for field in fields(LinkLoad)} == {"link", "ports", "hops", "algorithm", "is_send", *AMOUNTS}
    kinds = [[(load.link, load.ports, load.algorithm) for load in loads] for loads in (by_level, by_hop)]
    assert kinds[0] == kinds[1]
    for one, other in zip(by_level, by_hop, strict=True):
        found, counted = ([getattr(load, name) for name in AMOUNTS] for load in (one, other))
        assert found == pytest.approx(counted, rel=1e-9, abs=1e-9), one.link
    assert around_seconds(by_level) == pytest.approx(around_seconds(by_hop))


def test_both_calculations_agree_on_random_systems_and_patterns():
    loaded, samples = Counter(), Counter()

    @settings(max_examples=examples(60))
    @given(placed())
    def agree(case):
        pattern, system = case
        groups = [(group, 1.0) for group in listed(pattern)]
        cluster = ClusterGraph(system)
        samples[system.machine] += 1
        for shape in shapes_on(pattern, system):
            loads = pattern_loads(pattern, system, shape)
            assert_equal_loads(loads, explicit_loads(cluster, system, groups, shape))
            loaded.update({(shape, load.link.wiring) for load in loads if load.busiest})
            loaded.update({(shape, what) for load in loads if load.busiest for what in special(load)})

    agree()
    # A few examples need not have the rare kinds of links; the systems below do.
    rare = ("neighbours", "half", "uplink", "count", "rails", "oversubscription") if is_full() else ()
    for shape in HopShape:
        star = shape in (HopShape.STAR, HopShape.DOUBLING)  # only between machines, where no rings are drawn
        for what in () if star else (*Wiring, *rare):
            assert loaded[shape, what], (shape, what)
        assert loaded[shape, Wiring.PORT]
    assert sum(samples[machine] > 0 for machine in (-1, 0, 1, 2)) >= (4 if is_full() else 3)


def special(load):
    link = load.link
    given = {"neighbours": link.neighbours, "half": link.duplex == "half", "uplink": link.uplink}
    given |= {"count": link.count > 1, "rails": link.rails and link.count > 1}
    return {what for what, so in (given | {"oversubscription": link.oversubscription > 1}).items() if so}


@settings(max_examples=examples(12))
@given(placed())
def test_no_shape_depends_on_bandwidths_or_on_how_many_bytes_a_hop_carries(case):
    pattern, system = case
    cluster = ClusterGraph(system)
    groups = listed(pattern)
    for shape in shapes_on(pattern, system):
        once = pattern_loads(pattern, system, shape)
        thrice = explicit_loads(cluster, system, [(group, 3.0) for group in groups], shape)
        assert_equal_loads(tuple(load.times(3) for load in once), thrice)


def on(system, axes, reduce):
    named = [Axis(f"axis{number}", size) for number, size in enumerate(axes)]
    return build_problem(find_system(system), named, reduce, Payload(1 << 20, "float32"), Search(limit=3))


PROBLEMS = {
    "2x2x2": problem([2, 2, 2], [8]),
    "2x2x2 two axes": problem([2, 2, 2], [4, 2]),
    "4x4 strided": problem([4, 4], [4, 4], [0], limit=4),
    "3x2x4": problem([3, 2, 4], [6, 4], [1]),
    "p2-v100": on("p2-v100:2x8", [2, 8], [1]),
    "p2-v100 whole": on("p2-v100:2x8", [16], [0]),
    "p2-v100 four axes": on("p2-v100:2x8", [2, 2, 4], [0, 2]),
    "p2-a100": on("p2-a100:4x16", [4, 16], [0]),
    "dgx-h100": on("dgx-h100:4x8", [4, 8], [1]),
    "dgx-h100 whole": on("dgx-h100:2x8", [16], [0]),
    "lab": on("lab", [2, 4], [1]),
    "ethernet": on("ethernet:4x4", [4, 4], [0]),
}


def steps_of(asked):
    """Every placement's plans, and each of their different steps once."""
    for placement in Synthesizer().synthesize(asked).placements:
        lowering, seen = Lowering(asked, placement.matrix), set()
        for program in placement.programs:
            plan = lowering.plan(program)
            for step in plan.steps:
                if isinstance(step, CollectiveStep) and step not in seen:
                    seen.add(step)
                    yield plan, step


def held(plan, step, root):
    parts = [portion.parts for portion in step.portions if applies(portion, plan.device_class(root))]
    assert len(parts) == 1
    return plan.payload.bytes / parts[0]


@pytest.mark.thorough  # random patterns agree in this file
@looped("name", PROBLEMS)
def test_every_step_of_every_program_agrees_with_its_groups_listed(name):
    asked = PROBLEMS[name]
    cluster, compared = ClusterGraph(asked.system), 0
    costs = [NetworkCost(asked.system, algorithm) for algorithm in (Algorithm.RING, Algorithm.TREE)]
    for plan, step in sample(steps_of(asked), 10):
        groups = list(plan.groups(step.groups))
        for cost in costs:
            moved = traffic(step.collective, cost.algorithm, len(groups[0]))
            amounts = [(group, moved.per_hop * held(plan, step, group[0])) for group in groups]
            by_level = cost.step_cost(plan, step).loads
            by_hop = explicit_loads(cluster, asked.system, amounts, moved.shape)
            if len(step.portions) == 1:
                assert_equal_loads(by_level, by_hop)
                compared += 1
            else:
                assert_bounded(by_hop, by_level)
    assert compared >= 10


def assert_bounded(by_hop, by_level):
    for lower, upper in zip(by_hop, by_level, strict=True):
        for amount in AMOUNTS:
            assert getattr(lower, amount) <= getattr(upper, amount) * (1 + 1e-9)
    assert around_seconds(by_hop) == pytest.approx(around_seconds(by_level))


def test_unequal_portions_are_priced_at_the_largest_which_is_an_upper_bound():
    unequal = [(plan, step) for plan, step in steps_of(PROBLEMS["2x2x2"]) if len(step.portions) > 1]
    system = PROBLEMS["2x2x2"].system
    cost, cluster, below = NetworkCost(system, Algorithm.RING), ClusterGraph(system), 0
    for plan, step in unequal:
        groups = list(plan.groups(step.groups))
        moved = traffic(step.collective, Algorithm.RING, len(groups[0]))
        amounts = [(group, moved.per_hop * held(plan, step, group[0])) for group in groups]
        by_level, by_hop = cost.step_cost(plan, step).loads, explicit_loads(cluster, system, amounts, moved.shape)
        assert_bounded(by_hop, by_level)
        below += sum(load.busiest for load in by_hop) < sum(load.busiest for load in by_level) * (1 - 1e-9)
    assert len(unequal) >= 3
    assert below >= 1


def test_a_reduction_of_one_device_loads_nothing():
    asked = on("dgx-h100:2x8", [16, 1], [1])
    (matrix,) = all_placements(asked).items
    assert Lowering(asked, matrix).direct.steps == ()
    assert explicit_loads(ClusterGraph(asked.system), asked.system, [([3], 1.0), ([5], 1.0)], HopShape.CYCLE) == ()


def test_more_devices_than_are_drawn_one_by_one_are_refused():
    ClusterGraph(find_system("2x2048"))
    with pytest.raises(ProblemError) as error:
        ClusterGraph(find_system("dgx-h100:513x8"))
    assert str(error.value) == (
        f"the system has 4104 devices; at most {MOST_DEVICES} are supported link by link; price larger systems by level"
    )
