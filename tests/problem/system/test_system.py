"""Every rule that a system must keep, by the text of its message."""

from dataclasses import replace
from math import nan

import pytest
from problem.refusal import refusal

from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import Algorithm, PerAlgorithm
from p2smt.problem.system.build import MOST_INSIDE, MOST_JOINED, build_system, default_system
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import Level, Network, System
from p2smt.problem.system.text import find_system

LEVELS = (Level("rack", 2), Level("node", 2), Level("gpu", 4))
RACK = Link(name="core", level="rack", wiring=Wiring.PORT, bandwidth=4e9, latency=2e-5)
NIC = Link(name="nic", level="node", wiring=Wiring.PORT, bandwidth=8e9, latency=1e-5, uplink=True, count=2)
HOST = Link(name="host", level="gpu", wiring=Wiring.BUS, bandwidth=1e10, latency=1e-6, uplink=True)
NVLINK = Link(name="nvlink", level="gpu", wiring=Wiring.RING, bandwidth=1e11, latency=1e-6, neighbours=((0, 1), (2, 3)))
NETWORK = Network((RACK, NIC, NVLINK, HOST), 1e12, 0.5, "node")
GOOD = System(LEVELS, NETWORK, "good", "by hand")


def with_links(*links):
    return replace(GOOD, network=replace(NETWORK, links=links))


def with_nic(**values):
    return with_links(RACK, replace(NIC, **values), NVLINK, HOST)


def with_nvlink(**values):
    return with_links(RACK, NIC, replace(NVLINK, **values), HOST)


def with_host(**values):
    return with_links(RACK, NIC, NVLINK, replace(HOST, **values))


def with_network(**values):
    return replace(GOOD, network=replace(NETWORK, **values))


def message(system):
    return refusal(build_system, system)


def test_a_good_system_is_given_back():
    assert build_system(GOOD) is GOOD
    assert (GOOD.devices, GOOD.machine) == (16, 1)
    assert [link.name for link in NETWORK.at("gpu")] == ["nvlink", "host"]
    assert [link.name for link in with_links(RACK, NIC, HOST, NVLINK).network.at("gpu")] == ["nvlink", "host"]
    assert replace(GOOD, network=replace(NETWORK, machine=None)).machine == -1


ALLOWED = [
    with_nic(count=4),
    with_nic(oversubscription=1, rails=True, duplex=Duplex.HALF),
    with_nic(flow=PerAlgorithm({Algorithm.RING: 1e9, Algorithm.TREE: 1.0})),
    with_nvlink(neighbours=()),
    with_nvlink(neighbours=((3, 0), (0, 3))),
    with_host(flow=PerAlgorithm({Algorithm.RING: 1e9})),
    with_network(overlap=0),
    with_network(overlap=1),
    with_network(machine=None),
    with_network(machine="rack"),
    replace(GOOD, levels=(*LEVELS[:2], Level("gpu", MOST_JOINED))),
    replace(GOOD, levels=(Level("rack", 10**6), *LEVELS[1:])),
    replace(with_links(RACK, NIC, HOST), levels=(*LEVELS[:2], Level("gpu", MOST_INSIDE))),
]


def test_what_is_just_allowed():
    for system in ALLOWED:
        assert build_system(system) is system


