"""Link lower bound on the time of a goal, for any program ("overhead" in tables is what is above it): a cut-set bound.

Problem: the least time in which the bytes of all groups can cross the links of a hierarchy. Only bytes that must cross
between the units of a level count; latency, launch and memory do not.

Method: y[j] is the number of bytes of one group on hops that cross level j or an outer level, and R[j] the least that
any program puts there (`_needed`: an all-reduce among U units needs 2 (U - 1) messages, by the theorem on one-way
gossip). No flow exceeds a cut (Ford and Fulkerson, "Maximal flow through a network", 1956):
    y[j] >= R[j],   seconds >= R[j] / capacity[j]  for each level j.
The busiest link and the sum of all links are bounded separately, and combined with the network's `overlap`. The
derivation is in `README.md` beside this file. Complexity: O(levels) per pattern, for any number of devices.

Example: 2 machines with a full-duplex port of 25 GB/s each, one all-reduce of 1 GB among all their devices. U = 2, so 2
GB cross, and both ports together carry 50 GB/s: no program takes less than 0.04 s.
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
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import Network, System
from p2smt.problem.workload import Goal


@dataclass(frozen=True, slots=True)
class LinkBound:
    """A lower bound on every program for a goal: `seconds` for all links, `busy[i]` for link `i` of the network.

    Invariant: `seconds` is at least max(`busy`). `busy` is 0 for links that a program can avoid.
    """

    seconds: float
    busy: tuple[float, ...]

    def times(self, factor: float) -> "LinkBound":
        """Return the bound for `factor` times the bytes."""
        return LinkBound(self.seconds * factor, tuple(seconds * factor for seconds in self.busy))

    def behind_bursts(self, network: Network) -> "LinkBound":
        """Return the bound for ports that pass an initial burst at once and obey their rate afterwards."""
        bursts = [link.burst / link.bandwidth for link in network.links]
        busy = tuple(max(0.0, each - burst) for each, burst in zip(self.busy, bursts, strict=True))
        return LinkBound(max(self.seconds - busiest_seconds(bursts, network), *busy), busy)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """The cut between the units of one level; capacities are bytes/s of one group while all groups run.

    `parted`: True if a group has several units in one parent here. `needed`: the least `y`. `alone`: True if no outer
    level parts the group. `ring`: capacity of the point-to-point links that join units of one group. `across`: capacity
    for hops that cross here and use the port or bus. `shared`: capacity for these hops and those from outer levels,
    each of which counts `uplink` times (0: they bypass this level). `whole`: the least seconds of some port that
    carries a whole payload for every group that touches its unit.
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
    """Return the link lower bound for all groups of a pattern; `payload` is the bytes of one device's whole tensor.

    No program has a lower price, with any backend.
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
    """Return the busiest link's seconds if bytes cross where it is best; `y` grows from cut to cut up to link capacity.

    In a second, `y[j]` can be at most `reach`: the outer level's `reach` plus the bytes that cross here, but no more
    than the shared links here or at any inner level carry.
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
    """Return the least sum of all links' seconds: bytes a cut needs beyond outer cuts cross where it is cheapest."""
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
    """Return, per level, the seconds of its port or bus for the bytes that have no other path."""
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
    """Return the factor of a hop that crosses an outer level: at a port once per direction, on a bus at either end."""
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
    """Return the number of directed links of a ring that join units of one group in one parent."""
    joined, varying = joined_units(ring, pattern.sizes[level]), np.array(pattern.coordinates(level, Role.VARYING))
    offsets = pattern.coordinates(level, Role.FREE)
    return sum(int(joined[np.ix_(varying + offset, varying + offset)].sum()) for offset in offsets)


def _needed(goal: Goal, pattern: Pattern, level: int, system: System) -> float:
    """Return the payloads per group that must cross a level; fewer for an all-reduce if a switch may reduce."""
    touched = prod(pattern.members[: level + 1])
    plain = _messages(goal, touched, pattern.group_size)
    adds = level == len(system.levels) - 1 and switch_of(system) is not None
    if (adds or adds_outside(system)) and goal is Collective.ALL_REDUCE:  # only: what is reduced and handed out again
        return min(plain, float(touched))
    return plain


def _messages(goal: Goal, units: int, size: int) -> float:
    """Return the payloads that a group of `size` devices in `units` units must send between units."""
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
    """True if, for some unit, a whole payload must enter or leave for each of its groups."""
    match goal:
        case Collective():
            return goal.from_root or goal.to_root
        case NeighbourSend.NEXT | NeighbourSend.AROUND:
            return True
        case Exchange.ALL_TO_ALL | Exchange.SEND:
            return False
