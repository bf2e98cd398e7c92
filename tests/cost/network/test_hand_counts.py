"""Bytes on the links of known systems, counted by hand; S is what every device holds."""

from dataclasses import replace

import pytest

from p2smt.collective import Collective
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import LocalWork, Work
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.load import LinkLoad
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.traffic import HopShape
from p2smt.problem.system.algorithm import Algorithm, PerAlgorithm
from p2smt.problem.system.build import build_system
from p2smt.problem.system.file import preset
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import Level, Network, System
from p2smt.problem.system.text import find_system

V, F, Z = Role.VARYING, Role.FREE, Role.ZERO
S = 1000.0
A100 = preset("p2-a100")
LATENCY = {link.name: link.latency for link in A100.network.links}


def cost_of(system, *levels, collective=Collective.ALL_REDUCE, algorithm=Algorithm.RING):
    system = find_system(system)
    pattern = Pattern(tuple(tuple(level) for level in levels))
    assert pattern.sizes == tuple(level.size for level in system.levels)
    return NetworkCost(system, algorithm).work_cost(Work(collective, pattern, S))


def loads_of(*args, **named) -> dict[str, LinkLoad]:
    return {load.link.name: load for load in cost_of(*args, **named).loads}


@pytest.mark.parametrize(
    ("inside", "members", "sharing"),
    [([(V, 16)], 64, 1), ([(F, 16)], 4, 16), ([(F, 2), (V, 8)], 32, 2), ([(V, 4), (F, 4)], 16, 4)],
)
def test_a_ring_enters_and_leaves_every_node_once(inside, members, sharing):
    nic = loads_of("p2-a100:4x16", [(V, 4)], inside)["nic"]
    once = 2 * (members - 1) / members * S
    assert nic.incoming == nic.outgoing == pytest.approx(sharing * once)
    assert nic.busiest == pytest.approx(2 * sharing * once)  # half duplex: in and out share the card
    assert nic.flow == pytest.approx(once)
    assert nic.hops == 4


@pytest.mark.parametrize(("nodes", "edges"), [(2, 2), (3, 3), (4, 4), (8, 4), (64, 4)])
def test_the_busiest_node_of_the_double_tree(nodes, edges):
    """Of its edges in both trees together, each carries half of S up and half down."""
    loads = loads_of(f"p2-a100:{nodes}x16", [(V, nodes)], [(V, 16)], algorithm=Algorithm.TREE)
    assert loads["nic"].incoming == loads["nic"].outgoing == pytest.approx(edges * S / 2)
    assert loads["nic"].busiest == pytest.approx(edges * S)
    assert loads["nic"].flow == pytest.approx(S / 2)
    apart = loads_of(f"p2-a100:{nodes}x16", [(V, nodes)], [(F, 16)], algorithm=Algorithm.TREE)
    assert apart["nic"].busiest == pytest.approx(16 * edges * S)


def test_a_tree_in_one_machine_is_a_chain_in_both_directions():
    loads = loads_of("p2-a100:4x16", [(F, 4)], [(V, 16)], algorithm=Algorithm.TREE)
    switch = loads["nvswitch"]
    assert (switch.incoming, switch.outgoing, switch.hops) == (2 * S, 2 * S, 15)
    assert (loads["nic"].busiest, loads["nic"].hops) == (0, 0)


def test_pairs_four_apart_go_through_the_host():
    """Four groups of two, each with two hops that carry 2 (2-1)/2 S = S."""
    loads = loads_of("p2-v100:4x8", [(F, 4)], [(V, 2), (F, 4)])
    assert loads["host"].busiest == pytest.approx(8 * S)
    assert (loads["nvlink"].busiest, loads["nic"].busiest) == (0, 0)
    assert (loads["host"].hops, loads["nvlink"].hops) == (2, 0)


def test_neighbouring_pairs_stay_on_the_ring():
    loads = loads_of("p2-v100:4x8", [(F, 4)], [(F, 4), (V, 2)])
    assert (loads["host"].busiest, loads["nvlink"].busiest) == (0, pytest.approx(S))


