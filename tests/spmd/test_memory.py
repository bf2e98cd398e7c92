"""What is found under limits of memory fits at its peak, not only by what is stored."""

from types import SimpleNamespace

import pytest

from p2smt.spmd.engines.problem import Choice, JointProblem
from p2smt.spmd.search.memory import DeviceStorage, fit

FAST, SMALL = (0,), (1,)
"""The two assignments of the one choice: the first costs less and stores more."""
SIZES = ((0, ((90,), (40,))),)
PROBLEM = JointProblem((Choice("x", (1, 2)),), ())


def found(memory, peaks):
    devices = (SimpleNamespace(memory=memory, kind="gpu"),)
    return fit(PROBLEM, DeviceStorage(devices, SIZES), lambda one: (None, SimpleNamespace(memory=(peaks[one],))))


@pytest.mark.parametrize(
    ("memory", "peaks", "right"),
    [
        (100, {FAST: 100, SMALL: 80}, FAST),
        (100, {FAST: 101, SMALL: 80}, SMALL),
        (100, {FAST: 120, SMALL: 101}, None),
        (89, {SMALL: 89}, SMALL),
        (None, {FAST: 10**9}, FAST),
    ],
)
def test_a_program_that_exceeds_memory_at_its_peak_gives_way_to_a_smaller_one(memory, peaks, right):
    fitting = found(memory, peaks)
    assert right == (fitting and fitting.assignment)
