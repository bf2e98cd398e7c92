"""Timings that are kept of what small programs took: bytes of whole tensors, without the numbers behind them."""

from dataclasses import replace
from math import prod

import pytest

from p2smt.cost.calibration.probes import COUNTS, ProbeTimes, calls, exchanges
from p2smt.cost.calibration.timings import with_timings
from p2smt.problem.system.text import find_system
from p2smt.problem.system.timings import COLLECTIVES, seconds_of

SYSTEM = find_system("lab:3x2")
RANKS = 6
NUMBER = 2e-3


def took(program):
    """Seconds that tell the elements of a program's whole input, and a number where its output is summed."""
    (source,) = program.sources
    return 1e-2 + prod(source.shape) * 1e-6


def measured(**changed):
    return replace(
        ProbeTimes(
            (),
            tuple((call, took(call.program) + call.small * NUMBER) for call in calls(RANKS)),
            tuple((each, took(each.program) + each.small * NUMBER) for each in exchanges(RANKS)),
            NUMBER,
        ),
        **changed,
    )


def test_of_each_collective_and_size_the_seconds_come_back():
    timings = with_timings(SYSTEM, measured()).timings
    for name in COLLECTIVES:
        timing = [point for point in getattr(timings, name) if point[0] > 4]
        assert len(timing) == len(COUNTS)
        for count, seconds in timing:
            assert seconds == pytest.approx(1e-2 + count / 4 * 1e-6, rel=1e-3)
            assert 0.8 * COUNTS[0] * 4 <= count <= COUNTS[-1] * 4
    assert timings.all_reduce[0] == (4, NUMBER)
    assert seconds_of(timings.all_reduce, 4 * 300_000) == pytest.approx(1e-2 + 0.3, rel=1e-3)


def test_a_number_that_took_longer_than_what_it_stands_behind_leaves_half():
    slow = with_timings(SYSTEM, measured(number=10.0)).timings
    whole = took(next(iter(calls(RANKS))).program) + NUMBER
    assert slow.reduce_scatter_exchanged[0][1] == pytest.approx(whole / 2, rel=0.01)


def test_no_larger_tensor_takes_less():
    many = measured().calls
    disturbed = tuple((call, seconds * (3 if place == 3 else 1)) for place, (call, seconds) in enumerate(many))
    plain, found = (with_timings(SYSTEM, measured(calls=each)).timings for each in (many, disturbed))
    seconds = [each for _, each in found.all_reduce]
    assert seconds == sorted(seconds)
    assert found.all_reduce != plain.all_reduce
    assert found.all_gather == plain.all_gather
