"""Rates that are fitted to probes: those that made the times of the probes are found again."""

from dataclasses import replace

import pytest
from paths import ROOT
from scripts.loading import script_module
from tiers import is_full

from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.rates import ELEMENTWISE, OPERANDS
from p2smt.schedule.cost.rates_file import read_rates

script = script_module("lab_rates")
KEPT = read_rates(ROOT / "scripts" / "results" / "schedule_rates.json")


def loops(rates):
    """The rows of loops that compute and send, as rates predict them."""
    for rate in script.RATES:
        for probe in script.collectives(rates.ranks, rate):
            if probe.name == script.BOTH:
                machine = script.machine_of(rates.ranks, rate, rates)
                seconds = estimate(script.scheduled(probe), machine).seconds
                yield script.Probed(rates.ranks, rate, probe.name, probe.count, probe.size, seconds)


@pytest.mark.thorough  # other rates are found again beside it
@pytest.mark.parametrize(("ranks", "reread", "lost"), [(2, 1.0, 0.0), (2, 1.5, 0.25), (4, 3.0, 0.0), (4, 2.0, 0.5)])
def test_what_loops_read_again_and_what_they_lose_is_found_again(ranks, reread, lost, monkeypatch):
    monkeypatch.setattr(script, "REREAD", script.REREAD if is_full() else script.REREAD[::5])
    made = replace(KEPT.of(ranks), reread=reread, lost=lost)
    found = script.explaining_both(replace(made, reread=1.0, lost=0.0), [*loops(made)])
    assert (found.reread, found.lost) == pytest.approx((reread, lost), abs=1e-6)


@pytest.mark.parametrize("ranks", [2, 3, 7])
def test_calls_have_the_seconds_of_one_of_them(ranks):
    """A program takes a millisecond, and a microsecond a call for each 1024 of its size."""
    calls = {"matmul": 1, OPERANDS: 1, "dropout": 1, "sum": 1, ELEMENTWISE: script.CALLS}
    probes = [*script.computations(ranks)]
    rows = [
        script.Probed(
            ranks,
            400,
            each.name,
            each.count,
            each.size,
            1e-3 + (calls[each.name] * (each.count - (each.name == ELEMENTWISE)) * each.size * 1e-6 / 1024),
        )
        for each in probes
    ]
    found = script.curves(rows)
    bytes_of = {name: bytes_ for name, (_, bytes_) in script.OTHERS.items()}
    bytes_of[ELEMENTWISE] = script.BYTES / script.CALLS
    assert {name: len(curve.points) for name, curve in found.items()} == {
        "matmul": 6,
        OPERANDS: 5,
        "dropout": 8,
        "sum": 8,
        ELEMENTWISE: 8,
    }
    for name, curve in found.items():
        for size, seconds in curve.points:
            assert seconds == pytest.approx(max(1e-7, size / bytes_of.get(name, 1.0) * 1e-6 / 1024)), name