BROKEN = [
    (replace(GOOD, levels=()), "0 level entries; a problem has 1 to 16 of them"),
    (replace(GOOD, levels=(Level("gpu", 0),)), "level gpu has size 0; a size is a whole number >= 1"),
    (replace(GOOD, levels=(*LEVELS, Level("gpu", 2))), "level gpu is given twice; names must differ"),
    (
        replace(GOOD, levels=(Level("a b", 2),)),
        ("level name 'a b' is not allowed; write a letter and up to 63 letters, digits, _ or -, and not 'root'"),
    ),
    (with_network(machine="box"), "machine 'box' is not a level; the levels are rack, node, gpu"),
    (with_network(overlap=1.5), "overlap 1.5 is out of range; give a fraction from 0 to 1"),
    (with_network(overlap=-0.1), "overlap -0.1 is out of range; give a fraction from 0 to 1"),
    (with_network(overlap=nan), "overlap nan is out of range; give a fraction from 0 to 1"),
    (with_links(), "0 link entries; a problem has 1 to 64 of them"),
    (with_links(*[NIC] * 65), "65 link entries; a problem has 1 to 64 of them"),
    (with_nic(name="core"), "link core is given twice; names must differ"),
    (
        with_nic(name="n.ic"),
        ("link name 'n.ic' is not allowed; write a letter and up to 63 letters, digits, _ or -, and not 'root'"),
    ),
    (with_nic(level="nod"), "link nic: level 'nod' is unknown; the levels are rack, node, gpu"),
    (
        with_links(RACK, NVLINK, HOST),
        (
            "level node has 0 rings and 0 ports or buses; give every level exactly one port or bus "
            "and at most one ring, which takes the hops between neighbours"
        ),
    ),
    (
        with_links(RACK, NIC, NVLINK),
        (
            "level gpu has 1 rings and 0 ports or buses; give every level exactly one port or bus and "
            "at most one ring, which takes the hops between neighbours"
        ),
    ),
    (
        with_links(RACK, NIC, NVLINK, HOST, replace(NVLINK, name="second")),
        (
            "level gpu has 2 rings and 1 ports or buses; give every level exactly one port or bus and "
            "at most one ring, which takes the hops between neighbours"
        ),
    ),
    (
        with_links(RACK, NIC, NVLINK, HOST, replace(HOST, name="second")),
        (
            "level gpu has 1 rings and 2 ports or buses; give every level exactly one port or bus and "
            "at most one ring, which takes the hops between neighbours"
        ),
    ),
    (
        with_nic(flow=PerAlgorithm({Algorithm.RING: 0.0})),
        "link nic: ring_flow 0.0 is not a positive rate; write one such as 25GB/s",
    ),
    (
        with_nic(flow=PerAlgorithm({Algorithm.TREE: -1.0})),
        "link nic: tree_flow -1.0 is not a positive rate; write one such as 25GB/s",
    ),
    (
        with_nic(flow=PerAlgorithm({Algorithm.TREE: nan})),
        "link nic: tree_flow nan is not a positive rate; write one such as 25GB/s",
    ),
    (
        with_nic(count=5),
        "link nic: count 5 is out of range; a unit of level node has 1 to 4 ports, at most one per device inside it",
    ),
    (
        with_nic(count=0),
        "link nic: count 0 is out of range; a unit of level node has 1 to 4 ports, at most one per device inside it",
    ),
    (
        replace(GOOD, levels=(Level("rack", 2), Level("node", 2), Level("gpu", 4097))),
        (
            "link nic: count 2 with 4097 devices per unit; several ports need units of at most 4096 "
            "devices, so give one port with their total bandwidth"
        ),
    ),
    (
        with_nic(oversubscription=0.5),
        "link nic: oversubscription 0.5 is not a number of at least 1; write one such as 2",
    ),
    (
        with_nic(oversubscription=nan),
        "link nic: oversubscription nan is not a number of at least 1; write one such as 2",
    ),
    (with_nic(neighbours=((0, 1),)), "link nic has wiring port, but neighbours are for wiring ring; leave them out"),
    (with_host(neighbours=((0, 1),)), "link host has wiring bus, but neighbours are for wiring ring; leave them out"),
    (with_host(duplex=Duplex.HALF), "link host has wiring bus, but duplex is for wiring port; leave it out"),
    (with_host(count=2), "link host has wiring bus, but count is for wiring port; leave it out"),
    (with_host(rails=True), "link host has wiring bus, but rails is for wiring port; leave it out"),
    (
        with_host(oversubscription=2.0),
        "link host has wiring bus, but oversubscription is for wiring port; leave it out",
    ),
    (with_host(burst=1), "link host has wiring bus, but burst is for wiring port; leave it out"),
    (with_nic(burst=-1), "link nic: burst -1 is not a number of bytes"),
    (with_nvlink(duplex=Duplex.HALF), "link nvlink has wiring ring, but duplex is for wiring port; leave it out"),
    (
        with_nvlink(uplink=True),
        "link nvlink: a ring carries hops between neighbours only; an uplink must be a port or a bus",
    ),
    (
        with_nvlink(level="node", neighbours=()),
        (
            "link nvlink: level node is not inside machines; a ring joins the devices of one machine, "
            "so use a port or a bus"
        ),
    ),
    (
        with_network(machine="gpu"),
        (
            "link nvlink: level gpu is not inside machines; a ring joins the devices of one machine, "
            "so use a port or a bus"
        ),
    ),
    (
        replace(GOOD, levels=(*LEVELS[:2], Level("gpu", 1025))),
        ("link nvlink: level gpu has 1025 units, but a ring joins at most 1024; use a port or a bus"),
    ),
    (
        with_nvlink(neighbours=((0, 1), (3, 4))),
        "link nvlink: neighbours 3 and 4 are not two units of level gpu, which are numbered 0 to 3",
    ),
    (
        with_nvlink(neighbours=((2, 2),)),
        "link nvlink: neighbours 2 and 2 are not two units of level gpu, which are numbered 0 to 3",
    ),
    (
        with_nvlink(neighbours=((-1, 0),)),
        "link nvlink: neighbours -1 and 0 are not two units of level gpu, which are numbered 0 to 3",
    ),
]


def test_a_broken_rule_is_named():
    for system, wanted in BROKEN:
        assert message(system) == wanted


def test_the_default_system_has_one_port_per_level():
    system = default_system([Level("pod", 4), Level("node", 8), Level("gpu", 2)])
    assert [(link.name, link.level, link.wiring) for link in system.network.links] == [
        (name, name, Wiring.PORT) for name in ("pod", "node", "gpu")
    ]
    assert (system.network.machine, system.machine, system.devices) == ("node", 1, 64)
    assert system.network.links[0].bandwidth == 8e9
    assert system.network.links[-1].bandwidth == pytest.approx(270e9)
    alone = default_system([Level("gpu", 8)])
    assert (alone.network.machine, alone.machine) == (None, -1)
    assert alone.network.links[0].bandwidth == pytest.approx(270e9)


@pytest.mark.parametrize("quota", ["0", "-1", "2", "nan"])
def test_a_quota_that_is_no_part_of_a_core_is_named(quota):
    with pytest.raises(ProblemError, match=r"quota .* is out of range; give a fraction of a core, 0\.01 to 1\.0"):
        find_system(f"lab:2x1@0.5/{quota}")


def test_quotas_are_one_for_all_machines_or_one_for_each():
    """Equal ones that follow each other are one kind; one that comes again has a name of its own."""
    named = [(kind.name, kind.machines, kind.quota) for kind in find_system("lab:4x1@0.5/0.5/0.25/0.5").kinds]
    assert named == [("core-0_5", 2, 0.5), ("core-0_25", 1, 0.25), ("core-0_5-2", 1, 0.5)]
    assert [(kind.machines, kind.quota) for kind in find_system("lab:4x1@0.5").kinds] == [(4, 0.5)]
    for given, count in (("0.5/0.25", 2), ("0.5/0.25/0.5/0.25/0.5", 5), ("0.5/0.5/0.5", 3)):
        with pytest.raises(
            ProblemError, match=f"{count} quotas for 4 machines; give one for each or one for all, such as"
        ):
            find_system(f"lab:4x1@{given}")
