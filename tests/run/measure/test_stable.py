"""When a median is known well enough: its error is that of medians of many runs."""

from random import Random
from statistics import fmean, median, pstdev

import pytest

from p2smt.run.measure.stable import Patience, spread


@pytest.mark.parametrize("repeats", [9, 25, 100])
def test_the_spread_is_how_far_medians_of_many_runs_lie_apart(repeats):
    random = Random(repeats)
    runs = [[random.gauss(1.0, 0.05) for _ in range(repeats)] for _ in range(2000)]
    apart = pstdev(median(times) for times in runs)
    assert fmean(map(spread, runs)) == pytest.approx(apart, rel=0.2)


def test_repeats_end_when_the_median_is_known_or_patience_is_at_an_end():
    patience = Patience(least=3, most=5, error=0.03, seconds=10.0)
    assert not patience.enough([1.0, 1.0])
    assert patience.enough([1.0, 1.0, 1.0])
    assert not patience.enough([1.0, 2.0, 3.0])
    assert patience.enough([1.0, 2.0, 3.0, 1.0, 2.0])
    assert patience.enough([2.0, 4.0, 5.0])
