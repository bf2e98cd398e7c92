"""Device numbers by reshaping a range: those of the coordinates, and where torch's sorting of ranks shows."""

from itertools import permutations, product
from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.rank_tensor import ascends, rank_tensor

MATRICES = (
    st.tuples(st.integers(1, 3), st.integers(1, 3))
    .flatmap(lambda shape: st.tuples(*[st.tuples(*[st.integers(1, 3)] * shape[1])] * shape[0]))
    .map(ParallelismMatrix)
)


@given(MATRICES, st.data())
def test_every_place_has_the_device_at_its_coordinates(matrix, data):
    dims = tuple(data.draw(st.permutations(range(len(matrix.rows)))))
    devices = rank_tensor(matrix, dims).devices()
    device_map = DeviceMap(matrix)
    for place in np.ndindex(devices.shape):
        coordinates = dict(zip(dims, place, strict=True))
        assert devices[place] == device_map.device([coordinates[axis] for axis in range(len(dims))])


@given(MATRICES)
def test_whether_numbers_ascend_along_some_axes_taken_as_one(matrix):
    """By definition: walk the group of device 0 in coordinate order and look."""
    shards = [prod(row) for row in matrix.rows]
    device_map = DeviceMap(matrix)
    for count in range(1, len(shards) + 1):
        for axes in permutations(range(len(shards)), count):
            walked = []
            for values in product(*(range(shards[axis]) for axis in axes)):
                at = dict(zip(axes, values, strict=True))
                walked.append(device_map.device([at.get(axis, 0) for axis in range(len(shards))]))
            assert ascends(matrix, axes) == (walked == sorted(walked))
            assert count > 1 or ascends(matrix, axes)
