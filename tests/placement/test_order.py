"""Orders of axes: brute force over all permutations, laid on devices and compared with the coordinates of a matrix."""

from itertools import permutations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looped import looped
from support import problem

from p2smt.placement.digits import DeviceMap, split
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import ParallelismMatrix, parse_matrix
from p2smt.placement.order import SplitAxis, matrix_of_order, order_of, orders_of

SIZES = [
    ([4, 16], [8, 2, 4]),
    ([2, 2, 2], [2, 2, 2]),
    ([2, 2, 2], [4, 2]),
    ([6, 4], [3, 8]),
    ([6, 6], [4, 9]),
    ([2, 3, 2], [3, 2, 2]),
    ([4, 6], [2, 3, 4]),
    ([3, 2, 2], [2, 1, 6]),
    ([2, 1, 4], [1, 8]),
    ([1], [1]),
    ([12], [2, 3, 2]),
]


def laid(order, shards):
    """The coordinates of device 0, 1, 2, ... by the definition of an order."""
    sizes = [shards[axis] for axis in order]
    found = []
    for device in range(prod(shards)):
        digits = dict(zip(order, split(device, sizes), strict=True))
        found.append(tuple(digits[axis] for axis in range(len(shards))))
    return found


def unit_sets(coordinates, sizes):
    """For every level, the coordinates that each of its units holds: what a placement is but for equal devices."""
    units = [prod(sizes[level + 1 :]) for level in range(len(sizes))]
    return [
        {frozenset(coordinates[begin : begin + unit]) for begin in range(0, len(coordinates), unit)} for unit in units
    ]


@looped(("sizes", "shards"), SIZES)
def test_an_order_is_the_matrix_whose_units_hold_the_same_coordinates_or_none(sizes, shards):
    by_units = {}
    for matrix in all_placements(problem(sizes, shards)).items:
        by_units[str(unit_sets(list(DeviceMap(matrix)), sizes))] = matrix
    sets = {matrix: unit_sets(list(DeviceMap(matrix)), sizes) for matrix in by_units.values()}
    for order in permutations(range(len(shards))):
        own = unit_sets(laid(order, shards), sizes)
        same = [matrix for matrix, units in sets.items() if units == own]
        found = matrix_of_order(order, shards, sizes)
        assert ([] if isinstance(found, SplitAxis) else [found]) == same


# 350 matrices; which of them have an order is tested by the definition in tests/scripts/test_order_strings.py.
LARGE = pytest.param([8, 16, 8], [8, 4, 2, 4, 4], marks=pytest.mark.thorough)  # a larger grid


@pytest.mark.parametrize(("sizes", "shards"), [*SIZES, LARGE])
def test_the_direct_construction_finds_every_order_of_every_matrix(sizes, shards):
    tried = {}
    for order in permutations(range(len(shards))):
        found = matrix_of_order(order, shards, sizes)
        if not isinstance(found, SplitAxis):
            tried.setdefault(found, set()).add(tuple(axis for axis in order if shards[axis] > 1))
    for matrix in all_placements(problem(sizes, shards)).items:
        built = list(orders_of(matrix))
        assert len(set(built)) == len(built)
        assert {tuple(axis for axis in order if shards[axis] > 1) for order in built} == tried.get(matrix, set())
        assert all(sorted(order) == list(range(len(shards))) for order in built)


@pytest.mark.thorough  # fewer axes are tried beside it
def test_eight_axes_by_brute_force_and_directly():
    shards, sizes = [2, 2, 2, 2, 3, 2, 2, 2], [4, 6, 16]
    tried = {matrix_of_order(order, shards, sizes) for order in permutations(range(8))}
    matrices = all_placements(problem(sizes, shards)).items
    assert {matrix for matrix in matrices if order_of(matrix)} == {x for x in tried if not isinstance(x, SplitAxis)}
    assert any(isinstance(x, SplitAxis) for x in tried)


PRIMES = st.lists(st.sampled_from([2, 2, 2, 3, 3, 5]), min_size=1, max_size=6)


@st.composite
def random_orders(draw):
    primes = draw(PRIMES)

    def dealt(parts):
        homes = [draw(st.integers(0, parts - 1)) for _ in primes]
        return [prod(p for p, home in zip(primes, homes, strict=True) if home == part) for part in range(parts)]

    shards = dealt(draw(st.integers(1, 4)))
    return dealt(draw(st.integers(1, 3))), shards, tuple(draw(st.permutations(range(len(shards)))))


@given(random_orders())
def test_random_orders(case):
    sizes, shards, order = case
    found, own = matrix_of_order(order, shards, sizes), unit_sets(laid(order, shards), sizes)
    if isinstance(found, SplitAxis):
        assert found.stride < found.unit < found.span
        assert found.unit % found.stride or found.span % found.unit
        assert all(unit_sets(list(DeviceMap(m)), sizes) != own for m in all_placements(problem(sizes, shards)).items)
    else:
        assert unit_sets(list(DeviceMap(found)), sizes) == own
        real = [axis for axis in order if shards[axis] > 1]
        assert real in [[axis for axis in built if shards[axis] > 1] for built in orders_of(found)]


def test_the_numbers_inside_a_level_are_the_orders_own():
    """`data` outside `model` in one level of 4, but the order has `model` first: one matrix, two numberings."""
    matrix = matrix_of_order((1, 0), (2, 2), (4,))
    assert matrix == parse_matrix("2/2")
    assert laid((1, 0), (2, 2)) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert list(DeviceMap(matrix)) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_sixteen_axes_take_no_time():
    matrix = ParallelismMatrix(tuple((2, 1) if axis % 2 else (1, 2) for axis in range(16)))
    order = order_of(matrix)
    assert order == (*range(1, 16, 2), *range(0, 16, 2))
    assert matrix_of_order(order, [2] * 16, [256, 256]) == matrix


def test_two_axes_cannot_both_go_across_one_boundary():
    assert order_of(parse_matrix("2x2/2x8")) is None
    assert order_of(parse_matrix("2x2/1x4")) == (0, 1)