@pytest.mark.parametrize("collective", [Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER])
def test_four_contiguous_devices_close_their_ring_through_the_host(collective):
    """Two groups per node with one closing hop each; the three others are between neighbours."""
    per_hop = {"AllReduce": 3 / 2, "ReduceScatter": 3 / 4, "AllGather": 3}[collective.value] * S
    loads = loads_of("p2-v100:4x8", [(F, 4)], [(F, 2), (V, 4)], collective=collective)
    assert loads["host"].busiest == pytest.approx(2 * per_hop)
    assert loads["nvlink"].busiest == pytest.approx(per_hop)
    assert (loads["host"].hops, loads["nvlink"].hops) == (1, 3)


def test_a_tree_closes_nothing():
    loads = loads_of("p2-v100:4x8", [(F, 4)], [(F, 2), (V, 4)], algorithm=Algorithm.TREE)
    assert (loads["host"].busiest, loads["nvlink"].busiest) == (0, pytest.approx(S))
    assert (loads["host"].hops, loads["nvlink"].hops) == (0, 3)


def test_all_eight_close_their_ring_on_the_ring():
    loads = loads_of("p2-v100:4x8", [(F, 4)], [(V, 8)])
    assert (loads["host"].busiest, loads["nvlink"].busiest) == (0, pytest.approx(7 / 4 * S))


def test_a_reduce_has_the_closing_hop_but_not_the_one_out_of_the_root_and_a_broadcast_the_other_way_round():
    contiguous = [(F, 4)], [(F, 2), (V, 4)]
    reduce = loads_of("p2-v100:4x8", *contiguous, collective=Collective.REDUCE)
    broadcast = loads_of("p2-v100:4x8", *contiguous, collective=Collective.BROADCAST)
    assert (reduce["host"].busiest, reduce["host"].hops, reduce["nvlink"].hops) == (pytest.approx(2 * S), 1, 2)
    assert (broadcast["host"].busiest, broadcast["host"].hops, broadcast["nvlink"].hops) == (0, 0, 3)


def test_the_hop_out_of_the_root_is_missing_where_it_would_cross_nodes():
    """Pairs over two nodes: Reduce only sends into the root's node, Broadcast only out of it."""
    for collective in (Collective.REDUCE, Collective.BROADCAST):
        loads = loads_of("p2-a100:2x16", [(V, 2)], [(F, 16)], collective=collective)
        assert (loads["nic"].incoming, loads["nic"].outgoing, loads["nic"].hops) == (16 * S, 16 * S, 1)
        assert loads["nic"].busiest == pytest.approx(16 * S)  # never both at one node


def test_only_the_masters_work_in_a_step_of_masters():
    everyone = loads_of("p2-a100:4x16", [(V, 4)], [(F, 16)])
    masters = loads_of("p2-a100:4x16", [(V, 4)], [(Z, 16)])
    assert everyone["nic"].busiest == pytest.approx(16 * masters["nic"].busiest)


def test_eight_cards_share_a_group_that_has_a_member_next_to_each():
    once = 2 * 31 / 32 * S
    nic = loads_of("dgx-h100:4x8", [(V, 4)], [(V, 8)])["nic"]
    assert nic.incoming == nic.outgoing == nic.busiest == nic.flow == pytest.approx(once / 8)


def test_eight_groups_with_one_member_per_node_have_a_card_each():
    once = 2 * 3 / 4 * S
    nic = loads_of("dgx-h100:4x8", [(V, 4)], [(F, 8)])["nic"]
    assert nic.incoming == nic.outgoing == nic.busiest == nic.flow == pytest.approx(once)
    assert nic.switch == 0  # on its own rail


