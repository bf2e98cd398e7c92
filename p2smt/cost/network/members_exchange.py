"""Link loads of an all-to-all among arbitrary devices: every member sends every other one byte, all at once.

Bytes are counted per unit instead of per pair of devices: from the members inside a unit to those outside it.

With k members in all, p of them in a parent and a in one of its units, the bytes that leave the unit are
    a (p - a) to its siblings,   and a (k - p) out of the parent, if the link is an uplink;
as many enter. Over a point-to-point link to a sibling with b members go a b of them.
Complexity: O(units + point-to-point links), instead of O(k^2) pairs.
Reference: Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
1997, for the exchange whose bytes are counted here.

Example: 3 members on machine 0 and 1 on machine 1: 3 bytes leave either machine's card.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from p2smt.cost.network.cluster_graph import ClusterGraph, Unit
from p2smt.cost.network.load import LinkLoad
from p2smt.cost.network.traffic import HopShape, connection
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import System


def exchange_loads(cluster: ClusterGraph, system: System, members: Sequence[int]) -> tuple[LinkLoad, ...]:
    """Return the loads of all links; `hops` are those of the device whose blocks have the largest total latency."""
    units = [cluster.device(member) for member in members]
    exchange = _Exchange(cluster, units)
    # Devices of one unit are alike, so `dict.fromkeys` looks at each unit once.
    slowest = max(map(exchange.hops, dict.fromkeys(units)), key=_latency)
    found = []
    for depth, level in enumerate(system.levels, start=1):
        for link in system.network.at(level.name):
            load = exchange.load(link, depth, level.size * link.count)
            found.append(replace(load, hops=slowest[link]))
    return tuple(found)


def _latency(hops: Counter[Link]) -> float:
    return sum(count * link.latency for link, count in hops.items())


class _Exchange:
    """Numbers of members in every unit, and of blocks between units."""

    def __init__(self, cluster: ClusterGraph, members: Sequence[Unit]) -> None:
        self._cluster = cluster
        self._members = members
        self._count = Counter(member[:depth] for member in members for depth in range(len(member) + 1))
        self._siblings: dict[Unit, list[Unit]] = {}
        for unit in self._count:
            if unit:
                self._siblings.setdefault(unit[:-1], []).append(unit)

    def hops(self, device: Unit) -> Counter[Link]:
        """Return the numbers of a device's blocks per link, at the level where the path to the receiver crosses."""
        found: Counter[Link] = Counter()
        for depth in range(1, len(device) + 1):
            for other in self._others(device[:depth]):
                found[self._cluster.joins(_first(device[:depth], device), _first(other, device))] += self._count[other]
        return found

    def load(self, link: Link, depth: int, ports: int) -> LinkLoad:
        """Return the bytes on a link of the level whose units have `depth` numbers."""
        algorithm, _ = connection(HopShape.CYCLE)
        empty = LinkLoad(link=link, ports=ports, algorithm=algorithm)
        units = [unit for unit in self._count if len(unit) == depth]
        match link.wiring:
            case Wiring.RING:
                most = float(max((self._between(pair) for unit in units for pair in self._near(unit)), default=0))
                return replace(empty, outgoing=most, busiest=most, flow=float(most > 0))
            case Wiring.BUS:
                media: Counter[Unit] = Counter()
                for unit in units:
                    media[unit[:-1]] += self._sent(unit) + (2 * self._beyond(unit) if link.uplink else 0)
                most = float(max(media.values()))
                return replace(empty, busiest=most, flow=float(most > 0))
            case Wiring.PORT:
                return self._through_ports(empty, link, units)
            case _:
                assert_never(link.wiring)

    def _through_ports(self, empty: LinkLoad, link: Link, units: Sequence[Unit]) -> LinkLoad:
        one_way, share = 0.0, 0.0
        switches: Counter[Unit] = Counter()
        for unit in units:
            passed = self._sent(unit) + (self._beyond(unit) if link.uplink else 0)
            ports = len(self._cluster.ports_near(link, unit, self._members))
            if passed:
                one_way, share = max(one_way, passed / ports), max(share, 1 / ports)
            switches[unit[:-1]] += 0 if link.rails else self._sent(unit)
        both = 2 if link.duplex is Duplex.HALF else 1
        return replace(
            empty,
            incoming=one_way,
            outgoing=one_way,
            busiest=both * one_way,
            flow=share,
            switch=float(max(switches.values())),
        )

    def _others(self, unit: Unit) -> Iterator[Unit]:
        return (other for other in self._siblings[unit[:-1]] if other != unit)

    def _near(self, unit: Unit) -> Iterator[tuple[Unit, Unit]]:
        """Yield (unit, other unit) for each unit that a ring joins to this one."""
        return ((unit, other) for other in self._others(unit) if self._cluster.graph.has_edge(unit, other))

    def _between(self, pair: tuple[Unit, Unit]) -> int:
        return self._count[pair[0]] * self._count[pair[1]]

    def _sent(self, unit: Unit) -> int:
        """Return the bytes from a unit to the others of its parent that do not use a ring."""
        every = self._count[unit] * (self._count[unit[:-1]] - self._count[unit])
        return every - sum(map(self._between, self._near(unit)))

    def _beyond(self, unit: Unit) -> int:
        """Return the bytes from a unit to devices outside its parent."""
        return self._count[unit] * (self._count[()] - self._count[unit[:-1]])


def _first(unit: Unit, device: Unit) -> Unit:
    """Return the numbers of a device of a unit, completed with the inner numbers of `device`."""
    return (*unit, *device[len(unit) :])
