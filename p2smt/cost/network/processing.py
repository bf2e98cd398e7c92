"""Processor time of gloo's calls and messages on cores that all devices share.

In a test setup, devices are processes on one machine. There a collective of a few bytes waits for cores, not for
network cards. Each call and each message takes some core time; a message's time is split between sender and receiver.
Every port on the path adds to it, because a port is a queue that a core empties.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2smt.collective import Collective
from p2smt.cost.network.binomial_tree import binomial_tree
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.problem.system.link import Wiring
from p2smt.problem.system.processors import Processors


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """The time for which a step keeps all shared cores busy, and the time of one core for the busiest device."""

    processors_s: float = 0.0
    own_s: float = 0.0


def processing(
    cluster: ClusterGraph, processors: Processors | None, collective: Collective, groups: Sequence[Sequence[int]]
) -> ProcessorTime:
    """Return the processor time of a collective of groups of at least two members; 0 if no cores are shared."""
    if processors is None:
        return ProcessorTime()
    taken = defaultdict[int, float](float)
    for members in groups:
        for member in members:
            taken[member] += processors.call_s
        for sender, receiver, messages in gloo_messages(collective, len(members)):
            one, other = members[sender], members[receiver]
            seconds = messages * (processors.message_s + _ports(cluster, one, other) * processors.port_s)
            taken[one] += seconds / 2
            taken[other] += seconds / 2
    return ProcessorTime(sum(taken.values()) / processors.cores, max(taken.values()))


def _ports(cluster: ClusterGraph, source: int, target: int) -> int:
    """Return the number of ports between two devices: the sender's, the receiver's, and those of uplinks."""
    way = cluster.way(cluster.device(source), cluster.device(target))
    return sum(cluster.link(passage).wiring is Wiring.PORT for passage in way)


def gloo_messages(collective: Collective, size: int) -> Iterator[tuple[int, int, int]]:
    """Yield source, target (as ranks in a group) and number of messages."""
    ring = [(place, (place + 1) % size) for place in range(size)]
    match collective:
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER:
            yield from ((a, b, 2 * (size - 1)) for a, b in ring)
        case Collective.ALL_GATHER:
            yield from ((a, b, size - 1) for a, b in ring)
        case Collective.REDUCE:
            yield from ((a, b, size - 1) for a, b in ring)
            yield from ((place, 0, 1) for place in range(1, size))
        case Collective.BROADCAST:
            yield from ((a, b, 1) for a, b in binomial_tree(size))
