"""What it takes to begin an all-to-all, fitted to the times of all-to-alls that a known system makes up."""

import random
from dataclasses import replace

import pytest

from p2smt.collective import Collective
from p2smt.cost.calibration.exchanges import with_exchanges
from p2smt.cost.calibration.probes import exchanges
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.problem.system.figures import with_figures
from p2smt.problem.system.file import read_system, system_text
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.network import LevelCost

RANKS = 4
SYSTEM = with_figures(find_system("lab:2x2@0.6/0.15"), "nic=300Mb/s", "nic=1ms")


NUMBER = 3e-3


def took(system, spoiled=1.0):
    """Level by level, where the fit counts hop by hop; what is no all-to-all tells nothing."""
    cost, rng = LevelCost(cost_of(system, Gloo())), random.Random(1)
    return [
        (each, (cost.exchange(each.held) + NUMBER) * rng.choice((1 / spoiled, 1, 1, spoiled)))
        if each.timing == "all_to_all"
        else (each, 1e9)
        for each in exchanges(RANKS)
    ]


@pytest.mark.parametrize("launch", [1e-4, 8e-3])
def test_what_begins_an_all_to_all_comes_back_and_nothing_else_changes(launch):
    known = replace(SYSTEM, network=replace(SYSTEM.network, launch=5e-3, all_to_all_launch=launch))
    found = with_exchanges(
        replace(known, network=replace(known.network, all_to_all_launch=None)), Gloo(), took(known), NUMBER
    )
    assert found.network.all_to_all_launch == pytest.approx(launch, rel=0.01)
    assert replace(found, network=replace(found.network, all_to_all_launch=launch)) == known


def test_it_is_the_least_that_can_be_where_bytes_explain_more_than_was_measured():
    quick = [(each, seconds / 4) for each, seconds in took(SYSTEM)]
    assert with_exchanges(SYSTEM, Gloo(), quick, NUMBER).network.exchange_launch < 1e-5


def test_a_tenth_more_or_less_of_one_moves_it_little():
    known = replace(SYSTEM, network=replace(SYSTEM.network, all_to_all_launch=8e-3))
    found = with_exchanges(SYSTEM, Gloo(), took(known, spoiled=1.1), NUMBER)
    assert found.network.all_to_all_launch == pytest.approx(8e-3, rel=0.15)


def test_a_system_file_keeps_it(tmp_path):
    path = tmp_path / "system.toml"
    for launch in (None, 0.0, 2.5e-3):
        system = replace(SYSTEM, network=replace(SYSTEM.network, all_to_all_launch=launch))
        path.write_text(system_text(system), encoding="utf-8")
        assert read_system(path) == system
    assert system.network.launch != system.network.exchange_launch == 2.5e-3


def test_an_all_to_all_begins_so_level_by_level_and_a_call_as_before():
    apart = replace(SYSTEM, network=replace(SYSTEM.network, all_to_all_launch=SYSTEM.network.launch + 1.0))
    cost, plain = (LevelCost(cost_of(system, Gloo())) for system in (apart, SYSTEM))
    assert cost.exchange(4e3) == pytest.approx(plain.exchange(4e3) + 1.0)
    assert cost.collective(Collective.ALL_REDUCE, 4e3) == plain.collective(Collective.ALL_REDUCE, 4e3)
