"""Switches that reduce: inside a machine (NVLink SHARP, NCCL's NVLS) or between machines (SHARP, NCCL's CollNet).

A switch inside a machine reduces, and multicasts the sum to every device.

With m devices on one switch and S bytes each: all S bytes leave a device's port once, to be added in the switch; the
m-th part that the device requested comes back, and goes out again to all others while their parts come in. So per byte
    1 + 1/m   leave a port, and as many enter it,
where a ring has 2(m - 1)/m and a tree 2. Between machines NVLS-tree sends the sums over the two trees
(`double_tree.py`). The port rates do not tell how fast a switch reduces: a link's `nvls_flow` is its rate for NVLS, and
`nvls_tree_flow` the rate with trees between machines; a link without them does not reduce. (NCCL `src/graph/tuning.cc`
has 0.85 of Hopper's and 0.74 of Blackwell's port rates.) Only a level whose devices have one full port each qualifies.

Every machine sends S bytes to the switches between machines, over the ports next to its devices of the group, and
receives the sum of S bytes, where a ring has 2(n - 1)/n of S and a tree up to 2. Inside a machine, a chain reduces and
forwards, with 2 bytes at a port (collnet_chain), every device reduces its m-th part, with 2(m - 1)/m (collnet_direct,
over a switch), or the inner switch reduces as above (nvls). The rates of such reductions, in bytes/s of a port, are
`collnet_chain_flow`, `collnet_direct_flow` and `nvls_flow` of a link between machines.
Reference: Graham et al., "Scalable hierarchical aggregation protocol (SHArP)", 2016.

Example: eight H100 with nvls_flow 330 GB/s reduce 1 GiB in 3.3 ms, where a ring over ports of 405 GB/s takes 4.6 ms.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import prod

from p2smt.cost.network.load import LinkLoad
from p2smt.problem.system.algorithm import COLLNET, OUTSIDE, SWITCHED, Algorithm
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import System

FEWEST = 3
"""The fewest devices for which a switch reduces; two devices send each other everything."""


def device_port(system: System) -> Link | None:
    """Return the link by which each device of a machine has one full-rate port; None without such ports."""
    innermost = len(system.levels) - 1
    if innermost <= system.machine:
        return None
    links = system.network.at(system.levels[innermost].name)
    link = links[-1]
    plain = len(links) == 1 and link.wiring is Wiring.PORT and link.count == 1 and not link.uplink
    return link if plain and link.oversubscription == 1 else None


def switch_of(system: System) -> Link | None:
    """Return the link of the devices inside a machine whose switch reduces; None if no switch does."""
    link = device_port(system)
    return link if link is not None and any(algorithm in link.flow for algorithm in SWITCHED) else None


def adds_outside(system: System) -> bool:
    """True if switches between machines reduce for some group."""
    outer = {level.name for level in system.levels[: system.machine + 1]}
    return any(link.level in outer and OUTSIDE & link.flow.keys() for link in system.network.links)


def switched(system: System, members: Sequence[int]) -> frozenset[Algorithm]:
    """Return the algorithms with a switch inside machines, for `members[j]` units per parent at level j."""
    link = switch_of(system)
    # The switch joins the devices of one machine; a group spread over several units inside of it
    # has no common switch.
    if link is None or members[-1] < FEWEST or prod(members[system.machine + 1 : -1]) > 1:
        return frozenset()
    several = prod(members[: system.machine + 1]) > 1
    algorithm = Algorithm.NVLS_TREE if several else Algorithm.NVLS
    return frozenset({algorithm} & link.flow.keys())


def collected(system: System, members: Sequence[int]) -> frozenset[Algorithm]:
    """Return the algorithms with switches between machines, for `members[j]` units per parent at level j."""
    found = set(OUTSIDE)
    crossed = [level for level, count in enumerate(members[: system.machine + 1]) if count > 1]
    for level in crossed:
        *rings, link = system.network.at(system.levels[level].name)
        found &= link.flow.keys() if not rings and link.wiring is Wiring.PORT else set()
    inner = device_port(system) if prod(members[system.machine + 1 : -1]) == 1 else None
    if inner is None or members[-1] < 2:
        found.discard(Algorithm.COLLNET_DIRECT)
    if inner is None or Algorithm.NVLS not in inner.flow or members[-1] < FEWEST:  # only: needs a switch inside, too
        found.discard(Algorithm.NVLS)
    return frozenset(found) if crossed else frozenset()


def members_of(units: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the fewest units per parent, level by level, of a group of devices given by their numbers on each level.

    >>> members_of([(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)])
    (2, 2)
    """
    found = []
    for level in range(len(units[0])):
        inside: dict[tuple[int, ...], set[int]] = defaultdict(set)
        for unit in units:
            inside[tuple(unit[:level])].add(unit[level])
        found.append(min(map(len, inside.values())))
    return tuple(found)


def with_switch(
    loads: Sequence[LinkLoad], algorithm: Algorithm, system: System, groups: Sequence[tuple[int, float]]
) -> tuple[LinkLoad, ...]:
    """Return the loads with a switch in place of the chains inside machines; unchanged for other algorithms.

    `groups` has, for each different group, its devices in a machine and the bytes of a hop.
    """
    if algorithm in COLLNET:
        return _collected_loads(loads, algorithm, system, groups)
    link = switch_of(system)
    if algorithm not in SWITCHED or link is None:
        return tuple(loads)
    # S bytes out to be added, and the sum of the own m-th part out again to all.
    busiest = max(((1 + 1 / members) * amount for members, amount in groups), default=0.0)
    whole = max((amount for _, amount in groups), default=0.0)
    return tuple(
        replace(
            load,
            algorithm=algorithm,
            incoming=busiest,
            outgoing=busiest,
            busiest=busiest,
            switch=0.0,
            flow=whole,
            hops=2,
        )
        if load.link == link
        else replace(load, algorithm=algorithm)
        for load in loads
    )


def _collected_loads(
    loads: Sequence[LinkLoad], algorithm: Algorithm, system: System, groups: Sequence[tuple[int, float]]
) -> tuple[LinkLoad, ...]:
    """Return the loads of a star; with collnet_direct, devices exchange their parts and the sums directly."""
    link = device_port(system)
    busiest = max((2 * (members - 1) / members * amount for members, amount in groups), default=0.0)
    return tuple(
        replace(load, algorithm=algorithm, incoming=busiest, outgoing=busiest, busiest=busiest, switch=0.0, hops=1)
        if algorithm is Algorithm.COLLNET_DIRECT and load.link == link and busiest  # only: the other has chains
        else replace(load, algorithm=algorithm)
        for load in loads
    )
