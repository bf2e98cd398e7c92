"""Collectives of any devices cost what patterns say where there is one, and what is counted hop by hop elsewhere."""

from fractions import Fraction
from itertools import permutations

import pytest
from cost.network.random_systems import placed
from hypothesis import given, settings
from hypothesis import strategies as st
from looped import looped
from tiers import examples

from p2smt.collective import Collective
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import Work
from p2smt.cost.network.explicit import counted_loads
from p2smt.cost.network.load import around_seconds
from p2smt.cost.network.members import MembersCost
from p2smt.cost.network.members_exchange import exchange_loads
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.figures import with_figures
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.network import LevelCost, ModelledNetwork


def everybody(system):
    return Pattern(tuple(((Role.VARYING, level.size),) for level in system.levels))


@looped("backend", [Nccl(), Gloo()])
@looped("text", ["dgx-h100:4x8", "p2-v100", "lab", "ethernet:2x3", "2x2x3"])
def test_all_devices_of_a_system_cost_what_their_pattern_does(text, backend):
    system = find_system(text)
    one = MembersCost(system, backend, range(system.devices))
    for held in (4e3, 4e8):
        for collective in Collective:
            whole = cost_of(system, backend).work_cost(Work(collective, everybody(system), held))
            assert one.collective(collective, held) == pytest.approx(whole.seconds)
        assert one.exchange(held) == pytest.approx(all_to_all_cost(everybody(system), held, system).seconds)


@settings(max_examples=examples(9))
@given(placed(), st.data())
def test_the_loads_of_an_exchange_are_those_of_every_block_sent_on_the_graph(pair, data):
    _, system = pair
    some = data.draw(st.lists(st.integers(0, system.devices - 1), min_size=min(2, system.devices), unique=True))
    if len(some) < 2:
        return
    cluster = ClusterGraph(system)
    counted = counted_loads(cluster, system, [(some, [(a, b, 1.0) for a, b in permutations(some, 2)])])
    loads = exchange_loads(cluster, system, some)
    for ours, theirs in zip(loads, counted, strict=True):
        assert ours.link == theirs.link
        for field in ("incoming", "outgoing", "busiest", "flow", "ports"):
            assert getattr(ours, field) == pytest.approx(getattr(theirs, field)), field
        if not ours.link.rails:
            assert ours.switch == pytest.approx(theirs.switch)

    def latency(device):
        others = (other for other in some if other != device)
        return sum(cluster.joins(cluster.device(device), cluster.device(other)).latency for other in others)

    assert around_seconds(loads) == pytest.approx(max(map(latency, some)), abs=1e-12)


def test_by_hand_a_machine_of_two_and_one_of_one():
    """Cards of 10 GB/s, devices' ports of 100 GB/s: an AllGather of 3 GB in all sends 2 GB through each card; in an
    all-to-all each device sends 1 GB to each other, and the pair's card takes 2 GB."""
    system = find_system("node:2,gpu:2")
    one = MembersCost(system, Nccl(), (0, 1, 2))
    network = system.network
    nic = network.at("node")[0]
    gather = one.collective(Collective.ALL_GATHER, 1e9)
    rest = network.launch + (4e9 / network.memory_bandwidth)
    assert gather == pytest.approx((2e9 / nic.bandwidth) + rest, rel=1e-4)
    exchange = one.exchange(3e9)
    assert exchange == pytest.approx(
        (2e9 / nic.bandwidth) + network.launch + (6e9 / network.memory_bandwidth), rel=1e-3
    )


@pytest.mark.parametrize("collective", [Collective.BROADCAST, Collective.REDUCE])
def test_calls_of_a_group_pay_latency_once_by_nccl_and_each_by_gloo(collective):
    """A rank's part by each of six calls: NCCL's share one latency; gloo's take what six calls of their bytes do."""
    system = with_figures(find_system("lab:2x3"), "nic=300Mb/s", "nic=3ms")
    parts, count = (3, 0, 1, 2, 2, 4), 12e6
    shares = tuple(Fraction(part, sum(parts)) for part in parts)
    for backend in (Nccl(), Gloo()):
        of_all = MembersCost(system, backend, range(6))
        level = LevelCost(cost_of(system, backend))
        assert level.one_more(collective) == pytest.approx(of_all.one_more(collective))
        apart = sum(of_all.collective(collective, count * share) for share in map(float, shares) if share)
        grouped = of_all.collective(collective, count) + 4 * of_all.one_more(collective)
        if backend == Gloo():
            assert grouped == pytest.approx(apart)
            assert of_all.one_more(collective) > 3e-3
        else:
            assert grouped < apart - 4 * 3e-3
            assert of_all.one_more(collective) == system.network.launch
        network = ModelledNetwork(of_all)
        priced = network.all_gather if collective is Collective.BROADCAST else network.reduce_scatter
        assert priced(int(count), shares).time <= round(grouped * 10**12) + 1
