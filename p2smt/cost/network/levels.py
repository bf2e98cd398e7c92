"""Link loads of one step from the pattern of its groups; 65,536 devices take as much work as 64.

All groups of a step are equal up to a shift, so a load on level j is a sum over the few kinds of places that a group
can have there, each times the number of groups at such places:

    bytes(link of level j) = sum over places of  groups at the place * bytes of one group's hops that cross j.

`hops.py` gives the bytes of one group, level by level. The load of a level is the largest sum over its links. The work
is O(levels^2) for each algorithm, independent of the number of devices. `explicit.py` counts the same hop by hop on the
graph of the cluster, and tests compare the two.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, section 5 (the simulator).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.hops import Amounts, LevelHops, Numbers, level_hops, tree_hops_to_root
from p2smt.cost.network.load import LinkLoad
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.traffic import HopShape, connection
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import System

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PortBytes:
    """Bytes of one group at the busiest of its units, per byte that one hop carries; `both` adds the two directions."""

    incoming: float
    outgoing: float
    both: float

    def busiest(self, link: Link) -> float:
        """Return the bytes that share the bandwidth of one port of a link."""
        return self.both if link.duplex is Duplex.HALF else max(self.incoming, self.outgoing)


@dataclass(frozen=True, slots=True)
class GroupBytes:
    """Bytes of one group on the ports, the switch or the bus of a level.

    `ports` has one entry for each place that the group can have relative to a ring. `switch` and `bus` are the bytes
    through the busiest parent's switch or bus, averaged over these places.
    """

    ports: tuple[PortBytes, ...]
    switch: float
    bus: float


@lru_cache(maxsize=4096)
def pattern_loads(pattern: Pattern, system: System, shape: HopShape) -> tuple[LinkLoad, ...]:
    """Return the loads of all groups of a pattern over the system's levels, per byte that one hop carries.

    Latencies only decide which group has the longest path; bandwidths do not matter. Raises ProblemError for trees over
    more than 2^20 machines.
    """
    if pattern.group_size == 1:
        return ()
    loads: list[LinkLoad] = []
    for level, named in enumerate(system.levels):
        links = system.network.at(named.name)
        if links[0].wiring is Wiring.RING:
            loads += _beside_ring(pattern, level, links, shape, system.machine)
        else:
            (link,) = links
            taken, around = _without_ring(pattern.members, level, shape, system.machine, link.uplink)
            loads.append(_load(pattern, level, link, shape, taken, around))
    match shape:
        case HopShape.CYCLE | HopShape.FROM_ROOT | HopShape.TO_ROOT | HopShape.STAR | HopShape.DOUBLING:
            return tuple(loads)
        case HopShape.TREES:
            return _with_hops_to_root(loads, pattern, system)
        case _:
            assert_never(shape)


@lru_cache(maxsize=4096)
def _without_ring(
    members: tuple[int, ...], level: int, shape: HopShape, machine: int, uplink: bool
) -> tuple[GroupBytes, int]:
    """Return a group's bytes if all its hops use the port or bus, and the number of hops on the path around."""
    hops = level_hops(members, level, shape, machine, whole=False)
    taken = _taken(hops, [np.zeros(hops.amount.size, dtype=bool)], uplink)
    return taken, int(hops.around.sum())


def _beside_ring(
    pattern: Pattern, level: int, links: tuple[Link, ...], shape: HopShape, machine: int
) -> Iterator[LinkLoad]:
    """Yield the loads of a level whose first link is a ring, which carries the hops between neighbours."""
    hops = level_hops(pattern.members, level, shape, machine, whole=True)
    near = [_near(pattern, level, links[0], hops, offset) for offset in offsets(pattern, level, links)]
    around = max((_around(links, hops, mask) for mask in near), key=lambda found: found[0])[1]
    for link, count in zip(links, around, strict=True):
        if link.wiring is Wiring.RING:
            yield _ring_load(pattern, level, link, shape, hops, near, count)
        else:
            yield _load(pattern, level, link, shape, _taken(hops, near, link.uplink), count)


