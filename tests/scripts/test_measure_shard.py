"""What small programs beside sharded steps say of the minutes in which these were measured."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.loading import script_module

from p2smt.cost.calibration.probes import calls
from p2smt.problem.system.build import build_system
from p2smt.problem.system.devices import SEND, DeviceKind, Effort
from p2smt.problem.system.text import find_system
from p2smt.problem.system.timings import COLLECTIVES, Timings, check_timings

measure = script_module("measure_shard")  # loads torch

TIMING = ((4, 0.01), (1024, 0.04), (65_536, 0.05), (524_288, 0.06), (6_291_456, 0.36))
SYSTEM = build_system(
    replace(
        find_system("lab:1x2"),
        kinds=(DeviceKind(name="slow", machines=1, speed=1e9),),
        effort=Effort(start=10.0, weights=((SEND, 8.0), ("map", 2.0))),
        timings=Timings(**dict.fromkeys(COLLECTIVES, TIMING)),
    )
)
factors = st.floats(0.3, 3.0)


def test_nothing_changes_where_small_programs_take_as_long_as_before():
    assert measure.slowed(SYSTEM, measure.Slower(1.0, 1.0, 1.0)) == SYSTEM


@given(factors, factors, factors)
def test_collectives_take_as_much_longer_as_those_of_their_size(computing, beginning, sending):
    slower = measure.slowed(SYSTEM, measure.Slower(computing, beginning, sending))
    check_timings(slower.timings)
    assert slower.kinds[0].speed == pytest.approx(1e9 / computing)
    assert dict(slower.effort.weights) == {SEND: pytest.approx(8.0 / computing), "map": 2.0}
    few, many = (beginning - 1) * 0.04, (sending - 1) * 0.06
    more = np.interp([count for count, _ in TIMING[1:]], (1024, 524_288), (few, many))
    wanted = [
        0.01 * beginning,
        *(max(seconds + each, seconds / 4) for (_, seconds), each in zip(TIMING[1:], more, strict=True)),
    ]
    for name in COLLECTIVES:
        found = [seconds for _, seconds in getattr(slower.timings, name)]
        assert sum(found) == pytest.approx(sum(wanted)), "what falls becomes its mean"
        assert wanted != sorted(wanted) or found == pytest.approx(wanted)


def test_what_takes_turns_are_steps_and_collectives_of_few_and_of_many_bytes():
    beside = dict(measure.beside_of(4))
    sent = [each.program for each in calls(4)]
    assert [name for name in beside if name.startswith("call")] == [f"call {number}" for number in (0, 1, 2, 6, 7, 8)]
    assert all(beside[f"call {number}"] == sent[number] for number in (0, 1, 2, 6, 7, 8))
    assert {4 * sent[number].sources[0].shape[0] for number in (0, 6)} == {measure.FEW, measure.MANY}
