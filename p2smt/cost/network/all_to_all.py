"""The price of an all-to-all, in which every member of a group sends a different block to every other member.

Blocks go straight from device to device, as in NCCL, one after the other (the pairwise exchange of Thakur et al.,
"Optimization of Collective Communication Operations in MPICH", 2005): n - 1 latencies, and (n - 1)/n of the bytes.
"""

from dataclasses import replace
from math import prod
from typing import assert_never

import numpy as np

from p2smt.cost.network.cost import PerByte, StepCost
from p2smt.cost.network.levels import Mask, connected, joined_units, offsets, port_shares
from p2smt.cost.network.load import LinkLoad, around_seconds, links_seconds
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import System


def all_to_all_cost(pattern: Pattern, held: float, system: System) -> StepCost:
    """Return the cost of an all-to-all in all groups of a pattern at once; each device has `held` bytes."""
    size = pattern.group_size
    loads = all_to_all_loads(pattern, system)
    network = system.network
    per_byte = PerByte(loads, links_seconds(loads, network), around_seconds(loads))
    if size == 1:
        return StepCost(per_byte, held, 1.0, 0.0)
    return StepCost(per_byte, held / size, 1.0, 2 * held / network.memory_bandwidth, network.exchange_launch)


def all_to_all_loads(pattern: Pattern, system: System) -> tuple[LinkLoad, ...]:
    """Return the loads if every member sends one byte to every other member of its group, in all groups at once."""
    if pattern.group_size == 1:
        return ()
    return tuple(
        load for level, named in enumerate(system.levels) for load in _level_loads(pattern, level, system, named.name)
    )


def _level_loads(pattern: Pattern, level: int, system: System, name: str) -> list[LinkLoad]:
    links = system.network.at(name)
    near = [_near(pattern, level, links[0], offset) for offset in offsets(pattern, level, links)]
    hops = _slowest(links, near, prod(pattern.members[level + 1 :]))
    return [replace(_load(pattern, level, link, near), hops=count) for link, count in zip(links, hops, strict=True)]


def _slowest(links: tuple[Link, ...], near: list[Mask], inside: int) -> tuple[int, ...]:
    """Return the number of blocks per first link, for the device with the largest total latency."""
    # Blocks to every device of the other units; those of the own unit do not cross this level.
    peers = (len(near[0]) - 1) * inside
    if len(links) == 1:
        return (peers,)
    counts = {int(direct) * inside for mask in near for direct in mask.sum(axis=1)}
    return max(
        sorted((direct, peers - direct) for direct in counts),
        key=lambda hops: sum(count * link.latency for count, link in zip(hops, links, strict=True)),
    )


def _load(pattern: Pattern, level: int, link: Link, near: list[Mask]) -> LinkLoad:
    """Return the load of a link; `near` has, for each group that differs, the pairs of its units that a ring joins."""
    inside, below = prod(pattern.members[level + 1 :]), prod(pattern.free[level + 1 :])
    units = pattern.members[level]
    empty = LinkLoad(link=link, ports=pattern.sizes[level] * link.count)
    others = ~np.eye(units, dtype=bool)
    # Bytes that pass the units of this level on their way to units further out.
    beyond = inside * (pattern.group_size - units * inside) if link.uplink else 0
    kept = sum(int((others & ~mask).sum()) for mask in near) / len(near)
    sets = below * pattern.free[level]
    match link.wiring:
        case Wiring.RING:
            used = float(below * inside**2 * max(mask.any() for mask in near))
            return connected(replace(empty, outgoing=used, busiest=used), 1.0)
        # Each ordered pair of units exchanges inside x inside blocks.
        case Wiring.BUS:
            return connected(replace(empty, busiest=sets * (inside**2 * kept + 2 * units * beyond)), 1.0)
        case Wiring.PORT:
            most = max(int((others & ~mask).sum(axis=1).max()) for mask in near)
            per_port, largest = port_shares(pattern, level, link)
            one_way = per_port * (inside**2 * most + beyond)
            both = 2 if link.duplex is Duplex.HALF else 1
            switch = 0.0 if link.rails else sets * inside**2 * kept
            load = replace(empty, incoming=one_way, outgoing=one_way, busiest=both * one_way, switch=switch)
            return connected(load, largest)
        case _:
            assert_never(link.wiring)


def _near(pattern: Pattern, level: int, link: Link, offset: int) -> Mask:
    """Return a mask of the pairs of a group's units that a ring joins; all False without a ring."""
    units = np.array(pattern.coordinates(level, Role.VARYING)) + offset
    if link.wiring is not Wiring.RING:
        return np.zeros((units.size, units.size), dtype=bool)
    near: Mask = joined_units(link, pattern.sizes[level])[np.ix_(units, units)]
    return near
