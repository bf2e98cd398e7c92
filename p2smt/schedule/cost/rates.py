"""Measured times of operation calls and collectives of emitted programs on a machine.

Without rates, a kernel is priced by the roofline as if compiled: live inputs and results move once. Emitted programs
instead call torch operations in sequence, each reading and writing memory; rates price these calls.
    call(size)         linear between measured points, constant below the first, proportional to size beyond the last
    contraction        sqrt(call(flops)^2 + (again * call(bytes))^2): neither hides the other fully
    slowdown of links  bilinear in the bytes and the bandwidth, constant outside of the measured ones
    chunk of a loop    nominal seconds / chunks * slowdown at that many bytes
Complexity: a binary search for each call.
Reference: Press et al., "Numerical Recipes", 2007, sections 3.1 and 3.6 (interpolation in one and two dimensions).

>>> curve = Curve(((10.0, 2.0), (20.0, 3.0)))
>>> [curve.seconds(size) for size in (5, 15, 40)]
[2.0, 2.5, 6.0]
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot

from p2smt.errors import ProgramError

ELEMENTWISE = "elementwise"
"""The name of the curve for calls that have none of their own."""
OPERANDS = "operands"
"""The name of the curve of a contraction's time by the bytes that it reads and writes."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Measured seconds of a call by its size, in ascending order.

    Linear between points; constant below the first, and proportional to size beyond the last.
    """

    points: tuple[tuple[float, float], ...]

    @property
    def begin(self) -> float:
        """The seconds of the smallest call."""
        return self.points[0][1]

    def seconds(self, size: float) -> float:
        """Return the seconds of a call of this size."""
        most, seconds = self.points[-1]
        # Beyond the measured sizes a call is bound by bandwidth, so time grows in proportion.
        return seconds * size / most if size > most else _between(self.points, size)


@dataclass(frozen=True, slots=True)
class Card:
    """Measured slowdown of a link with this bandwidth (bytes/s) against its nominal rate, by bytes, ascending.

    Bytes are a rank's contribution or, with several collectives under way, the bytes that one puts on links.
    """

    bandwidth: float
    factors: tuple[tuple[float, float], ...]


def factor(cards: Sequence[Card], brought: float, bandwidth: float) -> float:
    """Return the slowdown of a link of this bandwidth for this many bytes; 1 without measurements."""
    found = tuple((card.bandwidth, _between(card.factors, brought)) for card in cards)
    # Bilinear interpolation: first over bytes for each bandwidth, then over bandwidths.
    return _between(found, bandwidth) if found else 1.0


def least_factor(cards: Sequence[Card]) -> float:
    """Return the smallest measured slowdown; 1 without measurements."""
    return min((found for card in cards for _, found in card.factors), default=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveRates:
    """Measured times of one implementation of a collective, in seconds.

    `begin` is its start-up as a single call, `turn` that per chunk of a loop, while other collectives are
    under way. `cards` has slowdowns of links, ascending by bandwidth: interpolated linearly, and constant
    outside. Without cards, links have their nominal bandwidth.
    """

    begin: float
    turn: float
    cards: tuple[Card, ...] = ()

    @property
    def own(self) -> float:
        """The part of a call's time that nothing can hide."""
        return min(self.begin, self.turn)


def _between(points: Sequence[tuple[float, float]], at: float) -> float:
    """Interpolate linearly between ascending points; constant outside."""
    position = bisect_left(points, at, key=lambda point: point[0])
    if position in (0, len(points)):
        return points[min(position, len(points) - 1)][1]
    (below, before), (above, after) = points[position - 1 : position + 1]
    return before + (after - before) * (at - below) / (above - below)


