"""What devices do for bytes that they send, fitted to the times of calls that a known system makes up."""

import random
from dataclasses import replace

import pytest

from p2smt.cost.calibration.collectives import fit_calls, measurements_of
from p2smt.cost.calibration.parameters import parameters
from p2smt.cost.calibration.prediction import predictor
from p2smt.cost.calibration.probes import calls
from p2smt.cost.calibration.sending import _tells, _weights, fit_sending
from p2smt.cost.network.backend import Gloo
from p2smt.problem.system.devices import SEND, Effort
from p2smt.problem.system.figures import with_figures
from p2smt.problem.system.text import find_system

RANKS = 4
SLOWEST = 1e10


def known():
    """Two hosts of unlike ranks on fast cards."""
    system = with_figures(find_system("lab:2x2@0.6/0.15"), "nic=300Mb/s", "nic=1ms")
    kinds = tuple(replace(kind, speed=speed) for kind, speed in zip(system.kinds, (4e10, SLOWEST), strict=True))
    network = replace(system.network, launch=8e-3)
    return replace(system, kinds=kinds, network=network, effort=Effort(start=3e5, weights=(("map", 60.0),)))


def called(system, weight):
    """What calls take where the slowest device does so much for a byte."""
    given = [(call, 1.0) for call in calls(RANKS)]
    links = predictor(system, measurements_of(system, Gloo(), given)).predict(parameters(system.network)).tolist()
    # Of every byte of the whole a ring's rank sends 3/4, and twice that of an AllReduce; gloo reduces and scatters so.
    moved = [3 / 4 * 4 * call.held if call.collective == "AllGather" else 3 / 2 * call.held for call, _ in given]
    return [
        (call, max(took, each * weight / SLOWEST)) for (call, _), took, each in zip(given, links, moved, strict=True)
    ]


def fitted(weight):
    system, measured = known(), called(known(), weight)
    begin = with_figures(find_system("lab:2x2@0.6/0.15"), "nic=300Mb/s")
    network = fit_calls(begin, Gloo(), measured)
    return network, fit_sending(network, replace(system, network=network.system.network), Gloo(), measured)


def test_what_a_byte_counts_as_comes_back_and_the_network_is_that_of_small_calls():
    plain, fit = fitted(400.0)
    weights = dict(fit.system.effort.weights)
    assert weights[SEND] == pytest.approx(400, rel=0.03)
    assert weights["map"] == 60
    assert fit.system.kinds == known().kinds
    assert fit.mean_abs_log_error < 0.03 < plain.mean_abs_log_error
    assert len(fit.rows) == len(plain.rows)


def test_where_links_are_waited_for_nothing_is_told_of_bytes():
    plain, fit = fitted(1.0)
    assert SEND not in dict(fit.system.effort.weights)
    assert fit.rows == plain.rows
    assert fit.system.network == plain.system.network
    assert fit.system.effort == known().effort


@pytest.mark.thorough  # fits with and without a weight are told apart beside it
def test_a_weight_that_leaves_calls_which_tell_nothing_is_none():
    """Small calls took whatever other work left: that ends nothing, and no fit is worse than that without weight."""
    rng = random.Random(0)
    measured = [
        (call, took * rng.choice([1, 1, 5, 0.2, 20]) if call.held < 3e5 else took)
        for call, took in called(known(), 400.0)
    ]
    network = fit_calls(with_figures(find_system("lab:2x2@0.6/0.15"), "nic=300Mb/s"), Gloo(), measured)
    fit = fit_sending(network, replace(known(), network=network.system.network), Gloo(), measured)
    assert len(fit.rows) == len(measured)
    assert fit.mean_abs_log_error <= network.mean_abs_log_error


def test_weights_go_up_as_long_as_seven_calls_of_unlike_payloads_tell_of_the_network():
    """A call tells where less than nine tenths of its time are the slowest device's."""
    measured = called(known(), 400.0)
    call, _ = measured[0]
    sent = 3 / 2 * call.held
    assert [_tells(call, seconds, 1.0) for seconds in (sent, sent / 0.89, sent / 0.91)] == [False, True, False]
    found = list(_weights(measured, SLOWEST))
    assert found == sorted(found)
    telling = [[call.held for call, took in measured if _tells(call, took, each / SLOWEST)] for each in found]
    assert min(map(len, telling)) == 7
    assert all(max(some) >= 16 * min(some) for some in telling)
    assert len(telling[0]) > 7
