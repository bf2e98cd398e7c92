"""The two trees over machines, against NCCL's rule for children and against what makes them useful."""

import networkx as nx
import pytest
from looped import looped
from support import refused
from tiers import sample

from p2smt.cost.network.double_tree import MOST_MACHINES, double_tree

NODES = sample(range(1, 65), 22)


def children(nodes, rank):
    """NCCL 2.x `trees.cc`, ncclGetBtree: below rank 0 the highest bit, below others half a bit to both sides."""
    bit = 1
    while bit < nodes and not bit & rank:
        bit <<= 1
    if rank == 0:
        return {bit >> 1} if nodes > 1 else set()
    low = bit >> 1
    if not low:
        return set()
    right, lower = rank + low, low
    while right >= nodes and lower:
        lower >>= 1
        right = rank + lower if lower else -1
    return {rank - low, right} - {-1}


def edges(parents):
    return {(child, parent) for child, parent in enumerate(parents.tolist()) if parent >= 0}


def degrees(parents):
    graph = nx.Graph(edges(parents))
    graph.add_nodes_from(range(len(parents)))
    return dict(graph.degree)


def leaves(parents):
    return set(range(len(parents))) - {parent for _, parent in edges(parents)}


@pytest.mark.parametrize(
    ("nodes", "first", "second"),
    [
        (1, [-1], [-1]),
        (2, [-1, 0], [1, -1]),
        (3, [-1, 2, 0], [1, -1, 0]),
        (4, [-1, 2, 0, 2], [1, 3, 1, -1]),
        (8, [-1, 2, 4, 2, 0, 6, 4, 6], [1, 3, 1, 7, 5, 3, 5, -1]),
    ],
)
def test_small_trees(nodes, first, second):
    assert [tree.tolist() for tree in double_tree(nodes)] == [first, second]


@looped("nodes", NODES)
def test_the_first_tree_has_the_children_that_nccl_gives(nodes):
    first, _ = double_tree(nodes)
    assert edges(first) == {(child, rank) for rank in range(nodes) for child in children(nodes, rank)}


@looped("nodes", NODES)
def test_the_second_tree_is_the_mirror_image_or_shifted_by_one(nodes):
    first, second = map(edges, double_tree(nodes))
    moved = (lambda rank: nodes - 1 - rank) if nodes % 2 == 0 else (lambda rank: (rank + 1) % nodes)
    assert second == {(moved(child), moved(parent)) for child, parent in first}


@looped("nodes", NODES)
def test_both_span_all_nodes_and_no_node_has_more_than_two_children(nodes):
    for parents in double_tree(nodes):
        graph = nx.Graph(edges(parents))
        graph.add_nodes_from(range(nodes))
        assert nx.is_tree(graph)
        assert sum(parent < 0 for parent in parents) == 1
        below = [parent for _, parent in edges(parents)]
        assert max(map(below.count, below), default=0) <= 2
        assert max(degrees(parents).values()) <= 3
        root = int(parents.argmin())
        assert max(nx.shortest_path_length(graph, root).values()) <= nodes.bit_length()


@looped("nodes", NODES)
def test_every_node_is_a_leaf_in_one_of_the_two_but_node_0_of_an_odd_number(nodes):
    first, second = double_tree(nodes)
    nowhere = set(range(nodes)) - leaves(first) - leaves(second)
    assert nowhere == ({0} if nodes % 2 and nodes > 1 else set())


@looped("nodes", range(4, 65, 2))
def test_the_busiest_node_has_four_edges_in_both_trees_together(nodes):
    first, second = map(degrees, double_tree(nodes))
    assert max(first[node] + second[node] for node in range(nodes)) == 4


def test_as_many_machines_as_are_drawn_and_one_more():
    first, second = double_tree(MOST_MACHINES)
    assert len(first) == len(second) == 2**20
    assert refused(lambda: double_tree(2**20 + 1)).startswith("trees over 1048577 machines are too large")