def _with_hops_to_root(loads: list[LinkLoad], pattern: Pattern, system: System) -> tuple[LinkLoad, ...]:
    """Return the loads of trees: those of the chains, plus the hops between machines on the slowest path to a root."""
    fallbacks = [system.network.at(level.name)[-1] for level in system.levels]
    ups = tree_hops_to_root(pattern.members, system.machine, tuple(link.latency for link in fallbacks))
    counts = {link: count for link, count in zip(fallbacks, ups, strict=False) if count}
    return tuple(replace(load, hops=load.hops + counts.get(load.link, 0)) for load in loads)


def offsets(pattern: Pattern, level: int, links: tuple[Link, ...]) -> tuple[int, ...]:
    """Return the offsets of groups to count one by one; only with a ring does the place of a group matter."""
    return pattern.coordinates(level, Role.FREE) if links[0].wiring is Wiring.RING else (0,)


def _near(pattern: Pattern, level: int, link: Link, hops: LevelHops, offset: int) -> Mask:
    """Return a mask of the hops that use the level's ring, which are the hops between neighbours."""
    units = np.array(pattern.coordinates(level, Role.VARYING)) + offset
    near: Mask = joined_units(link, pattern.sizes[level])[units[hops.source], units[hops.target]]
    return near


def joined_units(link: Link, size: int) -> Mask:
    """Return a mask of the pairs of a level's `size` units that a ring joins."""
    joined: Mask = np.zeros((size, size), dtype=bool)
    for one, other in link.neighbours or [(unit, (unit + 1) % size) for unit in range(size)]:
        joined[one, other] = joined[other, one] = True
    return joined


def _load(pattern: Pattern, level: int, link: Link, shape: HopShape, taken: GroupBytes, hops: int) -> LinkLoad:
    """Return the load of all groups on a port or bus of a level, per byte that a hop carries.

    Only one group is counted (with a ring: one for each place that a group can have), and its bytes are multiplied by
    the number of groups that do the same at the same place. Each of the `free` sets of units at the inner levels has a
    group that shares a unit's port, so a port carries `prod(free[level + 1:])` times one group's busiest port (less if
    the unit has several ports, see `port_shares`). A bus or a switch, which serves a parent unit, also carries the
    groups of this level's own `free` sets: `prod(free[level:])` times the sum over one group's hops in that parent,
    averaged over the places.
    """
    sets = prod(pattern.free[level:])
    algorithm, part = connection(shape)
    ports = pattern.sizes[level] * link.count
    wiring = link.wiring
    assert wiring is not Wiring.RING, "what a ring takes is counted beside it"
    match wiring:
        case Wiring.BUS:
            load = LinkLoad(link=link, ports=ports, busiest=sets * taken.bus, hops=hops, algorithm=algorithm)
            return connected(load, part)
        case Wiring.PORT:
            per_port, largest = port_shares(pattern, level, link)
            port = max(taken.ports, key=lambda one: one.busiest(link))
            load = LinkLoad(
                link=link,
                ports=ports,
                incoming=port.incoming * per_port,
                outgoing=port.outgoing * per_port,
                busiest=port.busiest(link) * per_port,
                switch=(0 if link.rails else sets) * taken.switch,
                hops=hops,
                algorithm=algorithm,
            )
            return connected(load, largest * part)
        case _:
            assert_never(wiring)


def _ring_load(
    pattern: Pattern, level: int, link: Link, shape: HopShape, hops: LevelHops, near: list[Mask], around: int
) -> LinkLoad:
    """Return the load of all groups on the links of a ring; `near[k]` masks the hops that use it at place `k`."""
    algorithm, part = connection(shape)
    units = _key(hops, hops.source) * hops.span + hops.target
    used = prod(pattern.free[level + 1 :]) * max(_most(units, hops.amount * mask) for mask in near)
    ports = pattern.sizes[level] * link.count
    load = LinkLoad(link=link, ports=ports, outgoing=used, busiest=used, hops=around, algorithm=algorithm)
    return connected(load, part)


def _taken(hops: LevelHops, near: list[Mask], uplink: bool) -> GroupBytes:
    """Return the bytes of hops on ports or a bus; `near[k]` masks the hops that use a ring instead, at place `k`."""
    kept: Amounts = np.sum([hops.amount * hops.alike * ~mask for mask in near], axis=0) / len(near)
    ports = tuple(_port_bytes(hops, hops.amount * ~mask, uplink) for mask in near)
    return GroupBytes(ports, _most(hops.parent, kept), _through_bus(hops, kept, uplink))