@dataclass(frozen=True, slots=True)
class LinkTransfer:
    """A measured collective's transfer on links.

    `links` is the nominal seconds at `bandwidth` (bytes/s), `brought` the bytes of a rank. `senders` are the
    ranks that contribute bytes, `receivers` those that get some. Links that are idle during the start-up
    catch up that time afterwards, by at most `burst` seconds.
    """

    links: float
    senders: frozenset[int]
    receivers: frozenset[int]
    brought: float
    bandwidth: float
    carrying: CollectiveRates
    burst: float

    def moving(self, chunks: int = 1) -> float:
        """Return the link seconds of one of `chunks` chunks."""
        return self.links / chunks * factor(self.carrying.cards, self.brought / chunks, self.bandwidth)

    def beside(self, chunks: int, cards: Sequence[Card]) -> float:
        """Return the link seconds of one of `chunks` chunks while other collectives are under way."""
        return self.links / chunks * factor(cards, self.links * self.bandwidth / chunks, self.bandwidth)

    def saved(self, chunks: int = 1, idle: float = 0.0) -> float:
        """Return the seconds saved by a burst after links were idle for `idle` seconds and the start-up."""
        # A link cannot save more than it was idle for, nor more than a burst, nor more than is
        # sent.
        return min(idle + self.carrying.begin, self.burst, self.moving(chunks))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Measured rates of a machine on which `ranks` ranks run the same program at once.

    `burst` is the bytes that an idle network card passes at once; links with bursts of their own override it.
    `calls` has a curve per operation: by arithmetic operations for contractions, by bytes for others. The
    OPERANDS curve adds a contraction's memory time: the two are combined as the root of the sum of squares,
    because neither fully hides the other. `ways` has the implementations of collectives by name, `start` a
    program's time outside of calls, `smaller` the rates of fewer ranks, for smaller groups. For loops: `part`
    is the seconds to copy a chunk out of or into a tensor. `reread` is the slowdown of a contraction's memory
    time per chunk, because other calls have used the caches since. `cards` has slowdowns of links while
    several collectives are under way. `lost` is the share of overlapped compute time that is not gained,
    because processors also send. A collective starts sending when its rank waits, or after `late` seconds,
    since senders have no core of their own.
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
        """The bandwidths of the measured links (bytes/s), ascending."""
        cards = (*self.cards, *(card for way in self.ways.values() for card in way.cards))
        return tuple(sorted({card.bandwidth for card in cards}))

    def call(self, operation: str, size: float, moved: float = 0.0, again: float = 1.0) -> tuple[float, float]:
        """Return a call's start-up seconds, and the additional seconds due to its size.

        `moved` is a contraction's bytes, whose time is multiplied by `again`.
        """
        curve = self.calls.get(operation, self.calls[ELEMENTWISE])
        seconds = curve.seconds(size)
        if moved and OPERANDS in self.calls:
            # Arithmetic and memory overlap, but not fully; the hypotenuse lies between maximum and
            # sum.
            seconds = hypot(seconds, again * self.calls[OPERANDS].seconds(moved))
        return min(curve.begin, seconds), max(0.0, seconds - curve.begin)

    def in_loops(self, ranks: int) -> tuple[Card, ...]:
        """Return the slowdowns of links in loops where this many ranks send at once.

        If unmeasured, those of all ranks.
        """
        return next((each.cards for each in self.smaller if each.ranks == ranks), self.cards)

    def way(self, name: str, ranks: int) -> CollectiveRates:
        """Return an implementation's rates among `ranks` ranks, or those of all ranks.

        ProgramError if neither was measured.
        """
        for each in self.smaller:
            if each.ranks == ranks:
                return each.way(name, ranks)
        if name not in self.ways:
            known = f"only {', '.join(self.ways)}" if self.ways else "and no other collective"
            raise ProgramError(f"the rates have no {name}, {known}; measure it too, or leave --rates out")
        return self.ways[name]


@dataclass(frozen=True, slots=True)
class RatesByRanks:
    """Rates of a machine for several numbers of ranks."""

    rates: tuple[Rates, ...]

    def of(self, ranks: int) -> Rates:
        """Return the rates for this number of ranks. ProgramError if they were not measured."""
        for each in self.rates:
            if each.ranks == ranks:
                return replace(each, smaller=tuple(less for less in self.rates if less.ranks < ranks))
        known = ", ".join(str(each.ranks) for each in self.rates)
        raise ProgramError(
            f"the rates are for {known} ranks, but the schedule is for {ranks}; measure them for {ranks}"
        )
