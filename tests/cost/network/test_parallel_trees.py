"""PAT: every share arrives by the hops that are counted, and the price is NCCL's: less latency, less bandwidth."""

from collections import Counter

import pytest

from p2smt.collective import Collective
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import Work
from p2smt.cost.network.members import MembersCost
from p2smt.cost.network.parallel_trees import tree_ends, tree_rounds, tree_shares
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.unlike import UnlikeCost, able_groups
from p2smt.problem.system.algorithm import Algorithm, Auto
from p2smt.problem.system.text import find_system


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13])
def test_every_share_arrives_once_by_the_hops_that_are_counted(size):
    """Played through: a share goes on by lengths 2^k, largest first, below the one that it came by."""
    sent = Counter()
    held = {member: {member} for member in range(size)}
    for power in reversed(range(len(tree_shares(size)))):
        arriving = []
        for member in range(size):
            for owner in held[member]:
                gone = (member - owner) % size
                if gone % 2 ** (power + 1) == 0 and gone + 2**power < size:
                    arriving.append(((member + 2**power) % size, owner))
                    sent[power] += 1
        for target, owner in arriving:
            assert owner not in held[target]
            held[target].add(owner)
    assert all(len(owners) == size for owners in held.values())
    shares = tree_shares(size)
    assert sum(shares) == pytest.approx(1)
    assert [sent[power] for power in range(len(shares))] == pytest.approx(
        [share * size * (size - 1) for share in shares]
    )
    ends, amounts = tree_ends((size,))
    assert (ends.shape[1], amounts.sum()) == (size * len(shares), pytest.approx(size))


def cards(nodes):
    """One device of each of some machines, eight groups at once."""
    return find_system(f"dgx-h100:{nodes}x8"), Pattern((((Role.VARYING, nodes),), ((Role.FREE, 8),)))


def test_the_price_by_hand():
    system, pattern = cards(16)
    work = Work(Collective.REDUCE_SCATTER, pattern, 1e6)
    ring, trees = (cost_of(system, Nccl(one)).work_cost(work) for one in (Algorithm.RING, Algorithm.PAT))
    assert trees.links_s == pytest.approx(ring.links_s / 0.75)
    assert trees.latency_s == pytest.approx(14e-6 * (4 / 3.5 + 0.2 * 16))
    assert ring.latency_s == pytest.approx(14e-6 * 15)
    assert trees.latency_s == pytest.approx(14e-6 * 4 * tree_rounds(16))


def test_small_messages_take_trees_and_large_ones_rings():
    system, pattern = cards(16)
    for collective in (Collective.ALL_GATHER, Collective.REDUCE_SCATTER):
        carried = [cost_of(system).work_cost(Work(collective, pattern, held)).algorithm for held in (1e4, 1e9)]
        assert carried == [Algorithm.PAT, Algorithm.RING]
    assert cost_of(system).work_cost(Work(Collective.ALL_REDUCE, pattern, 1e4)).algorithm is not Algorithm.PAT


def test_every_way_to_a_price_gives_the_same_and_two_devices_in_a_machine_have_none():
    system = find_system("dgx-h100:6x1")
    pattern = Pattern((((Role.VARYING, 6),), ()))
    for choice in (Auto.AUTO, Algorithm.PAT):
        found = cost_of(system, Nccl(choice)).work_cost(Work(Collective.ALL_GATHER, pattern, 1e4))
        assert found.algorithm is Algorithm.PAT
        members = MembersCost(system, Nccl(choice), system.present).collective(Collective.ALL_GATHER, 1e4)
        assert members == pytest.approx(found.seconds)
        priced = UnlikeCost(system, choice).work_cost(Work(Collective.ALL_GATHER, pattern, 1e4))
        assert priced.seconds == pytest.approx(found.seconds)
    pairs = find_system("dgx-h100:2x2")
    cluster = ClusterGraph(pairs)
    assert Algorithm.PAT in able_groups(cluster, pairs, [[0, 2], [1, 3]])
    assert Algorithm.PAT not in able_groups(cluster, pairs, [[0, 2], [0, 1, 2]])
