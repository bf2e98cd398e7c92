"""Measured times of the calls of emitted programs on the ranks of a machine: computation, and each collective.

Without rates a kernel is priced by the roofline, as if it were compiled: its live inputs and results move once. What is
emitted is calls to torch one after the other, each of which reads and writes memory; that is what rates price.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot

from p2smt.errors import ProgramError

ELEMENTWISE = "elementwise"
"""The curve for calls without one of their own."""
OPERANDS = "operands"
"""The curve for the time of contractions by the bytes that they read and write."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Seconds of a call by its size, at the sizes that were measured, ascending.

    Between them it is linear; below the first as the first, behind the last in proportion to size.
    """

    points: tuple[tuple[float, float], ...]

    @property
    def begin(self) -> float:
        """Seconds of the smallest call."""
        return self.points[0][1]

    def seconds(self, size: float) -> float:
        """The time of a call of some size."""
        most, seconds = self.points[-1]
        # Beyond the measured sizes a call is bound by bandwidth, so time grows in proportion.
        return seconds * size / most if size > most else _between(self.points, size)


@dataclass(frozen=True, slots=True)
class Card:
    """The slowdown of a link with this bandwidth (bytes/s) against its nominal rate, by bytes, ascending.

    Bytes are those that a rank contributes or, with several collectives under way, those that one
    puts on links.
    """

    bandwidth: float
    factors: tuple[tuple[float, float], ...]


def factor(cards: Sequence[Card], brought: float, bandwidth: float) -> float:
    """The slowdown of a link of this bandwidth for this many bytes; 1 without measurements."""
    found = tuple((card.bandwidth, _between(card.factors, brought)) for card in cards)
    # Bilinear interpolation: first over bytes for each bandwidth, then over bandwidths.
    return _between(found, bandwidth) if found else 1.0


def least_factor(cards: Sequence[Card]) -> float:
    """The smallest slowdown."""
    return min((found for card in cards for _, found in card.factors), default=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveRates:
    """Measured times of one implementation of a collective.

    `begin` is seconds whatever is sent, `turn` what it takes for each chunk of a loop, where others are under way
    meanwhile. `cards` say by how much longer links take than their bandwidth says, ascending by bandwidth: between what
    was measured linear, and outside as at the next. Where there are none, links take what it says.
    """

    begin: float
    turn: float
    cards: tuple[Card, ...] = ()

    @property
    def own(self) -> float:
        """Seconds of a call that nothing hides."""
        return min(self.begin, self.turn)


def _between(points: Sequence[tuple[float, float]], at: float) -> float:
    """The value at a position between ascending points, by linear interpolation, constant outside of them."""
    position = bisect_left(points, at, key=lambda point: point[0])
    if position in (0, len(points)):
        return points[min(position, len(points) - 1)][1]
    (below, before), (above, after) = points[position - 1 : position + 1]
    return before + (after - before) * (at - below) / (above - below)


@dataclass(frozen=True, slots=True)
class LinkTransfer:
    """A collective on links, as measured: `links` are seconds by their bandwidth (bytes/s), `brought` bytes of a rank.

    `senders` are the ranks that bring bytes, `receivers` those that get some. Cards that are idle while it begins send
    as much more at once afterwards, at most `burst` seconds.
    """

    links: float
    senders: frozenset[int]
    receivers: frozenset[int]
    brought: float
    bandwidth: float
    carrying: CollectiveRates
    burst: float

    def moving(self, chunks: int = 1) -> float:
        """Seconds of links for one of so many chunks."""
        return self.links / chunks * factor(self.carrying.cards, self.brought / chunks, self.bandwidth)

    def beside(self, chunks: int, cards: Sequence[Card]) -> float:
        """Seconds of links for one of so many chunks, where other collectives are under way."""
        return self.links / chunks * factor(cards, self.links * self.bandwidth / chunks, self.bandwidth)

    def saved(self, chunks: int = 1, idle: float = 0.0) -> float:
        """Seconds that are saved up, by links that were idle so long before."""
        # A link cannot save more than it was idle for, nor more than a burst, nor more than is
        # sent.
        return min(idle + self.carrying.begin, self.burst, self.moving(chunks))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Measured rates of a machine with so many ranks, all of which do the same at once.

    `burst` is the bytes that a network card which was idle passes at once; systems whose links have bursts of their own
    go by these. `calls` are curves by operation: contractions by operations on numbers, all else by bytes read and
    written. A contraction also takes what OPERANDS says of its bytes; of both, none quite hides the other: the root of
    the sum of their squares. `ways` are implementations of collectives, named as prices name them; `start` is what a
    program takes beside its calls; `smaller` are the rates of fewer ranks, for groups of so many.

    Of loops: `part` is seconds to take a chunk out of a tensor, or to put it there; `reread` is by how much longer a
    contraction's bytes take in a turn, as others have had the caches since the one before. `cards` are those of links
    on which several collectives are under way. `lost` is the part of the seconds in which a rank computes while links
    are busy that is not won, as processors also send. What is begun sends once its rank waits, or `late` seconds later,
    where what sends has no core to itself.
    """

    ranks: int
    burst: float
    calls: Mapping[str, Curve]
    ways: Mapping[str, CollectiveRates]
    part: float
    cards: tuple[Card, ...] = ()
    reread: float = 1.0
    lost: float = 0.0
    late: float = 0.0
    start: float = 0.0
    smaller: tuple["Rates", ...] = ()

    @property
    def bandwidths(self) -> tuple[float, ...]:
        """Bandwidths of the measured links (bytes/s), ascending."""
        cards = (*self.cards, *(card for way in self.ways.values() for card in way.cards))
        return tuple(sorted({card.bandwidth for card in cards}))

    def call(self, operation: str, size: float, moved: float = 0.0, again: float = 1.0) -> tuple[float, float]:
        """Seconds of a call whatever its size, and those that its size adds.

        `moved` are a contraction's bytes, which take `again` times as long as where nothing else has the caches.
        """
        curve = self.calls.get(operation, self.calls[ELEMENTWISE])
        seconds = curve.seconds(size)
        if moved and OPERANDS in self.calls:
            # Arithmetic and memory overlap, but not fully; the hypotenuse lies between maximum and
            # sum.
            seconds = hypot(seconds, again * self.calls[OPERANDS].seconds(moved))
        return min(curve.begin, seconds), max(0.0, seconds - curve.begin)

    def in_loops(self, ranks: int) -> tuple[Card, ...]:
        """The cards of links in loops where so many ranks send at once, or all where that was not measured."""
        return next((each.cards for each in self.smaller if each.ranks == ranks), self.cards)

    def way(self, name: str, ranks: int) -> CollectiveRates:
        """An implementation among so many ranks, or all where that was not measured. ProgramError where neither was."""
        for each in self.smaller:
            if each.ranks == ranks:
                return each.way(name, ranks)
        if name not in self.ways:
            known = ", ".join(self.ways) or "no collectives"
            raise ProgramError(f"the rates have no {name}; they have {known}; measure it too, or leave the rates out")
        return self.ways[name]


@dataclass(frozen=True, slots=True)
class RatesByRanks:
    """Rates of a machine for several numbers of ranks."""

    rates: tuple[Rates, ...]

    def of(self, ranks: int) -> Rates:
        """The rates for so many ranks. ProgramError where these were not measured."""
        for each in self.rates:
            if each.ranks == ranks:
                return replace(each, smaller=tuple(less for less in self.rates if less.ranks < ranks))
        known = ", ".join(str(each.ranks) for each in self.rates)
        raise ProgramError(f"the rates are those of {known} ranks, not of {ranks}; measure them for {ranks}")
