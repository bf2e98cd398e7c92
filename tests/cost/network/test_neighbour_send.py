"""A send leaves through the sender's own card, however many cards are next to its group."""

from dataclasses import replace

import pytest

from p2smt.collective import NeighbourSend
from p2smt.cost.network.neighbour_send import neighbour_send_cost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.job.step.cluster import cluster_of
from p2smt.problem.system.text import find_system

GIB = 2**30
V, F = Role.VARYING, Role.FREE


def seconds(system, levels):
    """Seconds of the busiest link."""
    loads = neighbour_send_cost(NeighbourSend.NEXT, Pattern(levels), GIB, find_system(system)).per_byte.loads
    return max(load.seconds for load in loads) * GIB


@pytest.mark.parametrize("inside", [1, 2, 4, 8])
def test_a_boundary_between_nodes_takes_one_card_however_many_stages_a_node_has(inside):
    """One card of 45 GB/s carries 1 GiB in 23.9 ms; with 8 / inside pipelines each has a card of its own."""
    levels = (((V, 2),), ((F, 8 // inside), (V, inside)))
    assert seconds("hgx-h200:2x8", levels) == pytest.approx(GIB / 45e9)


def test_pipelines_that_share_a_card_share_its_bandwidth():
    """p4d has four cards for eight devices: two pipelines with neighbouring senders share one."""
    alone = seconds("aws-p4d:2x8", (((V, 2),), ((F, 1), (V, 8))))
    assert seconds("aws-p4d:2x8", (((V, 2),), ((F, 8), (V, 1)))) == pytest.approx(2 * alone)


def test_one_send_is_no_faster_than_the_system_says_however_fast_its_card_is():
    system = find_system("dgx-h100:2x8")
    links = tuple(replace(link, send_flow=15e9 if link.name == "nic" else None) for link in system.network.links)
    system = replace(system, network=replace(system.network, links=links))
    pattern = Pattern((((V, 2),), ((F, 8),)))
    cost = neighbour_send_cost(NeighbourSend.NEXT, pattern, GIB, system)
    assert cost.links_s == pytest.approx(GIB / 15e9)
    assert dict(cost.loads[0].bounds)["send_flow"] == pytest.approx(GIB / 15e9)
    assert cluster_of(system).send == 15e9
    assert cluster_of(system).card == pytest.approx(50e9)
    inside = neighbour_send_cost(NeighbourSend.NEXT, Pattern((((F, 2),), ((V, 8),))), GIB, system)
    assert inside.links_s == pytest.approx(GIB / 405e9)
