"""The loads of one step computed from its pattern alone: the same work for 64 devices and for 65,536."""

from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.hops import Amounts, LevelHops, Numbers, level_hops, tree_hops_to_root
from p2smt.cost.network.load import LinkLoad
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.traffic import Shape, connection
from p2smt.problem.system.network import Duplex, Link, System, Wiring

Mask = NDArray[np.bool_]


@lru_cache(maxsize=4096)
def pattern_loads(pattern: Pattern, system: System, shape: Shape) -> tuple[LinkLoad, ...]:
    """The loads of all groups of a pattern over the system's levels, per byte that one hop carries.

    Only which group has the longest way depends on latencies; bandwidths change nothing. Raises ProblemError for
    trees over more than 2^20 machines.
    """
    if pattern.group_size == 1:
        return ()
    loads: list[LinkLoad] = []
    for level, named in enumerate(system.levels):
        links = system.network.at(named.name)
        hops = level_hops(pattern.members, level, shape, system.machine, links[0].wiring is Wiring.RING)
        near = [_near(pattern, level, links[0], hops, offset) for offset in offsets(pattern, level, links)]
        around = max((_around(links, hops, mask) for mask in near), key=lambda found: found[0])[1]
        loads += [
            replace(_load(pattern, level, link, hops, near, shape), hops=count)
            for link, count in zip(links, around, strict=True)
        ]
    match shape:
        case Shape.CYCLE | Shape.FROM_ROOT | Shape.TO_ROOT:
            return tuple(loads)
        case Shape.TREES:
            return _with_hops_to_root(loads, pattern, system)
        case _:
            assert_never(shape)


def _with_hops_to_root(loads: list[LinkLoad], pattern: Pattern, system: System) -> tuple[LinkLoad, ...]:
    """The loads of trees with the hops between machines, of the slowest way to a root, on top of those of chains."""
    fallbacks = [system.network.at(level.name)[-1] for level in system.levels]
    ups = tree_hops_to_root(pattern.members, system.machine, tuple(link.latency for link in fallbacks))
    counts = {link: count for link, count in zip(fallbacks, ups, strict=False) if count}
    return tuple(replace(load, hops=load.hops + counts.get(load.link, 0)) for load in loads)


def offsets(pattern: Pattern, level: int, links: tuple[Link, ...]) -> tuple[int, ...]:
    """The groups that have to be looked at one by one: where there is a ring, it matters where a group lies."""
    return pattern.coordinates(level, Role.FREE) if links[0].wiring is Wiring.RING else (0,)


def _near(pattern: Pattern, level: int, link: Link, hops: LevelHops, offset: int) -> Mask:
    """Which hops the level's ring takes: those between neighbours."""
    if link.wiring is not Wiring.RING:
        return np.zeros(hops.amount.size, dtype=bool)
    units = np.array(pattern.coordinates(level, Role.VARYING)) + offset
    near: Mask = joined_units(link, pattern.sizes[level])[units[hops.source], units[hops.target]]
    return near


def joined_units(link: Link, size: int) -> Mask:
    """Which of a level's `size` units a ring joins."""
    joined: Mask = np.zeros((size, size), dtype=bool)
    for one, other in link.neighbours or [(unit, (unit + 1) % size) for unit in range(size)]:
        joined[one, other] = joined[other, one] = True
    return joined


