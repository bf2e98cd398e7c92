"""Trees of unlike sizes against the leaves of nested lists, numbered by hand."""

from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2smt.errors import ProblemError
from p2smt.placement.digits import split
from p2smt.problem.system.tree import MAX_HULL, MAX_TREE_DEVICES, Tree, check_tree, machine_tree, tree_of, uniform_tree


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Trees of one to three levels with up to four children per unit."""
    children: list[tuple[int, ...]] = []
    units = 1
    for _ in range(draw(st.integers(1, 3))):
        children.append(tuple(draw(st.lists(st.integers(1, 4), min_size=units, max_size=units))))
        units = sum(children[-1])
    return Tree(tuple(children))


def paths(tree: Tree) -> list[tuple[int, ...]]:
    """The digits of every device, unit by unit."""
    reached: list[tuple[int, ...]] = [()]
    for counts in tree.children:
        reached = [(*path, digit) for path, count in zip(reached, counts, strict=True) for digit in range(count)]
    return reached


@given(trees())
def test_devices_are_numbered_in_the_order_of_the_tree(tree: Tree) -> None:
    """The hull's digits of the present devices are their paths, in order."""
    assert [split(number, tree.hull) for number in tree.present] == paths(tree)
    assert list(tree.present) == sorted(set(tree.present))
    assert tree.devices == len(tree.present)
    assert tree.is_uniform == (tree == uniform_tree(tree.hull))


def test_a_uniform_tree_has_every_device_of_its_hull() -> None:
    """[2 3] has devices 0 to 5."""
    assert uniform_tree((2, 3)).present == tuple(range(6))


@pytest.mark.parametrize(
    ("children", "message"),
    [
        ((), "the outermost level has one size"),
        (((2, 2),), "the outermost level has one size"),
        (((2,), (3, 0)), "level 1 has a unit with 0 children"),
        (((2,), (3,)), "level 1 has 1 sizes for"),
        (((2,), (3, 1, 1)), "level 1 has 3 sizes for"),
        (((1,), (MAX_TREE_DEVICES + 1,)), "65537 devices are too many"),
    ],
)
def test_what_is_no_tree(children: tuple[tuple[int, ...], ...], message: str) -> None:
    """Every rule has its message."""
    with pytest.raises(ProblemError, match=message):
        Tree(children)


def test_the_largest_trees_are_taken() -> None:
    """65,536 devices, and a hull of 2^20 numbers; one more is refused."""
    assert Tree(((2,), (MAX_TREE_DEVICES - 1, 1))).devices == MAX_TREE_DEVICES
    with pytest.raises(ProblemError, match="65537 devices are too many"):
        Tree(((2,), (MAX_TREE_DEVICES - 1, 2)))
    assert MAX_HULL == 1024 * 1024
    check_tree(Tree(((1024,), (1024, *[1] * 1023))), (1024, 1024))
    with pytest.raises(ProblemError, match="would have 1049600 devices"):
        check_tree(Tree(((1024,), (1025, *[1] * 1023))), (1024, 1025))
    assert len(tree_of([(MAX_TREE_DEVICES,), (1,)]).children[1]) == MAX_TREE_DEVICES
    with pytest.raises(ProblemError, match="there are 65537 units above 2"):
        tree_of([(2,), (MAX_TREE_DEVICES - 1, 2), (2,)])


@given(trees())
def test_a_tree_has_the_levels_of_its_hull_and_no_others(tree: Tree) -> None:
    """Also of as many levels, or of as many devices."""
    check_tree(tree, tree.hull)
    sizes = tree.hull
    for other in ((*sizes, 1), sizes[:-1], (sizes[0] + 1, *sizes[1:]), (*sizes[:-1], sizes[-1] + 1), sizes[::-1]):
        if other != sizes:
            with pytest.raises(ProblemError, match="the irregular hierarchy"):
                check_tree(tree, other)


def test_machines_have_the_first_devices_of_their_levels() -> None:
    """All machines of up to eight devices on two levels, two beside each other."""
    for inside in ((2, 4), (4, 2), (2, 2, 2), (3, 2)):
        for machines in product(range(1, prod(inside) + 1), repeat=2):
            tree = machine_tree((2,), machines, inside)
            every = list(product(*map(range, inside)))
            assert paths(tree) == [(n, *path) for n, devices in enumerate(machines) for path in every[:devices]]
            assert tree.inside(0) == machines
