"""Numbers are equal to a hundred-millionth of the larger of 1 and themselves, and no more."""

import numpy as np
from looped import looped

from p2smt.tensor.prime_field import PRIME, PrimeField
from p2smt.tensor.reals import Reals
from p2smt.tensor.verification.values import WideReals


@looped("size", [1e-6, 1.0, 1e6])
@looped(("meaning", "rounding"), [(Reals(), 1e-9), (WideReals(), 1e-7)])
def test_what_differs_by_rounding_alone_is_equal(size, meaning, rounding):
    value, unit = np.array([size]), max(1.0, size)
    for part, equal in ((0.0, True), (rounding, True), (rounding * 100, False), (1e-4, False)):
        for sign in (1, -1):
            assert meaning.equal(value + (sign * part * unit), value) is equal
    assert not meaning.equal(value, np.array([size, size]))


def test_of_no_numbers_nothing_is_said_where_signs_are_any():
    """A root of a negative number is none; over positive ones it would be a difference."""
    none, one, two = np.array([np.nan, 1.0]), np.array([3.0, 1.0]), np.array([3.0, 2.0])
    assert Reals().equal(none, none)
    assert not Reals().equal(none, one)
    assert WideReals().equal(none, one)
    assert WideReals().equal(one, none)
    assert not WideReals().equal(none, two)


def test_elements_are_equal_without_tolerance():
    field = PrimeField()
    value = np.array([PRIME - 1], dtype=object)
    assert field.equal(value, value)
    assert not field.equal(value, value - 1)