def test_a_reduction_by_node_first_relieves_the_cards():
    """On a card: 31/16 S / 8 of an AllReduce of all 32; 3/2 S / 8 when groups of one per node reduce an 8th of S."""
    whole = loads_of("dgx-h100:4x8", [(V, 4)], [(V, 8)])["nic"].busiest
    across = loads_of("dgx-h100:4x8", [(V, 4)], [(F, 8)])["nic"].busiest / 8
    assert (whole, across) == (pytest.approx(31 / 16 * S / 8), pytest.approx(3 / 2 * S / 8))


def test_the_medium_of_a_bus_takes_every_hop_once():
    loads = loads_of("lab", [(F, 2)], [(V, 4)])
    assert loads["loopback"].busiest == pytest.approx(4 * 2 * 3 / 4 * S)
    across = loads_of("lab", [(V, 2)], [(F, 4)])
    assert (across["loopback"].busiest, across["nic"].busiest) == (0, pytest.approx(4 * S))


@pytest.mark.parametrize(
    ("collective", "read_and_written"),
    [("AllReduce", 2), ("ReduceScatter", 1 + 1 / 4), ("AllGather", 1 + 4), ("Reduce", 2), ("Broadcast", 2)],
)
def test_memory_is_read_once_and_written_once(collective, read_and_written):
    cost = cost_of("p2-a100:4x16", [(F, 4)], [(F, 4), (V, 4)], collective=Collective(collective))
    assert cost.memory_s == pytest.approx(read_and_written * S / A100.network.memory_bandwidth)


def test_a_step_on_a_device_alone_takes_its_memory_only():
    cost = NetworkCost(A100).work_cost(LocalWork(S))
    assert (cost.loads, cost.links_s, cost.latency_s) == ((), 0, 0)
    assert cost.seconds == pytest.approx(2 * S / A100.network.memory_bandwidth)


@pytest.mark.parametrize(
    ("collective", "rounds", "hops"),
    [
        ("AllReduce", 3 / 2, 4),
        ("ReduceScatter", 3 / 4, 4),
        ("AllGather", 3 / 4, 4),
        ("Reduce", 1, 3),
        ("Broadcast", 1, 3),
    ],
)
def test_latency_is_that_of_the_steps_of_a_ring(collective, rounds, hops):
    """n - 1 steps of one hop each, twice for an AllReduce: (n-1)/n of once around, or all the way to the root."""
    cost = cost_of("p2-a100:4x16", [(V, 4)], [(F, 16)], collective=Collective(collective))
    assert cost.latency_s == pytest.approx(rounds * hops * LATENCY["nic"])


def test_latency_of_a_tree_is_twice_the_way_to_the_root():
    """Four nodes: two hops between nodes (1 -> 2 -> 0); the chain of a node has 15."""
    cost = cost_of("p2-a100:4x16", [(V, 4)], [(V, 16)], algorithm=Algorithm.TREE)
    assert cost.latency_s == pytest.approx(2 * (2 * LATENCY["nic"] + 15 * LATENCY["nvswitch"]))


@pytest.mark.parametrize("overlap", [0.0, 0.25, 1.0])
def test_overlap_hides_the_other_links_behind_the_busiest(overlap):
    """Contiguous halves of two nodes: two groups share each card, in and out; seven hops are on the ring."""
    system = find_system("p2-v100:2x8")
    system = replace(system, network=replace(system.network, overlap=overlap))
    links = {link.name: link for link in system.network.links}
    halves = Pattern((((V, 2),), ((F, 2), (V, 4))))
    cost = NetworkCost(system, Algorithm.RING).work_cost(Work(Collective.ALL_REDUCE, halves, S))
    per_hop = 2 * 7 / 8 * S
    nic = max(2 * 2 * per_hop / links["nic"].bandwidth, per_hop / links["nic"].flow[Algorithm.RING])
    nvlink = per_hop / links["nvlink"].bandwidth
    assert {load.link.name: load.seconds for load in cost.loads} == pytest.approx(
        {"nic": nic, "nvlink": nvlink, "host": 0}
    )
    assert cost.links_s == pytest.approx(nic + (1 - overlap) * nvlink)


