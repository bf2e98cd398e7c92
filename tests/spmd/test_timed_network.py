"""Prices of collectives that were timed: each the fastest of its ways, worked out by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.problem.system.build import build_system
from p2smt.problem.system.devices import SEND, DeviceKind, Effort
from p2smt.problem.system.text import find_system
from p2smt.problem.system.timings import Timings
from p2smt.spmd.devices.network import CollectivePrice, LevelCost, ModelledNetwork
from p2smt.spmd.devices.system import cluster_of
from p2smt.tensor.way import Way

EVEN = (Fraction(1, 4),) * 4
UNEVEN = (Fraction(1, 2), Fraction(1, 6), Fraction(1, 6), Fraction(1, 6))
ONE = (Fraction(1), Fraction(0), Fraction(0), Fraction(0))


def line(first, each):
    """Seconds of 100 and of 1100 bytes."""
    return ((100, first), (1100, first + 1000 * each))


TIMINGS = Timings(
    all_reduce=line(3.0, 0.01),
    all_gather=line(2.0, 0.01),
    all_gather_exchanged=line(1.0, 0.02),
    reduce_scatter=line(3.0, 0.01),
    reduce_scatter_exchanged=line(2.0, 0.03),
    all_to_all=line(0.5, 0.02),
)
SYSTEM = build_system(replace(find_system("lab:2x2"), timings=TIMINGS))


def network(system=SYSTEM, **given):
    return cluster_of(system, Gloo(), **given).network


def price(seconds, way):
    return CollectivePrice(round(seconds * 10**12), way)


@pytest.fixture
def slow_links():
    """No group of calls is fast."""
    return replace(SYSTEM, network=replace(SYSTEM.network, launch=1000.0))


def test_shards_are_as_long_as_the_largest_and_the_fastest_way_is_taken(slow_links):
    timed = network(slow_links)
    assert timed.all_reduce(600) == price(8.0, Way.PLAIN)
    assert timed.all_gather(160, EVEN) == price(2.2, Way.EXCHANGE)
    assert timed.all_gather(600, EVEN) == price(7.0, Way.PADDED)
    assert timed.all_gather(600, UNEVEN) == price(13.0, Way.PADDED)
    assert timed.reduce_scatter(120, EVEN) == price(2.6, Way.EXCHANGE)
    assert timed.reduce_scatter(600, EVEN) == price(8.0, Way.PADDED)
    assert timed.reduce_scatter(600, UNEVEN) == price(14.0, Way.PADDED)
    assert timed.all_to_all(600, EVEN, EVEN) == price(10.5, Way.EXCHANGE)
    assert timed.all_to_all(600, EVEN, UNEVEN) == timed.all_to_all(600, UNEVEN, EVEN) == price(22.5, Way.EXCHANGE)


def test_calls_in_groups_go_by_the_links():
    links = ModelledNetwork(LevelCost(cost_of(SYSTEM, Gloo())))
    for parts in (EVEN, UNEVEN, ONE):
        gathered, reduced = network().all_gather(6000, parts), network().reduce_scatter(6000, parts)
        assert gathered == links.grouped(Collective.BROADCAST, 6000, parts)
        assert reduced == links.grouped(Collective.REDUCE, 6000, parts)
    assert network().all_gather(6000, ONE) < network().all_gather(6000, EVEN)


def test_what_processors_send_is_among_what_was_timed():
    kinds = (DeviceKind(name="slow", machines=2, speed=1e3),)
    carried = replace(SYSTEM, kinds=kinds, effort=Effort(weights=((SEND, 1e6),)))
    assert network(carried).all_reduce(600) == price(8.0, Way.PLAIN)
    assert network(replace(carried, timings=None)).all_reduce(600).time > 8 * 10**12


def test_programs_of_several_steps_go_by_the_links_and_so_does_what_they_are_compared_with():
    with_programs, plain = network(programs=True), network(replace(SYSTEM, timings=None), programs=True)
    for count in (600, 10**6):
        assert with_programs.all_reduce(count) == plain.all_reduce(count)
        assert with_programs.all_gather(count, EVEN) == plain.all_gather(count, EVEN)
