"""Lower bound on the time of the links for a goal, whatever program carries it ("wire" in tables): a cut-set bound.

Problem: the least time in which the bytes of all groups can cross the links of a hierarchy. Only bytes that must cross
between the units of a level count: no latency, no launch, no memory.

Method: with y[j] the bytes of one group on hops that cross level j or one further out, and R[j] the least that any
program puts there (`_needed`: an all-reduce among U units needs 2 (U - 1) messages, by the theorem on one-way gossip),
no flow exceeds a cut (Ford and Fulkerson, "Maximal flow through a network", 1956):
    y[j] >= R[j],   seconds >= R[j] / capacity[j]  for each level j.
The busiest link and the sum of all links are bounded apart, and mixed as the network overlaps them. Derived in
`README.md` beside this file. Complexity: O(levels) for a pattern, however many devices there are.

Example: 2 machines with a full-duplex port of 25 GB/s each, one all-reduce of 1 GB among all their devices. U = 2, so
2 GB cross, and both ports together carry 50 GB/s: no program takes less than 0.04 s.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, prod
from typing import assert_never

import numpy as np

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.network.levels import joined_units
from p2smt.cost.network.load import busiest_seconds
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.switching import adds_outside, switch_of
from p2smt.problem.system.network import Duplex, Link, Network, System, Wiring
from p2smt.problem.workload import Goal


@dataclass(frozen=True, slots=True)
class LinkBound:
    """A lower bound on every program for a goal: `seconds` on all links, `busy[i]` on link `i` of the network.

    Holds: `seconds` is at least the largest of `busy`, which are 0 for links that may be avoided.
    """

    seconds: float
    busy: tuple[float, ...]

    def times(self, factor: float) -> "LinkBound":
        """The same with `factor` times the bytes."""
        return LinkBound(self.seconds * factor, tuple(seconds * factor for seconds in self.busy))

    def behind_bursts(self, network: Network) -> "LinkBound":
        """The same where ports pass a burst at once at first, and then no more than their rate says."""
        bursts = [link.burst / link.bandwidth for link in network.links]
        busy = tuple(max(0.0, each - burst) for each, burst in zip(self.busy, bursts, strict=True))
        return LinkBound(max(self.seconds - busiest_seconds(bursts, network), *busy), busy)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """The cut between the units of one level; capacities are bytes of one group per second, all groups being at work.

    `parted`: whether a group has several units in one parent here. `needed`: the least `y`. `alone`: no level further
    out parts the group. `ring`: capacity of the point-to-point links that join units of one group. `across`: capacity
    for hops that cross here and take the port or bus. `shared`: capacity for these and the hops from further out, of
    which each counts `uplink` times (0: they pass by). `whole`: seconds that some port takes at least because it
    carries a whole payload of every group that touches its unit.
    """

    parted: bool
    alone: bool
    needed: float
    whole: float
    ring: float
    across: float
    shared: float
    uplink: int


def wire(pattern: Pattern, goal: Goal, payload: float, system: System) -> LinkBound:
    """The least time of all groups of a pattern at once; `payload` bytes are the whole tensor of one device.

    No price of a program is below it, whichever backend carries it.
    """
    cuts = [_cut(pattern, level, goal, system) for level in range(len(system.levels))]
    alone = _alone(cuts)
    busiest = max(_balanced(cuts), *alone)
    together = max(_together(cuts), sum(alone), busiest)
    overlap = system.network.overlap
    levels = [level.name for level in system.levels]
    by_link = tuple(
        0.0 if link.wiring is Wiring.RING else alone[levels.index(link.level)] for link in system.network.links
    )
    return LinkBound(overlap * busiest + (1 - overlap) * together, by_link).times(payload).behind_bursts(system.network)


def _balanced(cuts: Sequence[_Cut]) -> float:
    """Seconds of the busiest link when bytes cross where it is best: `y` grows from cut to cut as far as links allow.

    In a second `y[j]` can be at most `reach`: what `y` of the level further out can be and what crosses here, no more
    than passes the shared links here, nor than what passes those of any level further in.
    """
    most = [cut.shared + cut.ring if cut.uplink == 1 else inf for cut in cuts]
    # From inside out: bytes that cross further out pass every level further in, which limits them,
    # too.
    for level in reversed(range(len(cuts) - 1)):
        inner = cuts[level + 1]
        passing = inner.shared / inner.uplink if inner.uplink else inf
        most[level] = min(most[level], most[level + 1], passing)
    seconds, reach, before = 0.0, 0.0, 0.0
    for cut, limit in zip(cuts, most, strict=True):
        reach = min(reach + (cut.across + cut.ring if cut.parted else 0.0), limit)
        if cut.needed:
            # A cut bounds every program: the bytes that must cross, over the most that can cross in
            # a second.
            seconds = max(seconds, cut.needed / reach)
        # On a bus, bytes from further out pass twice.
        if cut.uplink > 1:
            seconds = max(seconds, (cut.needed + (cut.uplink - 1) * before) / (cut.shared + cut.ring))
        before = cut.needed
    return seconds


def _together(cuts: Sequence[_Cut]) -> float:
    """The least sum of all links' seconds: what a cut needs beyond those further out crosses where it is cheapest."""
    further_in = 0.0
    prices: list[float] = []
    for cut in reversed(cuts):
        own = 1 / (cut.shared if cut.uplink else cut.across)
        crossing = min(own, 1 / cut.ring if cut.ring else inf) + further_in
        prices.append(crossing if cut.parted else inf)
        further_in += cut.uplink / cut.shared
    seconds, before, cheapest = 0.0, 0.0, inf
    for cut, price in zip(cuts, reversed(prices), strict=True):
        cheapest = min(cheapest, price)
        if cut.needed > before:
            seconds += (cut.needed - before) * cheapest
        before = cut.needed
    return seconds


