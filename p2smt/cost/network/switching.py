"""NVLink SHARP (NCCL's NVLS): the switch inside a machine adds, and hands every device the sum.

Of `m` devices on one switch, each is told S bytes: they leave its port once, to be added in the switch, and the m-th
part that it asked for comes back and goes out again to all others, while their parts come in. So per byte
    1 + 1/m   leave a port, and as many enter it,
where a ring has 2(m - 1)/m and a tree 2. Between machines NVLS-tree sends sums over the two trees (`double_tree.py`).
How fast a switch adds is not told by its ports: `nvls_flow` of a link is the rate of bytes that are reduced so, and
`nvls_tree_flow` the same with trees behind it; a link without them adds nothing. (NCCL `src/graph/tuning.cc` has 0.85
of Hopper's and 0.74 of Blackwell's ports.) Only a level of devices on ports of their own, full and alone, is one.

Example: eight H100 with nvls_flow 330 GB/s reduce 1 GiB in 3.3 ms, where a ring over ports of 405 GB/s takes 4.6 ms.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import prod

from p2smt.cost.network.load import LinkLoad
from p2smt.problem.system.algorithm import SWITCHED, Algorithm
from p2smt.problem.system.network import Link, System, Wiring

FEWEST = 3
"""Devices that a switch adds for: two send each other everything."""


def switch_of(system: System) -> Link | None:
    """The link of the devices inside a machine, where a switch there adds; None: none does."""
    innermost = len(system.levels) - 1
    if innermost <= system.machine:
        return None
    links = system.network.at(system.levels[innermost].name)
    link = links[-1]
    plain = len(links) == 1 and link.wiring is Wiring.PORT and link.count == 1 and not link.uplink
    adds = any(algorithm in link.flow for algorithm in SWITCHED)
    return link if plain and adds and link.oversubscription == 1 else None


def switched(system: System, members: Sequence[int]) -> frozenset[Algorithm]:
    """The algorithms with a switch that can carry a group with so many units in a parent, level by level."""
    link = switch_of(system)
    # The switch joins the devices of one machine; a group spread over several units inside of it
    # has no common switch.
    if link is None or members[-1] < FEWEST or prod(members[system.machine + 1 : -1]) > 1:
        return frozenset()
    several = prod(members[: system.machine + 1]) > 1
    algorithm = Algorithm.NVLS_TREE if several else Algorithm.NVLS
    return frozenset({algorithm} & link.flow.keys())


def members_of(units: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The fewest units that a group of devices, spelled over the levels, has in a parent, level by level.

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
    """The loads of trees with a switch in place of the chains inside machines; as they are for other algorithms.

    `groups` are the devices in a machine and the bytes of a hop, of every group that is different.
    """
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
