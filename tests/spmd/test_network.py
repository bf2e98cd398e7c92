"""Prices of collectives with uneven shards: what each way sends, by hand, and the cheapest of the ways."""

from dataclasses import dataclass
from fractions import Fraction

from looped import looped

from p2smt.collective import Collective
from p2smt.spmd.devices.network import CollectivePrice, ModelledNetwork
from p2smt.spmd.devices.shares import parts_of
from p2smt.tensor.way import Way

COUNT = 240
UNEVEN = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6), Fraction(0))
PADDED = Collective.ALL_GATHER, Collective.REDUCE_SCATTER
GROUPED = Collective.BROADCAST, Collective.REDUCE


@dataclass(frozen=True)
class Links:
    """A second for every byte that a collective is given, and an hour for what is not to be taken."""

    cheap: tuple[Collective, ...] = ()
    exchanges: bool = False

    def one_more(self, collective):
        return 0.25

    def collective(self, collective, held):
        return held if collective in self.cheap else held + 3600

    def exchange(self, held):
        return held if self.exchanges else held + 3600


def price(seconds, way):
    return CollectivePrice(round(seconds * 10**12), way)


@looped("parts", [UNEVEN, parts_of((3, 2, 1, 0))])
@looped(
    ("links", "gathered", "reduced"),
    [
        # All four shards are as long as the largest, 120 bytes: of a ReduceScatter every rank has all of them.
        (Links(PADDED), price(120, Way.PADDED), price(480, Way.PADDED)),
        # Three shards that are not empty: the whole is sent, and two more calls begin.
        (Links(GROUPED), price(240.5, Way.GROUPED), price(240.5, Way.GROUPED)),
        (Links(exchanges=True), price(480, Way.EXCHANGE), price(480, Way.EXCHANGE)),
        (Links((*PADDED, *GROUPED), True), price(120, Way.PADDED), price(240.5, Way.GROUPED)),
    ],
)
def test_uneven_shards_take_what_the_cheapest_way_sends(parts, links, gathered, reduced):
    network = ModelledNetwork(links)
    assert network.all_gather(COUNT, parts) == gathered
    assert network.reduce_scatter(COUNT, parts) == reduced


def test_an_exchange_waits_for_the_device_with_most():
    network = ModelledNetwork(Links(exchanges=True))
    even = (Fraction(1, 4),) * 4
    assert network.all_to_all(COUNT, even, even) == price(60, Way.EXCHANGE)
    assert (
        network.all_to_all(COUNT, even, UNEVEN) == network.all_to_all(COUNT, UNEVEN, even) == price(120, Way.EXCHANGE)
    )
