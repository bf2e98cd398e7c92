"""Speeds and networks fitted to the times of small programs, which a known system makes up."""

from dataclasses import replace
from functools import cache

import pytest

from p2smt.cost.calibration.collectives import fit_calls
from p2smt.cost.calibration.probes import calls, probes
from p2smt.cost.calibration.speeds import _by_kind, fit_speeds
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.errors import CalibrationError
from p2smt.problem.system.devices import Effort
from p2smt.problem.system.figures import with_figures
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.network import LevelCost
from p2smt.spmd.devices.system import cluster_of

RANKS = 4
NAMES = {name for probe in probes(RANKS) for name, _ in probe.work}
WEIGHTS = (*((name, 2.0 + 3 * number) for number, name in enumerate(sorted(NAMES))), ("element", 40.0))


def known():
    """Two hosts of unlike ranks, with figures that nothing else has."""
    system = with_figures(find_system("lab:2x2@0.5/0.2"), "nic=37Mb/s", "nic=2ms")
    kinds = tuple(replace(kind, speed=speed) for kind, speed in zip(system.kinds, (4e10, 1.5e10), strict=True))
    network = replace(system.network, launch=3e-3)
    return replace(system, kinds=kinds, network=network, effort=Effort(start=3e5, weights=WEIGHTS))


def times(system):
    """What every program takes on every device alone, by the account of programs."""
    cluster = cluster_of(system, Gloo())
    return [
        [account(probe.program, replace(cluster, devices=(device,) * RANKS)).time / 1e12 for device in cluster.devices]
        for probe in probes(RANKS)
    ]


@cache
def known_times():
    return times(known())


@pytest.mark.thorough  # one disturbed program moves little below
def test_speeds_and_what_operations_count_for_come_back():
    system = known()
    fit = fit_speeds(find_system("lab:2x2@0.5/0.2"), probes(RANKS), known_times())
    assert fit.mean_abs_log_error < 1e-3
    for mine, true in zip(fit.system.kinds, system.kinds, strict=True):
        assert mine.speed == pytest.approx(true.speed, rel=0.01)
        assert mine.quota == true.quota
    assert fit.system.effort is not None
    assert fit.system.effort.start == pytest.approx(3e5, rel=0.02)
    assert dict(fit.system.effort.weights).keys() == dict(WEIGHTS).keys()
    named = ("map", "conv2d", "row", "reduce", "join", "element")
    told = {name: weight for name, weight in fit.system.effort.weights if name in named}
    assert told == pytest.approx({name: dict(WEIGHTS)[name] for name in told}, rel=0.05)


def test_one_program_that_was_disturbed_moves_little():
    system, seconds = known(), list(known_times())
    names = [probe.name for probe in probes(RANKS)]
    seconds[names.index("linear")] = [3 * each for each in seconds[names.index("linear")]]
    fit = fit_speeds(system, probes(RANKS), seconds)
    assert fit.system.kinds[0].speed == pytest.approx(4e10, rel=0.1)


def fitted(system, begin):
    """What comes of the times of collectives on a system, as a fit that goes out from another one has them."""
    cost = LevelCost(cost_of(system, Gloo()))
    measured = [(call, cost.collective(call.collective, call.held)) for call in calls(RANKS)]
    return fit_calls(begin, Gloo(), measured)


def test_a_network_comes_back_from_its_collectives():
    begin = find_system("lab:2x2@0.5/0.2")
    fit = fitted(known(), begin)
    assert fit.mean_abs_log_error < 0.01
    links = {link.name: link for link in fit.system.network.links}
    assert links["nic"].bandwidth == pytest.approx(37e6 / 8, rel=0.02)
    assert links["nic"].latency == pytest.approx(2e-3, rel=0.02)
    assert fit.system.network.launch == pytest.approx(3e-3, rel=0.02)
    figures = {figure.name for figure in fit.figures if figure.identified}
    assert figures == {"nic.bandwidth", "nic.latency", "device.launch"}
    assert next(figure.name for figure in fit.figures if figure.identified) == "nic.bandwidth"
    back = replace(fit.system.network, launch=begin.network.launch, links=begin.network.links)
    assert (back, links["loopback"]) == (begin.network, {link.name: link for link in begin.network.links}["loopback"])


def test_of_several_machines_what_lies_inside_keeps_its_figures_whatever_the_times_say():
    begin = find_system("lab:2x2@0.5/0.2")
    slow = with_figures(known(), "loopback=8Mb/s")
    network = replace(slow.network, overlap=0.0, memory_bandwidth=begin.network.memory_bandwidth / 100)
    fit = fitted(replace(slow, network=network), begin)
    assert fit.system.network.links[1:] == begin.network.links[1:]
    assert fit.system.network.overlap == begin.network.overlap
    assert fit.system.network.memory_bandwidth == begin.network.memory_bandwidth


def test_of_one_machine_what_lies_inside_is_fitted():
    begin = find_system("lab:1x4@0.5")
    slow = with_figures(begin, "loopback=80Mb/s")
    fit = fitted(replace(slow, network=replace(slow.network, launch=3e-3)), begin)
    assert {link.name: link.bandwidth for link in fit.system.network.links}["loopback"] == pytest.approx(1e7, rel=0.02)


def test_systems_whose_devices_are_not_known_are_refused():
    with pytest.raises(
        CalibrationError, match="speeds are measured per kind of device, and the system has no kinds; give"
    ):
        fit_speeds(find_system("lab:2x2"), probes(RANKS), known_times())


def test_devices_of_a_kind_are_those_of_its_machines_however_many_kinds_there_are():
    """Hosts of two, one and three ranks, each with a quota of its own."""
    system = find_system("lab:[2,1,3]@0.5/0.3/0.2")
    seconds = [[1.0, 4.0, 3.0, 5.0, 5.0, 5.0], [2.0, 2.0, 7.0, 1.0, 10.0, 100.0]]
    assert _by_kind(system, seconds) == [pytest.approx(one) for one in ([2.0, 2.0], [3.0, 7.0], [5.0, 10.0])]
