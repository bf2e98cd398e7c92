"""Gloo's own ways: its hops counted by hand, its groups those of the plan, prices that only grow."""

from itertools import product

import pytest
from looped import looped
from support import problem

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.cost.network.binomial_tree import binomial_tree
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import Work
from p2smt.cost.network.gloo import gloo_hops, gloo_turns, gloo_way
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import Pattern, Role, pattern_of
from p2smt.cost.ranking import rank
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.system.file import preset, resized
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.session import Synthesizer

HOSTS = resized(preset("lab"), (2, 4))
EVERYONE = Pattern((((Role.VARYING, 2),), ((Role.VARYING, 4),)))
INSIDE = Pattern((((Role.FREE, 2),), ((Role.VARYING, 4),)))


def nic_bytes(collective, pattern=EVERYONE):
    """Bytes on the busiest network card when every root holds one."""
    cost = cost_of(HOSTS, Gloo()).work_cost(Work(collective, pattern, 1.0))
    return next(load.busiest for load in cost.loads if load.link.name == "nic")


def test_the_network_card_carries_what_gloo_sends():
    """Four of eight sends of the last round of a broadcast leave the host; a ring leaves it once."""
    assert nic_bytes(Collective.BROADCAST) == 4
    assert nic_bytes(Collective.ALL_REDUCE) == nic_bytes(Collective.REDUCE_SCATTER) == 2 * 7 / 8
    assert nic_bytes(Collective.ALL_GATHER) == 7
    assert nic_bytes(Collective.REDUCE) == pytest.approx(7 / 8 + 4 / 8)
    assert all(nic_bytes(kind, INSIDE) == 0 for kind in Collective)


@looped("size", range(2, 20))
def test_the_tree_of_a_broadcast_reaches_everyone_once_from_one_who_has_it(size):
    has = {0}
    for source, target in binomial_tree(size):
        assert source in has
        assert target not in has
        has.add(target)
    assert has == set(range(size))


@looped(("kind", "size"), list(product(Collective, (2, 3, 4, 7))))
def test_hops_bring_everyone_at_least_what_they_lack(kind, size):
    into = [sum(part for _, target, part in gloo_hops(kind, size) if target == place) for place in range(size)]
    least = {Collective.ALL_GATHER: size - 1.0, Collective.REDUCE: (size - 1) / size}.get(kind, (size - 1) / size)
    assert all(got >= least - 1e-9 for place, got in enumerate(into) if kind is not Collective.BROADCAST or place)
    around, turns = gloo_turns(kind, size)
    assert around * len(turns) >= 1
    assert all(turns)


def test_groups_are_those_of_the_plan():
    asked = problem((2, 4), [2, 4], reduce=[1])
    for matrix in (ParallelismMatrix(((2, 1), (1, 4))), ParallelismMatrix(((1, 2), (2, 2)))):
        lowering = Lowering(asked, matrix)
        for program in Synthesizer().synthesize(asked, only=matrix).placements[0].programs[:20]:
            plan = lowering.plan(program)
            for step in plan.steps:
                if hasattr(step, "groups"):
                    assert sorted(pattern_of(plan, step.groups).groups) == sorted(plan.groups(step.groups))


def test_of_groups_of_unlike_size_turns_and_memory_are_those_of_the_largest():
    """Around a host's four in 2 * 3 hops, where a pair of the other host needs 2; four shares are copied for two."""
    cluster, network = ClusterGraph(HOSTS), HOSTS.network
    (link,) = {cluster.joins(cluster.device(0), cluster.device(place)) for place in (1, 2, 3)}
    for groups in (((0, 1, 2, 3), (4, 5)), ((4, 5), (0, 1, 2, 3))):
        summed, gathered = (
            gloo_way(cluster, HOSTS, kind, groups).cost(1000.0, network)
            for kind in (Collective.ALL_REDUCE, Collective.ALL_GATHER)
        )
        assert summed.latency_s == pytest.approx(2 * 3 * link.latency)
        assert gathered.memory_s == pytest.approx((1 + 3 * 4) * 1000.0 / network.memory_bandwidth)


def test_ranking_takes_gloo_and_finds_another_winner_than_nccl():
    """On two hosts of four NCCL's rings scatter; gloo's ReduceScatter saves nothing inside a host."""
    from p2smt.problem.build import build_problem
    from p2smt.problem.model import Axis, Payload, Search

    asked = build_problem(HOSTS, [Axis("data", 8)], ["data"], Payload(500_000, "float32"), Search())
    found = Synthesizer().synthesize(asked)
    winners = {
        name: rank(found, cost)[0].programs[0].text
        for name, cost in (("nccl", NetworkCost(HOSTS)), ("gloo", cost_of(HOSTS, Gloo())))
    }
    assert winners["nccl"] != winners["gloo"]
    assert "ReduceScatter" not in winners["gloo"]


def test_a_longer_payload_never_takes_less_time():
    cost = cost_of(HOSTS, Gloo())
    for kind, pattern in product(Collective, (EVERYONE, INSIDE)):
        times = [cost.work_cost(Work(kind, pattern, held)).seconds for held in (0.0, 1e3, 1e6, 1e9)]
        assert times == sorted(times)
        assert times[0] > 0


@pytest.mark.parametrize(
    ("collective", "moved"),
    [
        (Collective.ALL_REDUCE, 2.0),  # the input is read, the output written
        (Collective.REDUCE, 2.0),
        (Collective.BROADCAST, 2.0),
        (Collective.ALL_GATHER, 1.0 + 3 * 8),  # every share of eight is written, read again, and copied out
        (Collective.REDUCE_SCATTER, 4.0 + 1 / 8),  # copied, reduced in place, and one block of eight copied out
    ],
)
def test_memory_is_read_and_written_by_hand(collective, moved):
    cost = cost_of(HOSTS, Gloo()).work_cost(Work(collective, EVERYONE, 1000.0))
    assert cost.memory_s == pytest.approx(moved * 1000.0 / HOSTS.network.memory_bandwidth)


@looped("size", [2, 3, 5, 6, 8, 9, 17])
def test_the_turns_of_a_broadcast_reach_everybody_in_as_few_doublings_as_can_be(size):
    once, turns = gloo_turns(Collective.BROADCAST, size)
    have = {0}
    for turn in turns:
        assert {sender for sender, _ in turn} <= have
        have |= {receiver for _, receiver in turn}
    assert (once, have, len(turns)) == (1.0, set(range(size)), (size - 1).bit_length())
