"""Switches that add (NVLink SHARP): counted by hand, alike on every way to a price, and only where there are any."""

from dataclasses import replace

import pytest
from looped import looped

from p2smt.collective import Collective
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import Work
from p2smt.cost.network.members import MembersCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.unlike import UnlikeCost, able_groups
from p2smt.problem.system.algorithm import Algorithm, Auto, PerAlgorithm
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system

FLOWS = PerAlgorithm({Algorithm.NVLS: 300e9, Algorithm.NVLS_TREE: 200e9})


def system_of(name: str) -> System:
    """A preset whose switches add at the rates of `FLOWS`."""
    found = find_system(name)
    links = tuple(replace(link, flow=FLOWS) if link.name == "nvswitch" else link for link in found.network.links)
    return replace(found, network=replace(found.network, links=links))


def everyone(system: System) -> Pattern:
    return Pattern(tuple(((Role.VARYING, size),) if size > 1 else () for size in system.sizes))


def test_a_switch_by_hand():
    """Eight devices: (1 + 1/8) bytes at each port, or the rate of sums where that is slower; two hops and back."""
    system = system_of("dgx-h100:1x8")
    cost = cost_of(system, Nccl(Algorithm.NVLS)).work_cost(Work(Collective.ALL_REDUCE, everyone(system), 1e9))
    network, switch = system.network, system.network.links[-1]
    assert cost.algorithm is Algorithm.NVLS
    assert cost.links_s == pytest.approx(max(1e9 * 9 / 8 / switch.bandwidth, 1e9 / 300e9))
    assert cost.latency_s == pytest.approx(2 * 2 * switch.latency)
    assert cost.memory_s == pytest.approx(2e9 / network.memory_bandwidth)


def test_trees_between_machines_carry_what_they_do_without_switches():
    system = system_of("dgx-h100:10x8")
    works = Work(Collective.ALL_REDUCE, everyone(system), 1e9)
    tree, switched = (cost_of(system, Nccl(one)).work_cost(works) for one in (Algorithm.TREE, Algorithm.NVLS_TREE))
    assert switched.loads[0].busiest == tree.loads[0].busiest
    assert (switched.loads[1].busiest, switched.loads[1].flow) == (pytest.approx(1e9 * 9 / 8), 1e9)
    assert switched.seconds < tree.seconds


@looped("name", ["dgx-h100:1x8", "dgx-h100:3x4", "dgx-h100:2x8"])
def test_every_way_to_a_price_gives_the_same(name):
    system = system_of(name)
    for choice in (Auto.AUTO, Algorithm.NVLS, Algorithm.NVLS_TREE):
        work = Work(Collective.ALL_REDUCE, everyone(system), 1e9)
        found = cost_of(system, Nccl(choice)).work_cost(work)
        assert found.algorithm in (Algorithm.NVLS, Algorithm.NVLS_TREE)
        members = MembersCost(system, Nccl(choice), system.present).collective(Collective.ALL_REDUCE, 1e9)
        assert members == pytest.approx(found.seconds)
        assert UnlikeCost(system, choice).work_cost(work).seconds == pytest.approx(found.seconds)


def test_only_a_level_of_devices_that_has_a_rate_adds_and_for_three_at_least():
    plain, system = find_system("dgx-a100:2x8"), system_of("dgx-h100:2x8")
    pairs = Pattern((((Role.VARYING, 2),), ((Role.FREE, 4), (Role.VARYING, 2))))
    for asked, pattern in ((plain, everyone(plain)), (system, pairs)):
        work = Work(Collective.ALL_REDUCE, pattern, 1e9)
        assert cost_of(asked, Nccl(Algorithm.NVLS)).work_cost(work).algorithm is Algorithm.RING
    gather = Work(Collective.ALL_GATHER, everyone(system), 1e9)
    assert cost_of(system, Nccl()).work_cost(gather).algorithm is Algorithm.RING


def test_groups_of_which_one_has_no_switch_have_none():
    system = system_of("dgx-h100:2x8")
    cluster = ClusterGraph(system)
    assert able_groups(cluster, system, [range(8), range(8, 16)]) == {Algorithm.NVLS}
    assert able_groups(cluster, system, [range(8), range(8, 10)]) == frozenset()
