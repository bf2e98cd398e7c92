"""Many values to ten digits at once, against one after the other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from p2smt.cost.ten_digits import each_to_ten_digits, ten_digits

FEW = st.sampled_from([0.0, 1 / 3, 2 / 3, 1e-300, 7.0])


@given(
    st.lists(
        st.tuples(st.integers(10**9, 10**10 - 1), st.integers(-20, 20), st.integers(-1, 1)), min_size=1, max_size=20
    )
)
def test_digits_that_lie_halfway_between_two_are_rounded_as_text_is(cases):
    """Ten digits and a half, a few of the smallest steps from there, at any power of ten."""
    values = np.array([float(f"{digits}.5e{power}") for digits, power, _ in cases])
    towards = np.array([np.inf * off if off else value for value, (*_, off) in zip(values, cases, strict=True)])
    for _ in range(3):
        assert each_to_ten_digits(values).tolist() == [ten_digits(value) for value in values.tolist()]
        values = np.nextafter(values, towards)


@given(
    arrays(np.float64, array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=6), elements=st.floats(0, 1e9) | FEW)
)
def test_each_value_is_rounded_by_itself(values):
    rounded = each_to_ten_digits(values)
    assert rounded.shape == values.shape
    assert rounded.ravel().tolist() == [ten_digits(value) for value in values.ravel().tolist()]
