"""What the calls of emitted programs take on the ranks of a machine, as measured: computation, and each collective.

Without rates a kernel is priced by the roofline, as if it were compiled: its live inputs and results move once. What is
emitted is calls to torch one after the other, each of which reads and writes memory; that is what rates price.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2smt.errors import ProgramError

ELEMENTWISE = "elementwise"
"""The calls that have no curve of their own."""


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
        """Those of a call of some size."""
        most, seconds = self.points[-1]
        return seconds * size / most if size > most else _between(self.points, size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrying:
    """What a collective takes by one of its implementations.

    `begin` is seconds whatever is sent. `wire` is by how much longer links take than their bandwidth says, for the
    bytes that a rank brings: between those that were measured, ascending, linear, and outside as at the next.
    """

    begin: float
    wire: tuple[tuple[float, float], ...] = ((0.0, 1.0),)

    def factor(self, brought: float) -> float:
        """By how much longer links take for so many bytes."""
        return _between(self.wire, brought)


def _between(points: Sequence[tuple[float, float]], at: float) -> float:
    """The value at a place between ascending points, linear; before the first and behind the last as there."""
    position = bisect_left(points, at, key=lambda point: point[0])
    if position in (0, len(points)):
        return points[min(position, len(points) - 1)][1]
    (below, before), (above, after) = points[position - 1 : position + 1]
    return before + (after - before) * (at - below) / (above - below)


@dataclass(frozen=True, slots=True)
class Wire:
    """A collective on links, as measured: `links` are seconds by their bandwidth, `brought` bytes of a rank.

    Cards that are idle while it begins send as much more at once afterwards, at most `burst` seconds.
    """

    links: float
    brought: float
    carrying: Carrying
    burst: float

    def moving(self, chunks: int = 1) -> float:
        """Seconds of links for one of so many chunks."""
        return self.links / chunks * self.carrying.factor(self.brought / chunks)

    def saved(self, chunks: int = 1) -> float:
        """Seconds that are saved up."""
        return min(self.carrying.begin, self.burst, self.moving(chunks))

    @property
    def least(self) -> float:
        """Seconds that links need in whatever chunks."""
        return self.links * min(factor for _, factor in self.carrying.wire)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Of a machine with so many ranks, all of which do the same at once.

    `step` is seconds that a step takes beside its calls, as ranks do not begin together, and `turn` those that a chunk
    of a loop takes beside its calls. `burst` is the bytes that a network card which was idle passes at once. `calls`
    are curves by operation: contractions by operations on numbers, all else by bytes read and written. `ways` are
    implementations of collectives, named as prices name them.
    """

    ranks: int
    step: float
    turn: float
    burst: float
    calls: Mapping[str, Curve]
    ways: Mapping[str, Carrying]

    def call(self, operation: str, size: float) -> tuple[float, float]:
        """Seconds of a call whatever its size, and those that its size adds."""
        curve = self.calls.get(operation, self.calls[ELEMENTWISE])
        seconds = curve.seconds(size)
        return min(curve.begin, seconds), max(0.0, seconds - curve.begin)

    def way(self, name: str) -> Carrying:
        """An implementation. ProgramError where it was not measured."""
        if name not in self.ways:
            raise ProgramError(f"the rates have no {name}; they have {', '.join(self.ways) or 'no collectives'}")
        return self.ways[name]


@dataclass(frozen=True, slots=True)
class RatesByRanks:
    """Rates of a machine for several numbers of ranks."""

    rates: tuple[Rates, ...]

    def of(self, ranks: int) -> Rates:
        """Those for so many ranks. ProgramError where these were not measured."""
        for each in self.rates:
            if each.ranks == ranks:
                return each
        known = ", ".join(str(each.ranks) for each in self.rates)
        raise ProgramError(f"the rates are those of {known} ranks, not of {ranks}; measure them for {ranks}")
