from dataclasses import replace
from itertools import permutations

import pytest
from cost.network.random_systems import listed, placed
from hypothesis import given, settings
from tiers import examples, is_full

from p2smt.cost.network.all_to_all import all_to_all_cost, all_to_all_loads
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.explicit import counted_loads
from p2smt.cost.network.load import around_seconds
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.build import build_system
from p2smt.problem.system.link import Wiring
from p2smt.problem.system.text import find_system

FIELDS = ("incoming", "outgoing", "busiest", "switch", "flow")


@settings(max_examples=200 if is_full() else 10)
@given(placed())
def test_loads_are_those_of_every_block_sent_on_the_graph(pair):
    pattern, system = pair
    cluster = ClusterGraph(system)
    groups = [(members, [(a, b, 1.0) for a, b in permutations(members, 2)]) for members in listed(pattern)]
    counted = {load.link.name: load for load in counted_loads(cluster, system, groups)}
    loads = all_to_all_loads(pattern, system)
    assert {load.link.name for load in loads} == set(counted)
    for load in loads:
        for field in FIELDS:
            if field == "switch" and load.link.rails and load.link.count > 1:
                continue  # with rails, by level as if every block went to the port that it leaves through
            # Where a ring joins some units only, groups differ and the busiest one counts for all.
            assert getattr(load, field) >= getattr(counted[load.link.name], field) - 1e-9
        if not any(link.neighbours for link in system.network.links) and not _has_ring(system):
            for field in FIELDS:
                if not (field == "switch" and load.link.rails):
                    assert getattr(load, field) == pytest.approx(getattr(counted[load.link.name], field)), field


def _has_ring(system):
    return any(link.wiring == "ring" for link in system.network.links)


@settings(max_examples=examples(8))
@given(placed())
def test_latency_is_that_of_the_slowest_device_sending_block_after_block(pair):
    pattern, system = pair
    cluster = ClusterGraph(system)

    def latency(device, members):
        one = cluster.device(device)
        return sum(cluster.joins(one, cluster.device(other)).latency for other in members if other != device)

    slowest = max((latency(device, members) for members in listed(pattern) for device in members), default=0.0)
    assert around_seconds(all_to_all_loads(pattern, system)) == pytest.approx(slowest, abs=1e-12)


def test_by_hand_four_nodes_of_eight():
    """One group of 32: 24 of 32 blocks leave a node, from 8 devices, through one card of 50 GB/s each (8 in all)."""
    system = find_system("dgx-h100:4x8")
    pattern = Pattern((((Role.VARYING, 4),), ((Role.VARYING, 8),)))
    cost = all_to_all_cost(pattern, 32e6, system)
    node = next(load for load in cost.loads if load.link.level == "node")
    assert node.busiest * node.link.count == pytest.approx(8 * 24 * 1e6)
    gpu = next(load for load in cost.loads if load.link.level == "gpu")
    assert gpu.busiest >= 7e6


def test_with_rails_no_block_passes_the_oversubscribed_switches():
    """Without them each of the 4 x 3 pairs of units sends 2 x 2 blocks, of each of the groups."""
    system = find_system("4x2")
    for free in (1, 3):
        inner = ((Role.VARYING, 2),) if free == 1 else ((Role.VARYING, 2), (Role.FREE, free))
        pattern = Pattern((((Role.VARYING, 4),), inner))
        for rails, bytes_through in ((False, 12 * 4 * free), (True, 0)):
            links = tuple(replace(link, wiring=Wiring.PORT, rails=rails) for link in system.network.links)
            on = replace(system, network=replace(system.network, links=links))
            outer = next(load for load in all_to_all_loads(pattern, on) if load.link.level == on.levels[0].name)
            assert outer.switch == bytes_through


def test_the_device_with_the_longest_latencies_counts_where_a_ring_joins_some_alone():
    """Of four, 1 has two neighbours and 3 none: whichever link is slower, one of them waits longest."""
    system = find_system("gpu:4")
    (port,) = system.network.links
    ring = replace(port, name="ring", wiring=Wiring.RING, uplink=False, neighbours=((0, 1), (1, 2)))
    for fast, slow, blocks in ((1e-6, 5e-6, (0, 3)), (5e-6, 1e-6, (2, 1)), (0.0, 1e-6, (0, 3))):
        links = (replace(ring, latency=fast), replace(port, latency=slow))
        on = build_system(replace(system, network=replace(system.network, links=links)))
        loads = {load.link.wiring: load.hops for load in all_to_all_loads(Pattern((((Role.VARYING, 4),),)), on)}
        assert (loads[Wiring.RING], loads[Wiring.PORT]) == blocks
