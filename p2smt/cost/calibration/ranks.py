"""Fit of a system to measurements on its ranks: speeds of devices and times of collectives."""

from dataclasses import replace

from p2smt.cost.calibration.collectives import fit_calls, without_numbers
from p2smt.cost.calibration.exchanges import with_exchanges
from p2smt.cost.calibration.fit import Fit
from p2smt.cost.calibration.probes import ProbeTimes
from p2smt.cost.calibration.sending import fit_sending
from p2smt.cost.calibration.speeds import SpeedFit, fit_speeds
from p2smt.cost.calibration.timings import with_timings
from p2smt.cost.network.backend import Backend
from p2smt.problem.system.network import System


def fit_ranks(system: System, backend: Backend, measured: ProbeTimes) -> tuple[SpeedFit, Fit]:
    """Return the fit of speeds, whose system has all fitted parameters, and the fit of the network."""
    calls = without_numbers(measured.calls, measured.number)
    links = fit_calls(system, backend, calls)
    speeds = fit_speeds(links.system, *zip(*measured.computing, strict=True))
    network = fit_sending(links, speeds.system, backend, calls)
    whole = with_exchanges(network.system, backend, measured.exchanges, measured.number)
    return replace(speeds, system=with_timings(whole, measured)), network