def _load(pattern: Pattern, level: int, link: Link, hops: LevelHops, near: list[Mask], shape: Shape) -> LinkLoad:
    """What all groups put on one class of links of a level, per byte that a hop carries.

    One group is looked at (where a ring joins units: one for each place that a group can have, `near[k]` being which
    of its hops that ring takes), and its bytes are multiplied by how many groups do the same at the same place:
    `free` units of the levels inside have a group each that shares a unit's port, so a port carries
    `prod(free[level + 1:])` times one group's busiest port (less where the unit has several ports: `port_shares`).
    What is shared by a parent unit, a bus or the switch, also carries the groups of this level's own `free` sets:
    `prod(free[level:])` times the sum over one group's hops in that parent, on average over the places.
    """
    inside = prod(pattern.free[level + 1 :])
    algorithm, part = connection(shape)
    empty = LinkLoad(link=link, ports=pattern.sizes[level] * link.count, algorithm=algorithm)
    match link.wiring:
        case Wiring.RING:
            used = [_most(_key(hops, hops.source) * hops.span + hops.target, hops.amount * mask) for mask in near]
            return connected(replace(empty, outgoing=inside * max(used), busiest=inside * max(used)), part)
        case Wiring.BUS:
            sets = inside * pattern.free[level]
            total = _most(*_through_bus(link, hops, _kept(hops, near) / len(near)))
            return connected(replace(empty, busiest=sets * total), part)
        case Wiring.PORT:
            per_port, largest = port_shares(pattern, level, link)
            ports = [_port_load(empty, hops, hops.amount * ~mask) for mask in near]
            load = max(ports, key=lambda load: load.busiest).times(per_port)
            sets = 0 if link.rails else inside * pattern.free[level]
            switch = sets * _most(hops.parent, _kept(hops, near) / len(near))
            return connected(replace(load, switch=switch), largest * part)
        case _:
            assert_never(link.wiring)


def _kept(hops: LevelHops, near: list[Mask]) -> Amounts:
    """Bytes that do not take the ring, over all groups that were looked at."""
    kept: Amounts = np.sum([hops.amount * hops.alike * ~mask for mask in near], axis=0)
    return kept


def _through_bus(link: Link, hops: LevelHops, amounts: Amounts) -> tuple[Numbers, Amounts]:
    if not link.uplink:
        return hops.parent, amounts
    parents = np.append(hops.parent, np.array([parent for parent, *_ in hops.outside], dtype=np.int64))
    return parents, np.append(amounts, [entering + leaving for *_, entering, leaving in hops.outside])


def _port_load(empty: LinkLoad, hops: LevelHops, amounts: Amounts) -> LinkLoad:
    """One group's bytes at the busiest of its units."""
    sources, targets = _key(hops, hops.source), _key(hops, hops.target)
    out = into = amounts
    if empty.link.uplink:
        units = np.array([parent * hops.span + unit for parent, unit, *_ in hops.outside], dtype=np.int64)
        sources, targets = np.append(sources, units), np.append(targets, units)
        into = np.append(amounts, [entering for *_, entering, _ in hops.outside])
        out = np.append(amounts, [leaving for *_, leaving in hops.outside])
    both = _most(np.append(sources, targets), np.append(out, into))
    incoming, outgoing = _most(targets, into), _most(sources, out)
    busiest = both if empty.link.duplex is Duplex.HALF else max(incoming, outgoing)
    return replace(empty, incoming=incoming, outgoing=outgoing, busiest=busiest)


def connected(load: LinkLoad, share: float) -> LinkLoad:
    """The load with the bytes of one connection, if the link is used at all."""
    return replace(load, flow=share) if load.busiest else load


def port_shares(pattern: Pattern, level: int, link: Link) -> tuple[float, float]:
    """Of the bytes that one group exchanges with a unit: on the busiest port by all groups, the most by one.

    Port `q` of `count` is next to the devices `d` of the unit with `d * count // devices == q`; a group's bytes
    are spread evenly over the ports next to its members.
    """
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
    shares = used / used.sum(axis=1, keepdims=True)
    return float(shares.sum(axis=0).max()), float(shares.max())


def _spelled(outer: Numbers, size: int, inner: tuple[int, ...]) -> Numbers:
    return (outer[:, None] * size + np.array(inner, dtype=np.int64)).ravel()


def _around(links: tuple[Link, ...], hops: LevelHops, near: Mask) -> tuple[float, tuple[int, ...]]:
    """Seconds of the hops at one level on the way around, and how many of them take each link."""
    direct = int((hops.around * near).sum())
    counts = (direct, int(hops.around.sum()) - direct)[-len(links) :]
    return sum(count * link.latency for count, link in zip(counts, links, strict=True)), counts


def _key(hops: LevelHops, units: Numbers) -> Numbers:
    return hops.parent * hops.span + units


def _most(places: Numbers, amounts: Amounts) -> float:
    """The largest sum of amounts at one place; 0 without any."""
    if not amounts.size:
        return 0.0
    _, numbers = np.unique(places, return_inverse=True)
    return float(np.bincount(numbers, weights=amounts).max())
