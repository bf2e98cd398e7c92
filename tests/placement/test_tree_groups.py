"""Groups on trees of unlike sizes against their definition, device by device."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from p2smt.placement.digits import split
from p2smt.placement.groups import DigitGroups
from p2smt.placement.tree import PresentGroups
from p2smt.problem.system.tree import Tree, uniform_tree


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=4),
    st.sets(st.integers(0, 1), min_size=1),
    st.sets(st.integers(0, 1)),
)
def test_groups_by_definition(sizes: list[int], varying: set[int], zero: set[int]) -> None:
    """Devices that agree on all other digits are together, those with a digit to be 0 that is not are out."""
    zero = zero - varying
    tree = Tree(((len(sizes),), tuple(sizes)))
    together = defaultdict(list)
    for rank, number in enumerate(tree.present):
        digits = split(number, tree.hull)
        if not any(digits[position] for position in zero):
            together[tuple(d for position, d in enumerate(digits) if position not in varying)].append(rank)
    expected = sorted(tuple(group) for group in together.values() if len(group) > 1)
    groups = PresentGroups(DigitGroups(tree.hull, tuple(sorted(varying)), tuple(sorted(zero))), tree.present)
    assert list(groups) == expected
    sizes_there = sorted({*map(len, expected)})
    assert (groups.count, groups.group_sizes) == (len(expected), tuple(sizes_there))
    assert groups.size == max(sizes_there, default=0)
    assert list(groups.roots()) == [group[0] for group in expected]
    assert [tuple(groups.members(group[0])) for group in expected] == expected
    own = {rank: group[0] for group in expected for rank in group}
    assert [groups.root_of(rank) for rank in range(tree.devices)] == [own.get(rank) for rank in range(tree.devices)]


def test_on_a_uniform_tree_they_are_the_hulls() -> None:
    """Nobody is absent, so nothing is left out."""
    hull = DigitGroups((2, 3, 2), (0, 1), (2,))
    assert list(PresentGroups(hull, uniform_tree((2, 3, 2)).present)) == list(hull)


def test_where_nothing_varies_every_device_is_a_group() -> None:
    """Of a reduction over axes of size 1; among masters only those whose digits are 0."""
    present = Tree(((3,), (2, 1, 2))).present
    assert list(PresentGroups(DigitGroups((3, 2), ()), present)) == [(0,), (1,), (2,), (3,), (4,)]
    masters = PresentGroups(DigitGroups((3, 2), (), (1,)), present)
    assert (list(masters), masters.size, masters.count) == ([(0,), (2,), (3,)], 1, 3)
