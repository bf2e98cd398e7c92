"""Link loads of one step, counted hop by hop on the graph of the cluster, for any groups of devices.

This is the definition against which `levels.py` is tested. Each hop is routed through the tree of units (out through
the uplinks, across at the outermost level at which its ends differ, in again), and its bytes are added at every port,
bus and switch:
    bytes[place] = sum over groups and over their hops h whose path passes the place of  part[h] * bytes of the group,
    load of a link = the largest over its places.
Rings and double trees are those that NCCL builds (`group_hops`, `double_tree.py`).

Complexity: O(devices x levels) steps for each algorithm.
Reference: Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009 (loads of
rings on trees).

Example: 2 units of 2 devices and one ring over all four, with hops 00-01, 01-10, 10-11, 11-00. The second and the last
cross the outer level, so each unit's outer port carries one hop's bytes out and one hop's bytes in.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import assert_never

import networkx as nx

from p2smt.cost.network.cluster_graph import ClusterGraph, Hub, Place, Unit
from p2smt.cost.network.double_tree import double_tree
from p2smt.cost.network.load import LinkLoad
from p2smt.cost.network.parallel_trees import tree_shares
from p2smt.cost.network.traffic import HopShape, connection
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import System

Edge = tuple[Unit, Unit]
Hop = tuple[Unit, Unit, float]


@dataclass(frozen=True, slots=True)
class ByteCounts:
    """Byte counters: per port and direction (or point-to-point link), per switch or bus, and per connection."""

    incoming: dict[tuple[Link, Place, object], float] = field(default_factory=lambda: defaultdict(float))
    outgoing: dict[tuple[Link, Place, object], float] = field(default_factory=lambda: defaultdict(float))
    hubs: dict[Hub, float] = field(default_factory=lambda: defaultdict(float))
    flows: dict[Link, float] = field(default_factory=dict)


def explicit_loads(
    cluster: ClusterGraph, system: System, groups: Sequence[tuple[Sequence[int], float]], shape: HopShape
) -> tuple[LinkLoad, ...]:
    """Return the loads of groups that all run at once.

    A group is a pair: its members in rank order, the root first, and the bytes that each of its hops carries. For
    groups of one pattern and one byte the result equals that of `pattern_loads`.
    """
    counted = ByteCounts()
    longest: tuple[Link, ...] = ()
    for numbers, amount in groups:
        members = [cluster.device(number) for number in numbers]
        if len(members) > 1:
            for source, target, part in group_hops(system, members, shape):
                _count(counted, cluster, members, (source, target, part * amount))
                _count_flows(counted, cluster, members, (source, target, amount), shape)
            # The slowest ring or path decides latency; bytes of all groups add up.
            longest = max(longest, _around(cluster, system, members, shape), key=_seconds)
    if not counted.flows:
        return ()
    sized = [(link, level.size) for level in system.levels for link in system.network.at(level.name)]
    return tuple(replace(_load(link, counted, size, shape), hops=longest.count(link)) for link, size in sized)


def counted_loads(
    cluster: ClusterGraph, system: System, groups: Sequence[tuple[Sequence[int], Sequence[tuple[int, int, float]]]]
) -> tuple[LinkLoad, ...]:
    """Return the loads of arbitrary hops of groups that all run at once; `hops` of each load is 0.

    A group is a pair: its members, and its hops as (source device, target device, bytes).
    """
    counted = ByteCounts()
    for numbers, hops in groups:
        members = [cluster.device(number) for number in numbers]
        for source, target, amount in hops:
            hop = (cluster.device(source), cluster.device(target), amount)
            _count(counted, cluster, members, hop)
            _count_flows(counted, cluster, members, hop, HopShape.CYCLE)
    if not counted.flows:
        return ()
    sized = [(link, level.size) for level in system.levels for link in system.network.at(level.name)]
    return tuple(_load(link, counted, size, HopShape.CYCLE) for link, size in sized)


def _seconds(links: tuple[Link, ...]) -> float:
    return sum(link.latency for link in links)


def group_hops(system: System, members: Sequence[Unit], shape: HopShape) -> Iterator[Hop]:
    """Yield the hops of one group, and the fraction of its bytes that each hop carries."""
    following = list(zip(members, [*members[1:], members[0]], strict=True))
    match shape:
        case HopShape.CYCLE:
            yield from ((one, other, 1.0) for one, other in following)
        case HopShape.FROM_ROOT:
            yield from ((one, other, 1.0) for one, other in following[:-1])
        case HopShape.TO_ROOT:
            yield from ((one, other, 1.0) for one, other in following[1:])
        case HopShape.TREES:
            # Each tree carries one half of the bytes; inside a machine both halves take the same chain.
            chains, trees = _child_to_parent(system, members)
            parts = [(edge, 1.0) for edge in chains] + [(edge, 0.5) for tree in trees for edge in tree]
            for (child, parent), part in parts:
                yield child, parent, part
                yield parent, child, part
        case HopShape.STAR:
            chains, _ = _child_to_parent(system, members)
            yield from ((*ends, 1.0) for child, parent in chains for ends in ((child, parent), (parent, child)))
            # At the ports of machines, switches that add look like a ring: the whole goes out, and the sum comes in.
            firsts = [*_first_of(system, members).values()]
            around = zip(firsts, [*firsts[1:], firsts[0]], strict=True)
            yield from ((one, other, 1.0) for one, other in around if one != other)
        case HopShape.DOUBLING:
            for power, share in enumerate(tree_shares(len(members))):
                yield from ((one, members[(n + 2**power) % len(members)], share) for n, one in enumerate(members))
        case _:
            assert_never(shape)


def _first_of(system: System, members: Sequence[Unit]) -> dict[Unit, Unit]:
    """Return the first member of every machine, in order."""
    found: dict[Unit, Unit] = {}
    for member in members:
        found.setdefault(member[: system.machine + 1], member)
    return found


def _child_to_parent(system: System, members: Sequence[Unit]) -> tuple[list[Edge], list[list[Edge]]]:
    """Return the (child, parent) edges of the chains inside machines, and of the two trees over the first members."""
    depth = system.machine + 1
    machines: dict[Unit, list[Unit]] = {}
    for member in members:
        machines.setdefault(member[:depth], []).append(member)
    chains = [(child, parent) for inside in machines.values() for parent, child in pairwise(inside)]
    firsts = [inside[0] for inside in machines.values()]
    trees = [
        [(firsts[child], firsts[parent]) for child, parent in enumerate(parents.tolist()) if parent >= 0]
        for parents in double_tree(len(firsts))
    ]
    return chains, trees


def _count(counted: ByteCounts, cluster: ClusterGraph, members: Sequence[Unit], hop: Hop) -> None:
    source, target, amount = hop
    crossing = cluster.crossing(source, target)
    for passage in cluster.way(source, target):
        link = cluster.link(passage)
        across = len(passage.unit) == crossing + 1
        match link.wiring:
            case Wiring.RING:
                counted.outgoing[link, passage.source, passage.target] += amount
            case Wiring.BUS:
                # Crossing a bus takes it once, though it is drawn as one edge to the medium and one from it.
                counted.hubs[passage.hub] += 0 if across and not passage.outward else amount
            case Wiring.PORT:
                direction = counted.outgoing if passage.outward else counted.incoming
                ports = cluster.ports_near(link, passage.unit, members)
                for port in ports:
                    direction[link, passage.unit, port] += amount / len(ports)
                if across and passage.outward:
                    counted.hubs[passage.hub] += amount * _changing_ports(cluster, link, members, source, target)


def _changing_ports(cluster: ClusterGraph, link: Link, members: Sequence[Unit], source: Unit, target: Unit) -> float:
    """Return the fraction of bytes through oversubscribed switches: with rails, those that change port number."""
    if not link.rails:
        return 1.0
    depth = cluster.crossing(source, target) + 1
    one, other = (cluster.ports_near(link, end[:depth], members) for end in (source, target))
    return 1 - len(one & other) / max(len(one), len(other))


def _count_flows(
    counted: ByteCounts, cluster: ClusterGraph, members: Sequence[Unit], hop: Hop, shape: HopShape
) -> None:
    """Record the bytes of one connection on every link that it uses."""
    _, part = connection(shape)
    source, target, amount = hop
    for passage in cluster.way(source, target):
        link = cluster.link(passage)
        ports = len(cluster.ports_near(link, passage.unit, members)) if link.wiring is Wiring.PORT else 1
        counted.flows[link] = max(counted.flows.get(link, 0.0), amount * part / ports)


def _around(cluster: ClusterGraph, system: System, members: Sequence[Unit], shape: HopShape) -> tuple[Link, ...]:
    """Return the links of all hops of a ring, or of the hops on the longest path to the root of a tree."""
    match shape:
        case HopShape.CYCLE | HopShape.FROM_ROOT | HopShape.TO_ROOT:
            return tuple(cluster.joins(one, other) for one, other, _ in group_hops(system, members, shape))
        case HopShape.TREES:
            return _longest_to_root(cluster, *_child_to_parent(system, members))
        case HopShape.STAR:
            chains, _ = _child_to_parent(system, members)
            firsts = [*_first_of(system, members).values()]
            return (*_longest_to_root(cluster, chains, [[]]), *_furthest(cluster, firsts))
        case HopShape.DOUBLING:
            return _furthest(cluster, members) * len(tree_shares(len(members)))
        case _:
            assert_never(shape)


def _furthest(cluster: ClusterGraph, members: Sequence[Unit]) -> tuple[Link, ...]:
    """Return the link of a hop between two members that differ furthest out; () for a single member."""
    others = [member for member in members if member != members[0]]
    if not others:
        return ()
    return (cluster.joins(members[0], min(others, key=lambda other: cluster.crossing(members[0], other))),)


def _longest_to_root(cluster: ClusterGraph, chains: list[Edge], trees: list[list[Edge]]) -> tuple[Link, ...]:
    longest: tuple[Link, ...] = ()
    for tree in trees:
        graph: nx.DiGraph[Unit] = nx.DiGraph()
        graph.add_weighted_edges_from((*edge, cluster.joins(*edge).latency) for edge in [*chains, *tree])
        way = tuple(cluster.joins(*edge) for edge in pairwise(nx.dag_longest_path(graph)))
        longest = max(longest, way, key=_seconds)
    return longest


def _load(link: Link, counted: ByteCounts, size: int, shape: HopShape) -> LinkLoad:
    algorithm, _ = connection(shape)
    flow = counted.flows.get(link, 0.0)
    load = LinkLoad(link=link, ports=size * link.count, flow=flow, algorithm=algorithm)
    hubs = max((amount for hub, amount in counted.hubs.items() if hub.link == link), default=0.0)
    match link.wiring:
        case Wiring.BUS:
            return replace(load, busiest=hubs)
        case Wiring.RING:
            passed = max((amount for (of, _, _), amount in counted.outgoing.items() if of == link), default=0.0)
            return replace(load, outgoing=passed, busiest=passed)
        case Wiring.PORT:
            incoming = {place: amount for place, amount in counted.incoming.items() if place[0] == link}
            outgoing = {place: amount for place, amount in counted.outgoing.items() if place[0] == link}
            into, out = (max(amounts.values(), default=0.0) for amounts in (incoming, outgoing))
            both = max((incoming.get(p, 0) + outgoing.get(p, 0) for p in {*incoming, *outgoing}), default=0.0)
            busiest = both if link.duplex is Duplex.HALF else max(into, out)
            return replace(load, incoming=into, outgoing=out, busiest=busiest, switch=hubs)
        case _:
            assert_never(link.wiring)
