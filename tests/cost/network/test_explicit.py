"""What is counted hop by hop, by hand, where the two trees of one group are unlike."""

from fractions import Fraction
from math import prod

import pytest
from cost.network.random_systems import listed
from looped import looped

from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.levels import port_shares
from p2smt.cost.network.load import around_seconds
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.traffic import HopShape
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import Level, Network, System


def racks(inside, between, devices=1):
    """Two racks of two machines, by their latencies."""
    levels = tuple(Level(name, size) for name, size in (("rack", 2), ("node", 2), ("gpu", devices)))
    links = tuple(
        Link(name=f"p{name}", level=name, wiring=Wiring.PORT, bandwidth=1e9, latency=latency, uplink=True)
        for name, latency in (("rack", between), ("node", inside), ("gpu", 0.5))
    )
    return System(levels, Network(links, 1e9, 0.0, "node"))


def hops(system, members):
    loads = explicit_loads(ClusterGraph(system), system, [(members, 1.0)], HopShape.TREES)
    return {load.link.level: load.hops for load in loads}, around_seconds(loads)


@pytest.mark.parametrize("members", [(0, 1, 2), (0, 2, 3), (1, 2, 3), (0, 1, 3)])
def test_the_longest_way_to_a_root_is_that_of_the_slower_tree(members):
    """Of three machines each tree is a chain: 1, 2, 0 and, shifted by one, 2, 0, 1."""
    system = racks(1.0, 10.0)
    rack = [member // 2 for member in members]
    ways = [[(rack[1], rack[2]), (rack[2], rack[0])], [(rack[2], rack[0]), (rack[0], rack[1])]]
    crossed = max(sum(one != other for one, other in way) for way in ways)
    assert hops(system, members)[1] == 10 * crossed + (2 - crossed)
    assert hops(system, members)[0] == {"rack": crossed, "node": 2 - crossed, "gpu": 0}


@pytest.mark.parametrize(
    ("members", "through"),
    [
        ((0, 2), 0),  # both next to port 0
        ((0, 3), 2),  # ports 0 and 1: every byte of both hops changes its port
        ((0, 1, 2), 1),  # from both ports to one, and back: half of either hop
        ((0, 2, 3), 1),
        ((0, 1, 2, 3), 0),
    ],
)
def test_with_rails_what_changes_its_port_passes_the_switches(members, through):
    """Two nodes of two devices, each next to a port of its own; a ring has one hop there and one back."""
    levels = (Level("node", 2), Level("gpu", 2))
    given = {"wiring": Wiring.PORT, "bandwidth": 1e9, "latency": 0.0, "uplink": True}
    links = (Link(name="nic", level="node", count=2, rails=True, **given), Link(name="pgpu", level="gpu", **given))
    system = System(levels, Network(links, 1e9, 0.0, "node"))
    loads = explicit_loads(ClusterGraph(system), system, [(members, 1.0)], HopShape.CYCLE)
    assert next(load.switch for load in loads if load.link.name == "nic") == through


@looped("count", [1, 2, 3, 4])
@looped(
    "inner",
    [
        ((Role.VARYING, 4),),
        ((Role.FREE, 4),),
        ((Role.FREE, 2), (Role.VARYING, 2)),
        ((Role.VARYING, 2), (Role.FREE, 2)),
        ((Role.FREE, 3), (Role.VARYING, 4)),
        ((Role.ZERO, 2), (Role.VARYING, 2)),
    ],
)
def test_a_group_spreads_its_bytes_over_the_ports_next_to_its_members(inner, count):
    """Port q of c is next to the devices d of n with floor(d c / n) = q, group by group."""
    pattern = Pattern((((Role.VARYING, 2),), inner))
    devices = prod(size for _, size in inner)
    link = Link(name="nic", level="node", wiring=Wiring.PORT, bandwidth=1e9, latency=0.0, uplink=True, count=count)
    groups = [[member for member in group if member < devices] for group in listed(pattern)]
    busy, largest = [Fraction(0)] * count, Fraction(0)
    for group in groups:
        ports = {member * count // devices for member in group}
        for port in ports:
            busy[port] += Fraction(1, len(ports))
            largest = max(largest, Fraction(1, len(ports)))
    assert port_shares(pattern, 0, link) == (pytest.approx(float(max(busy))), pytest.approx(float(largest)))