def _alone(cuts: Sequence[_Cut]) -> list[float]:
    """Per level the seconds of its port or bus for the bytes that have no other way."""
    before = [0.0, *(cut.needed for cut in cuts)]
    return [_alone_at(cut, further_out) for cut, further_out in zip(cuts, before, strict=False)]


def _alone_at(cut: _Cut, further_out: float) -> float:
    passing = cut.uplink * further_out
    if cut.ring or not cut.parted:
        return passing / cut.shared
    if cut.uplink:
        crossing = cut.needed / cut.across if cut.alone else 0.0
        return max((passing + cut.needed - further_out) / cut.shared, crossing, cut.whole)
    return max(cut.needed / cut.across, cut.whole) if cut.alone else 0.0


def _cut(pattern: Pattern, level: int, goal: Goal, system: System) -> _Cut:
    *rings, link = system.network.at(system.levels[level].name)
    # `touched` units of this level hold members of one group; there are `units` of them in the whole system.
    touched, units = prod(pattern.members[: level + 1]), prod(pattern.sizes[: level + 1])
    # Capacities are divided by the number of groups, because all groups are at work at once.
    groups, parents = prod(pattern.free), units // pattern.sizes[level]
    ring = sum(_usable(pattern, level, one) * parents * one.bandwidth for one in rings) / groups
    ports = parents if link.wiring is Wiring.BUS else units * link.count
    both = 2 if link.duplex is Duplex.HALF else 1
    shared = ports * link.bandwidth / (both * groups)
    limited = link.wiring is Wiring.PORT and not link.rails
    whole = touched > 1 and link.wiring is Wiring.PORT and _passes_whole(goal)
    return _Cut(
        parted=pattern.members[level] > 1,
        alone=touched == pattern.members[level],
        needed=_needed(goal, pattern, level, system),
        whole=touched / (both * shared) if whole else 0.0,
        ring=ring,
        across=shared / link.oversubscription if limited else shared,
        shared=shared,
        uplink=_passages(link),
    )


def _passages(link: Link) -> int:
    """The factor of a hop that crosses further out: at a port once per direction, on a bus at either end."""
    match link.wiring:
        case Wiring.PORT | Wiring.BUS if not link.uplink:
            return 0
        case Wiring.PORT:
            return 1
        case Wiring.BUS:
            return 2
        case Wiring.RING:
            return 0
        case _:
            assert_never(link.wiring)


def _usable(pattern: Pattern, level: int, ring: Link) -> int:
    """The number of directed links of a ring that join units of one group, in one parent."""
    joined, varying = joined_units(ring, pattern.sizes[level]), np.array(pattern.coordinates(level, Role.VARYING))
    offsets = pattern.coordinates(level, Role.FREE)
    return sum(int(joined[np.ix_(varying + offset, varying + offset)].sum()) for offset in offsets)


def _needed(goal: Goal, pattern: Pattern, level: int, system: System) -> float:
    """Payloads of one group that have to cross a level; fewer of an all-reduce where a switch may add and copy them."""
    touched = prod(pattern.members[: level + 1])
    plain = _messages(goal, touched, pattern.group_size)
    adds = level == len(system.levels) - 1 and switch_of(system) is not None
    if (adds or adds_outside(system)) and goal is Collective.ALL_REDUCE:  # only: what is reduced and handed out again
        return min(plain, float(touched))
    return plain


def _messages(goal: Goal, units: int, size: int) -> float:
    """Payloads of one group that have to go from unit to unit, if the group of `size` devices lies in so many units."""
    match goal:
        case Collective.ALL_REDUCE:
            return 2.0 * (units - 1)
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER | Collective.REDUCE | Collective.BROADCAST:
            return float(units - 1)
        case Exchange.ALL_TO_ALL:
            return size * (units - 1) / units
        case Exchange.SEND | NeighbourSend.NEXT:
            return float(units - 1)
        case NeighbourSend.AROUND:
            return float(units) if units > 1 else 0.0
        case _:
            assert_never(goal)


def _passes_whole(goal: Goal) -> bool:
    """True if some unit exchanges the whole payload of each of its groups: one with their roots, or without."""
    match goal:
        case Collective():
            return goal.from_root or goal.to_root
        case NeighbourSend.NEXT | NeighbourSend.AROUND:
            return True
        case Exchange.ALL_TO_ALL | Exchange.SEND:
            return False
