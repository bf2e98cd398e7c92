"""Collectives that devices' own processors carry: what each of four sends and gets, by hand."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from p2smt.cost.network.backend import Gloo
from p2smt.problem.system.devices import SEND, Effort
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.carried_network import CarriedNetwork
from p2smt.spmd.devices.network import CollectivePrice
from p2smt.spmd.devices.system import cluster_of
from p2smt.tensor.way import Way

COUNT = 240
EVEN = (Fraction(1, 4),) * 4
UNEVEN = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), Fraction(0))
SLOW_LAST = (Fraction(1), Fraction(1), Fraction(1), Fraction(2))
"""Seconds for a byte: the last device takes twice as long."""


@dataclass(frozen=True)
class Links:
    """Everything takes so many seconds, in one way."""

    seconds: float
    way: Way

    def _price(self, *_):
        return CollectivePrice(round(self.seconds * 10**12), self.way)

    all_reduce = all_gather = reduce_scatter = all_to_all = _price


def seconds(way, kind, *given, links=0.0):
    price = getattr(CarriedNetwork(Links(links, way), SLOW_LAST), kind)(COUNT, *given)
    assert price.way is way
    return price.time / 10**12


def test_every_device_sends_an_all_reduce_nearly_twice():
    assert seconds(Way.PLAIN, "all_reduce") == 2 * (2 * 3 / 4 * COUNT)


@pytest.mark.parametrize(("parts", "largest"), [(EVEN, 60), (UNEVEN, 120)])
def test_around_a_ring_every_shard_is_as_long_as_the_largest(parts, largest):
    assert seconds(Way.PADDED, "all_gather", parts) == 2 * 3 * largest
    assert seconds(Way.PADDED, "reduce_scatter", parts) == 2 * 2 * 3 * largest


@pytest.mark.parametrize("way", [Way.GROUPED, Way.EXCHANGE])
@pytest.mark.parametrize("kind", ["all_gather", "reduce_scatter"])
def test_in_other_ways_the_mean_of_what_is_sent_and_got_counts(way, kind):
    # The first sends its 120 bytes to three others, and gets 120; the last sends none, gets 240, and is slow.
    assert seconds(way, kind, UNEVEN) == max((3 * 120 + 120) / 2, 2 * 240 / 2)
    assert seconds(way, kind, EVEN) == 2 * 180


def test_of_an_all_to_all_what_a_device_keeps_is_not_sent():
    assert seconds(Way.EXCHANGE, "all_to_all", EVEN, EVEN) == 2 * 45
    # The first sends half of its 120 bytes and gets half of the others'; the last has nothing on either side.
    assert seconds(Way.EXCHANGE, "all_to_all", UNEVEN, UNEVEN) == 60


def test_what_links_take_counts_where_it_is_more():
    assert seconds(Way.PLAIN, "all_reduce", links=721.0) == 721
    assert seconds(Way.PLAIN, "all_reduce", links=719.0) == 720


def test_a_system_with_a_weight_for_bytes_is_carried_by_its_slowest_device():
    system = find_system("lab:2x2@0.5/0.25")
    kinds = tuple(replace(kind, speed=speed) for kind, speed in zip(system.kinds, (4e9, 2e9), strict=True))
    plain = replace(system, kinds=kinds)
    heavy = replace(plain, effort=Effort(weights=((SEND, 3e6),)))
    assert cluster_of(plain, Gloo()).network.all_reduce(1000).time < 10**12
    assert cluster_of(heavy, Gloo()).network.all_reduce(1000).time == 1500 * 3 * 10**12 // 2000
