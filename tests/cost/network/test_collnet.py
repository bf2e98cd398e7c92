"""Switches between machines that add (NCCL's CollNet): by hand, alike on every way to a price, refused by name."""

from dataclasses import replace

import pytest
from cost.network.random_systems import listed
from cost.network.test_agreement import assert_equal_loads
from looped import looped

from p2smt.collective import Collective
from p2smt.cost.network.applicable import applicable, check_applies
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import Work
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.levels import pattern_loads
from p2smt.cost.network.members import MembersCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.traffic import HopShape
from p2smt.cost.network.unlike import UnlikeCost
from p2smt.cost.network.wire import wire
from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import COLLNET, Algorithm, Auto, PerAlgorithm
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system

RATES = PerAlgorithm({Algorithm.NVLS: 44e9, Algorithm.COLLNET_DIRECT: 40e9, Algorithm.COLLNET_CHAIN: 30e9})
OUTSIDE = COLLNET | {Algorithm.NVLS}


def system_of(name: str) -> System:
    """A preset whose switches between machines add at the rates of `RATES`."""
    found = find_system(name)
    links = tuple(replace(link, flow=RATES) if link.name == "nic" else link for link in found.network.links)
    return replace(found, network=replace(found.network, links=links))


def everyone(system: System) -> Pattern:
    return Pattern(tuple(((Role.VARYING, size),) if size > 1 else () for size in system.sizes))


@looped(
    ("algorithm", "inside", "rate", "hops"),
    [
        (Algorithm.COLLNET_DIRECT, 2 * 7 / 8, 40e9, 1),  # every device adds its eighth, and hands it to all others
        (Algorithm.COLLNET_CHAIN, 2, 30e9, 7),  # up and down a chain of eight
        (Algorithm.NVLS, 1 + 1 / 8, 44e9, 2),  # the switch inside adds, and hands on
    ],
)
def test_four_machines_by_hand(algorithm, inside, rate, hops):
    """Every machine sends its sum once, over eight cards, and is sent the sum of all."""
    system = system_of("dgx-h100:4x8")
    nic, switch = system.network.links
    cost = cost_of(system, Nccl(algorithm)).work_cost(Work(Collective.ALL_REDUCE, everyone(system), 8e9))
    outer, inner = cost.loads
    assert (outer.busiest, outer.flow) == (1e9, 1e9)
    assert inner.busiest == pytest.approx(8e9 * inside)
    assert cost.links_s == pytest.approx(max(1e9 / rate, *(seconds for _, seconds in inner.bounds)))
    assert cost.latency_s == pytest.approx(2 * (nic.latency + hops * switch.latency))
    assert cost.protocol is None


@looped("name", ["dgx-h100:2x8", "dgx-h100:3x4", "dgx-h100:5x1"])
def test_every_way_to_a_price_gives_the_same(name):
    system = system_of(name)
    work = Work(Collective.ALL_REDUCE, everyone(system), 1e9)
    for choice in (Auto.AUTO, *sorted(OUTSIDE)):
        found = cost_of(system, Nccl(choice)).work_cost(work)
        members = MembersCost(system, Nccl(choice), system.present).collective(Collective.ALL_REDUCE, 1e9)
        assert members == pytest.approx(found.seconds)
        assert UnlikeCost(system, choice).work_cost(work).seconds == pytest.approx(found.seconds)
        assert found.links_s >= wire(work.pattern, Collective.ALL_REDUCE, 1e9, system).seconds * (1 - 1e-9)
    able = applicable(system, work.pattern.members)
    assert able & OUTSIDE == (OUTSIDE if system.sizes[-1] > 1 else {Algorithm.COLLNET_CHAIN})


def test_bytes_of_racks_and_of_parts_of_machines_are_those_of_hops():
    system = find_system("2x3x4")
    system = replace(system, network=replace(system.network, machine=system.levels[1].name))
    racks = Pattern((((Role.VARYING, 2),), ((Role.FREE, 3),), ((Role.VARYING, 2), (Role.FREE, 2))))
    for pattern in (everyone(system), racks):
        groups = [(group, 1.0) for group in listed(pattern)]
        counted = explicit_loads(ClusterGraph(system), system, groups, HopShape.STAR)
        assert_equal_loads(pattern_loads(pattern, system, HopShape.STAR), counted)
        assert counted[0].busiest > 0


def test_nvls_and_collnet_are_weighed_together_and_rings_carry_all_else():
    system = system_of("dgx-h100:4x8")
    cost = cost_of(system, Nccl(Algorithm.COLLNET_DIRECT))
    gather = cost.work_cost(Work(Collective.ALL_GATHER, everyone(system), 1e9))
    assert gather.algorithm is Algorithm.RING
    inside = Pattern((((Role.FREE, 4),), ((Role.VARYING, 8),)))
    assert cost.work_cost(Work(Collective.ALL_REDUCE, inside, 1e9)).algorithm is Algorithm.RING
    assert cost_of(system).work_cost(Work(Collective.ALL_REDUCE, everyone(system), 1e9)).algorithm in OUTSIDE


@looped(
    ("name", "choice", "words"),
    [
        ("dgx-h100:2x8", Algorithm.COLLNET_DIRECT, "between machines, and dgx-h100 has none"),
        ("dgx-a100:2x8", Algorithm.NVLS, "inside machines, and dgx-a100 has none"),
        ("dgx-h100:1x8", Algorithm.PAT, "is for groups across machines, but all devices of dgx-h100 are in one"),
    ],
)
def test_an_algorithm_that_no_group_can_have_is_refused_by_name(name, choice, words):
    with pytest.raises(ProblemError, match=words):
        check_applies(find_system(name), choice)


def test_what_a_system_has_is_not_refused():
    system = system_of("dgx-h100:2x8")
    for choice in (Auto.AUTO, Algorithm.RING, Algorithm.TREE, Algorithm.NVLS, Algorithm.PAT, *COLLNET):
        check_applies(system, choice)


@looped(
    ("name", "algorithm", "rate"),
    [("dgx-a100-sharp:32x8", Algorithm.COLLNET_CHAIN, 220e9), ("dgx-h100-sharp:32x8", Algorithm.NVLS, 480e9)],
)
def test_presets_whose_network_adds_reach_what_their_sources_say_and_others_do_not_collect(name, algorithm, rate):
    system = find_system(name)
    work = Work(Collective.ALL_REDUCE, everyone(system), float(2**33))
    cost = cost_of(system, Nccl()).work_cost(work)
    assert cost.algorithm is algorithm
    assert 2 * 255 / 256 * 2**33 / cost.seconds == pytest.approx(rate, rel=0.05)
    plain = cost_of(find_system(name.replace("-sharp", "")), Nccl()).work_cost(work)
    assert plain.algorithm not in OUTSIDE
    assert plain.seconds > 1.2 * cost.seconds
