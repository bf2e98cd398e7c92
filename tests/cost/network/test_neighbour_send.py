"""A send leaves through the sender's own card, however many cards are next to its group."""

import pytest

from p2smt.collective import NeighbourSend
from p2smt.cost.network.neighbour_send import neighbour_send_cost
from p2smt.cost.network.pattern import Pattern, Role
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
    assert seconds("dgx-h100:2x8", levels) == pytest.approx(GIB / 45e9)


def test_pipelines_that_share_a_card_share_its_bandwidth():
    """p4d has four cards for eight devices: two pipelines with neighbouring senders share one."""
    alone = seconds("aws-p4d:2x8", (((V, 2),), ((F, 1), (V, 8))))
    assert seconds("aws-p4d:2x8", (((V, 2),), ((F, 8), (V, 1)))) == pytest.approx(2 * alone)
