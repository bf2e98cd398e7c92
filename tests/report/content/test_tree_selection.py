"""Which devices of a tree of unlike units are drawn, and where."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_support import paths_of

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.system.text import find_system
from p2smt.problem.system.tree import Tree
from p2smt.report.content.naming import levels_shape
from p2smt.report.content.selection import selection_of
from p2smt.report.content.tree_selection import select_units
from p2smt.report.figures.frame import ClusterFrame


@st.composite
def trees(draw):
    """One to three levels with up to five children per unit."""
    children, units = [], 1
    for _ in range(draw(st.integers(1, 3))):
        children.append(tuple(draw(st.lists(st.integers(1, 5), min_size=units, max_size=units))))
        units = sum(children[-1])
    return Tree(tuple(children))


def drawn_of(tree, whole_to, else_to):
    return select_units(ParallelismMatrix((tree.hull,)), tree, whole_to, else_to)


@given(trees(), st.integers(1, 20))
def test_no_more_are_drawn_than_said_with_their_units_numbered_as_they_are(tree, else_to):
    chosen, paths = drawn_of(tree, 10, else_to), paths_of(tree)
    assert chosen.whole == (chosen.devices == tuple(range(tree.devices)))
    assert chosen.whole or len(chosen.devices) <= else_to
    assert chosen.devices[0] == 0
    own = [paths[device] for device in chosen.devices]
    assert own == sorted({*own})
    for level, numbers in enumerate(chosen.units):
        assert list(numbers) == [unit[-1] for unit in dict.fromkeys(path[: level + 1] for path in own)]
    assert list(map(len, paths_of(chosen.shape))) == list(map(len, own))


@given(trees())
def test_boxes_stand_inside_their_parents_and_apart(tree):
    frame = ClusterFrame(tree, 50.0)
    levels = [*frame.boxes, frame.cells]
    for (parents, children), counts in zip(pairwise(levels), tree.children, strict=True):
        assert len(children) == sum(counts)
        left = iter(children)
        for parent, count in zip(parents, counts, strict=True):
            inside = [next(left) for _ in range(count)]
            for child in inside:
                assert parent.x < child.x
                assert parent.y < child.y
                assert child.x + child.width < parent.x + parent.width
                assert child.y + child.height < parent.y + parent.height
            for one, other in combinations(inside, 2):
                beside = one.x + one.width < other.x or other.x + other.width < one.x
                assert beside or one.y + one.height < other.y or other.y + other.height < one.y


def test_of_a_large_cluster_the_units_that_differ_are_drawn():
    tree = find_system(f"node:[{'8,' * 39}5]").tree
    chosen = selection_of(ParallelismMatrix(((40, 8),)), (0,), tree)
    assert chosen.units[0] == (0, 1, 2, 3, 4, 5, 6, 39)
    assert len(chosen.devices) == (7 * 8) + 5
    assert chosen.devices[-1] == tree.devices - 1


@pytest.mark.parametrize(
    ("system", "text"),
    [
        ("node:[5,3]", "node 2 × gpu [5,3]"),
        ("rack:2,node:[2,1],gpu:4", "rack 2 × node [2,1] × gpu 4"),
        (f"node:[{'8,' * 39}5]", "node 40 × gpu 5 to 8"),
        ("node:2,gpu:4", "node 2 × gpu 4"),
    ],
)
def test_levels_in_a_heading(system, text):
    assert levels_shape(find_system(system)) == text


def test_a_tree_of_as_many_devices_as_are_drawn_is_drawn_whole():
    """Also one that is wider outside than inside."""
    tree = Tree(((5,), (1, 1, 1, 1, 2)))
    assert drawn_of(tree, 6, 3).whole
    assert drawn_of(tree, 6, 3).units == ((0, 1, 2, 3, 4), (0, 0, 0, 0, 0, 1))
    assert not drawn_of(tree, 5, 3).whole
