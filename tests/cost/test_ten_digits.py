"""Many values to ten digits at once, against one after the other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from p2smt.cost.ten_digits import each_to_ten_digits, ten_digits

FEW = st.sampled_from([0.0, 1 / 3, 2 / 3, 1e-300, 7.0])


@given(
    arrays(np.float64, array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=6), elements=st.floats(0, 1e9) | FEW)
)
def test_each_value_is_rounded_by_itself(values):
    rounded = each_to_ten_digits(values)
    assert rounded.shape == values.shape
    assert rounded.ravel().tolist() == [ten_digits(value) for value in values.ravel().tolist()]
