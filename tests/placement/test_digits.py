"""Device numbers, level digits and axis coordinates."""

from math import prod

from hypothesis import given
from hypothesis import strategies as st

from p2smt.placement.digits import DeviceMap, join, split
from p2smt.placement.matrix import ParallelismMatrix, parse_matrix

MATRICES = (
    st.tuples(st.integers(1, 3), st.integers(1, 3))
    .flatmap(lambda shape: st.tuples(*[st.tuples(*[st.integers(1, 3)] * shape[1])] * shape[0]))
    .map(ParallelismMatrix)
)


@given(MATRICES)
def test_device_and_coordinates_are_inverse(matrix):
    devices = DeviceMap(matrix)
    shards = [prod(row) for row in matrix.rows]
    found = list(devices)
    assert [devices.device(coordinates) for coordinates in found] == list(range(devices.devices))
    assert len(set(found)) == prod(shards)
    assert all(0 <= c < p for coordinates in found for c, p in zip(coordinates, shards, strict=True))


@given(st.lists(st.integers(1, 5), max_size=5), st.data())
def test_join_is_the_inverse_of_split(sizes, data):
    number = data.draw(st.integers(0, prod(sizes) - 1))
    digits = split(number, sizes)
    assert all(0 <= digit < size for digit, size in zip(digits, sizes, strict=True))
    assert join(digits, sizes) == number


def test_levels_are_outermost_first_and_axis_0_is_most_significant_inside_a_level():
    assert list(DeviceMap(parse_matrix("2x1/1x2"))) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(DeviceMap(parse_matrix("1x2/2x1"))) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    one_level = DeviceMap(parse_matrix("2/3"))
    assert list(one_level) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_an_axis_coordinate_counts_its_outermost_digit_most():
    devices = DeviceMap(parse_matrix("2x2/2x3"))
    level0, level1 = (1, 0), (1, 2)  # digits of axis 0 and axis 1 on each level
    device = ((level0[0] * 2 + level0[1]) * 2 + level1[0]) * 3 + level1[1]
    assert devices.coordinates(device) == (1 * 2 + 1, 0 * 3 + 2)