def test_a_switch_that_is_oversubscribed_is_slower_than_its_ports(tmp_path):
    path = tmp_path / "thin.toml"
    path.write_text(
        'level = [{name = "node", size = 4}, {name = "gpu", size = 2}]\n'
        'link = [{name = "nic", level = "node", bandwidth = "1GB/s", latency = "0s", oversubscription = 4}]\n',
        encoding="utf-8",
    )
    whole = cost_of(str(path), [(V, 4)], [(F, 2)])
    pairs = cost_of(str(path), [(F, 2), (V, 2)], [(F, 2)])
    per_hop = {4: 2 * 3 / 4 * S, 2: S}
    for cost, members in ((whole, 4), (pairs, 2)):
        nic = cost.loads[0]
        assert nic.busiest == pytest.approx(2 * per_hop[members])
        assert nic.switch == pytest.approx(4 * 2 * per_hop[members])  # every node sends one hop of two groups
        assert nic.seconds == pytest.approx(4 * nic.busiest / 1e9)


@pytest.mark.parametrize(("group", "changing"), [([0, 8], 0), ([0, 9], 2), ([0, 1, 8, 9], 0), ([0, 1, 9, 10], 1)])
def test_bytes_that_change_their_rail_go_through_the_shared_switches(group, changing):
    """Two hops cross nodes; [0, 1, 9, 10] has cards 0, 1 here and 1, 2 there, so half of each changes its rail."""
    system = find_system("dgx-h100:2x8")
    nic, _ = explicit_loads(ClusterGraph(system), system, [(group, 1.0)], HopShape.CYCLE)
    assert nic.switch == pytest.approx(changing)


@pytest.mark.parametrize("duplex", Duplex)
@pytest.mark.parametrize("oversubscription", [1.0, 4.0])
def test_a_switch_slows_what_every_port_has_alike_by_its_oversubscription(duplex, oversubscription):
    """Half duplex or full: where all ports are busy alike, the switch passes a part of what they could."""
    system = find_system("p2-a100:4x16")
    changed = {"duplex": duplex, "oversubscription": oversubscription, "flow": PerAlgorithm()}
    links = tuple(replace(link, **changed) if link.name == "nic" else link for link in system.network.links)
    system = replace(system, network=replace(system.network, links=links))
    pattern = Pattern((((V, 4),), ((F, 16),)))
    (nic,) = [
        load
        for load in NetworkCost(system, Algorithm.RING).work_cost(Work(Collective.ALL_REDUCE, pattern, S)).loads
        if load.link.name == "nic"
    ]
    once = 16 * 2 * (3 / 4) * S  # sixteen groups of four nodes, in at every card and out again
    shared = {Duplex.FULL: 1, Duplex.HALF: 2}[duplex]
    assert nic.busiest == pytest.approx(shared * once)
    assert nic.switch == pytest.approx(4 * once)
    assert nic.bandwidth_bytes == pytest.approx(shared * once * oversubscription)


def test_latency_is_that_of_the_slowest_group():
    """Two neighbours are joined by a ring, the other two send over the bus: theirs is the latency of the step."""
    near = Link(name="near", level="gpu", wiring=Wiring.RING, bandwidth=1e11, latency=1e-6, neighbours=((0, 1),))
    bus = Link(name="bus", level="gpu", wiring=Wiring.BUS, bandwidth=1e10, latency=5e-6)
    system = build_system(System((Level("gpu", 4),), Network((bus, near), 1e12)))
    cost = NetworkCost(system, Algorithm.RING).work_cost(Work(Collective.ALL_REDUCE, Pattern((((F, 2), (V, 2)),)), S))
    assert {load.link.name: load.hops for load in cost.loads} == {"near": 0, "bus": 2}
    assert cost.latency_s == pytest.approx(2 * 5e-6)  # once around, for 2 (n - 1) / n = 1 round
