"""Figures of devices, links and measurements: each is refused just outside of its range, and taken at its edge."""

from dataclasses import fields, replace
from math import inf, nan

import pytest
from problem.system.test_system import GOOD, message, with_network, with_nic

from p2smt.problem.system.build import build_system
from p2smt.problem.system.devices import LEAST_QUOTA, MOST_QUOTA, DeviceKind, Effort, Profile
from p2smt.problem.system.processors import Processors

KIND = DeviceKind(name="fast", machines=2, speed=1e12)
OTHER = DeviceKind(name="slow", machines=2, speed=5e11)
PROFILE = Profile(
    all_reduce=1e9,
    all_gather=1e9,
    all_gather_grouped=1e9,
    reduce_scatter=1e9,
    reduce_scatter_grouped=1e9,
    all_to_all=1e9,
)
FREE = Processors(1, 0.0, 0.0, 0.0)
NO_RATES = (0.0, -1.0, inf, nan)
NO_TIMES = (-1e-9, inf, nan)


def with_kind(**values):
    return replace(GOOD, kinds=(replace(KIND, **values), OTHER))


def with_profile(**values):
    return replace(GOOD, profile=replace(PROFILE, **values))


REFUSED = [
    *((with_network(memory_bandwidth=each), "memory bandwidth") for each in NO_RATES),
    *((with_network(launch=each), f"launch {each} is not a time; write one such as 5us") for each in NO_TIMES),
    *(
        (with_network(all_to_all_launch=each), f"all_to_all_launch {each} is not a time; write one such as 5us")
        for each in NO_TIMES
    ),
    *(
        (
            with_network(processors=replace(FREE, **{what: each})),
            f"processors: {what[:-2]} {each} is not a time; write one such as 5us",
        )
        for what in ("call_s", "message_s", "port_s")
        for each in NO_TIMES
    ),
    *((with_network(processors=replace(FREE, cores=each)), f"processors have {each} cores") for each in (0, -1)),
    *((with_network(overlap=each), "overlap") for each in (-0.01, 1.01, nan)),
    (with_network(memory=0), "memory 0 is not a positive number of bytes; write one such as 80GB"),
    (replace(GOOD, measured_from=0), "measured_from 0 is not a positive number of bytes; write one such as 1MiB"),
    (replace(GOOD, unmeasured=("nick",)), "unmeasured has 'nick', which is not a link; the links are "),
    (with_nic(name="memory"), "link memory: the name is reserved for a device's own memory; give the link another"),
    *((with_nic(latency=each), "link nic: latency") for each in NO_TIMES),
    *((with_kind(speed=each), "kind fast: speed") for each in NO_RATES),
    *((with_kind(speeds=(("float16", each),)), "kind fast: speed") for each in NO_RATES),
    *((with_kind(efficiency=each), "kind fast: efficiency") for each in (0.0, 1.01, nan)),
    *((with_kind(quota=each), "kind fast: quota") for each in (LEAST_QUOTA / 2, MOST_QUOTA * 2, nan)),
    *((with_kind(devices=each), "kind fast: devices") for each in (0, 5)),
    (with_kind(memory=0), "kind fast: memory 0 is not a positive number of bytes; write one such as 80GB"),
    (with_kind(machines=0), "kind fast: machines 0 is not a whole number of at least 1; correct it"),
    (with_kind(machines=1), "the kinds have 3 machines in all, but the levels have"),
    (with_kind(machines=3), "the kinds have 5 machines in all, but the levels have"),
    (with_kind(name="slow"), "slow"),
    *((replace(GOOD, effort=Effort(start=each)), "effort: start") for each in NO_TIMES),
    *((replace(GOOD, effort=Effort(weights=(("map", each),))), "effort: map") for each in NO_RATES),
    *(
        (with_profile(**{each.name: rate}), "profile: ")
        for each in fields(PROFILE)
        if each.name != "latency"
        for rate in NO_RATES
    ),
    *((with_profile(latency=each), "profile: latency") for each in NO_TIMES),
]

TAKEN = [
    with_network(overlap=0.0, launch=0.0, memory=1),
    with_network(overlap=1.0),
    replace(GOOD, measured_from=1),
    with_network(processors=FREE),
    with_network(all_to_all_launch=0.0),
    with_nic(latency=0.0),
    with_kind(efficiency=1.0, quota=LEAST_QUOTA, memory=1),
    with_kind(quota=MOST_QUOTA),
    replace(GOOD, effort=Effort(start=0.0, weights=(("map", 1e-9),))),
    with_profile(latency=0.0),
    with_kind(devices=4),
]


def test_a_figure_out_of_range_is_named():
    for system, said in REFUSED:
        assert said in message(system), said


def test_a_figure_at_the_edge_is_taken():
    for system in TAKEN:
        assert build_system(system).devices == 16, system


@pytest.mark.parametrize("devices", [1, 3])
def test_a_machine_may_have_fewer_devices_than_the_levels_say(devices):
    assert build_system(with_kind(devices=devices)).devices == 8 + 2 * devices