def _through_bus(hops: LevelHops, amounts: Amounts, uplink: bool) -> float:
    parents = hops.parent
    if uplink:
        parents = np.append(parents, np.array([parent for parent, *_ in hops.outside], dtype=np.int64))
        amounts = np.append(amounts, [entering + leaving for *_, entering, leaving in hops.outside])
    return _most(parents, amounts)


def _port_bytes(hops: LevelHops, amounts: Amounts, uplink: bool) -> PortBytes:
    """Return one group's bytes at the busiest of its units."""
    sources, targets = _key(hops, hops.source), _key(hops, hops.target)
    out = into = amounts
    if uplink:
        units = np.array([parent * hops.span + unit for parent, unit, *_ in hops.outside], dtype=np.int64)
        sources, targets = np.append(sources, units), np.append(targets, units)
        into = np.append(amounts, [entering for *_, entering, _ in hops.outside])
        out = np.append(amounts, [leaving for *_, leaving in hops.outside])
    both = _most(np.append(sources, targets), np.append(out, into))
    return PortBytes(_most(targets, into), _most(sources, out), both)


def connected(load: LinkLoad, share: float) -> LinkLoad:
    """Return the load with the bytes of one connection, if the link is used at all."""
    return replace(load, flow=share) if load.busiest else load


def port_shares(pattern: Pattern, level: int, link: Link) -> tuple[float, float]:
    """Return the fractions of a group's bytes at a unit on the busiest port: (all groups together, the largest of one).

    Port `q` of `count` is next to the devices `d` of the unit with `d * count // devices == q`; a group's bytes are
    spread evenly over the ports next to its members.
    """
    # A single port carries everything that leaves its unit.
    if link.count == 1:
        return prod(pattern.free[level + 1 :]), 1.0
    groups, members = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for inner in range(level + 1, len(pattern.levels)):
        groups = _spelled(groups, pattern.sizes[inner], pattern.coordinates(inner, Role.FREE))
        members = _spelled(members, pattern.sizes[inner], pattern.coordinates(inner, Role.VARYING))
    devices = prod(pattern.sizes[level + 1 :])
    ports = (groups[:, None] + members[None, :]) * link.count // devices
    used = np.zeros((groups.size, link.count), dtype=bool)
    np.put_along_axis(used, ports, True, axis=1)
    # A group spreads its bytes evenly over the ports next to its members.
    shares = used / used.sum(axis=1, keepdims=True)
    return float(shares.sum(axis=0).max()), float(shares.max())


def sender_shares(pattern: Pattern, level: int, link: Link) -> float:
    """Return the number of groups that send through a unit's busiest port; each uses the card of its last member.

    A send is one connection from the card of the sending device, so a group's other cards do not help.
    """
    groups, last = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for inner in range(level + 1, len(pattern.levels)):
        groups = _spelled(groups, pattern.sizes[inner], pattern.coordinates(inner, Role.FREE))
        last = _spelled(last, pattern.sizes[inner], pattern.coordinates(inner, Role.VARYING)[-1:])
    devices = prod(pattern.sizes[level + 1 :])
    return float(np.bincount((groups + last) * link.count // devices).max())


def _spelled(outer: Numbers, size: int, inner: tuple[int, ...]) -> Numbers:
    return (outer[:, None] * size + np.array(inner, dtype=np.int64)).ravel()


def _around(links: tuple[Link, ...], hops: LevelHops, near: Mask) -> tuple[float, tuple[int, ...]]:
    """Return the latency of the hops at one level on the path around, and the number of hops on each link."""
    direct = int((hops.around * near).sum())
    counts = (direct, int(hops.around.sum()) - direct)[-len(links) :]
    return sum(count * link.latency for count, link in zip(counts, links, strict=True)), counts


def _key(hops: LevelHops, units: Numbers) -> Numbers:
    return hops.parent * hops.span + units


def _most(places: Numbers, amounts: Amounts) -> float:
    """Return the largest sum of amounts at one place; 0 without any."""
    if not amounts.size:
        return 0.0
    # bincount makes an array as long as the largest place; sparse numbers are made dense first.
    if places.max() > 4 * places.size:
        _, places = np.unique(places, return_inverse=True)
    return float(np.bincount(places, weights=amounts).max())
