"""Bits of dropout: those of a part are those of the whole there, and nothing shows which elements are neighbours."""

import numpy as np

from p2smt.tensor.frame import Interval, whole
from p2smt.tensor.operations.random import bits, least_kept

SHAPE = 4, 32, 128
SHARE = 0.3


def kept(seed, step, intervals=None):
    words = bits(seed, step, whole(SHAPE) if intervals is None else intervals)
    return words.astype(np.uint32).view(np.int32) >= least_kept(SHARE)


def together(left, right):
    """How far the correlation of truth values is from none, in its deviations."""
    return abs(np.corrcoef(left.ravel(), right.ravel())[0, 1]) * left.size**0.5


def test_bits_of_a_part_are_the_part_of_those_of_the_whole():
    part = Interval(1, 3), Interval(5, 32), Interval(17, 18)
    assert np.array_equal(kept(7, 2, part), kept(7, 2)[1:3, 5:32, 17:18])
    assert bits(7, 2, ()).shape == ()
    assert np.array_equal(bits(7, 2, (Interval(3, 9),)), bits(7, 2, whole((9,)))[3:])


def test_neighbours_seeds_and_steps_have_nothing_to_do_with_each_other():
    """Five deviations: none of these is that far from independent by chance."""
    for seed, step in ((1, 1), (1, 2), (2, 1), (2**40, 3)):
        found = kept(seed, step)
        assert abs(found.mean() - (1 - SHARE)) * found.size**0.5 < 5 * (SHARE * (1 - SHARE)) ** 0.5
        for axis in range(3):
            assert together(found, np.roll(found, 1, axis)) < 5
        for other in (kept(seed + 1, step), kept(seed, step + 1), kept(step, seed + 10)):
            assert together(found, other) < 5
        corners = found[:, 1:, 1:] ^ found[:, :-1, 1:], found[:, 1:, :-1] ^ found[:, :-1, :-1]
        assert together(*corners) < 5
