from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from p2smt.placement.groups import DigitGroups, device_class


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.data())
def test_groups_are_the_devices_that_differ_where_they_may(sizes, data):
    positions = data.draw(st.lists(st.integers(0, len(sizes) - 1), unique=True))
    cut = data.draw(st.integers(0, len(positions)))
    varying, zero = tuple(positions[:cut]), tuple(positions[cut:])
    values = list(product(*map(range, sizes)))
    formed = DigitGroups(tuple(sizes), varying, zero)
    by_definition = {}
    for device, digits in enumerate(values):
        if any(digits[position] for position in zero):
            assert formed.root_of(device) is None
            continue
        key = tuple(digit for position, digit in enumerate(digits) if position not in varying)
        by_definition.setdefault(key, []).append(device)
    groups = sorted(map(tuple, by_definition.values()))
    assert list(formed) == groups
    assert list(formed.roots()) == [group[0] for group in groups]
    assert (formed.count, {formed.size}) == (len(groups), set(map(len, groups)))
    for group in groups:
        assert tuple(formed.members(group[0])) == group
        assert {formed.root_of(device) for device in group} == {group[0]}


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.data())
def test_a_class_says_which_sets_of_digits_are_not_all_zero(sizes, data):
    sets = data.draw(st.lists(st.sets(st.integers(0, len(sizes) - 1)), max_size=3))
    for device, digits in enumerate(product(*map(range, sizes))):
        found = device_class(device, sizes, sets)
        assert [bool(found >> i & 1) for i in range(len(sets))] == [any(digits[p] for p in one) for one in sets]
        assert found < 1 << len(sets)
