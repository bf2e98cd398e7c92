"""Event order of ranks in a loop over chunks, checked for deadlocks and races by happens-before.

Each rank issues its events one after the other, and waits for an event's dependencies before issuing it. An event
then runs after the previous event in its queue: the rank's computation, or one group's collectives. A collective
ends at the same time on all members of its group, once all have issued it and it is first in each queue; its events
on all members are one node of the graph.

Method: the partial order of Lamport, "Time, clocks, and the ordering of events in a distributed system", 1978.
    deadlock  a cycle of the graph (the nodes that a topological sort leaves);
    race      two conflicting accesses, where the one that must come first is not in the past of the other:
              past(n) = union over the direct predecessors b of n of {b} + past(b).

Complexity: O(nodes + edges) for deadlocks; O(nodes x edges) for pasts, plus all pairs of accesses to one buffer.

Example: rank 0 issues collectives A, B, and rank 1 issues B, A in one queue: A waits for rank 1, B for rank 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Key = tuple[str, int]
"""A stage and a chunk number."""


@dataclass(frozen=True, slots=True)
class Access:
    """An access of an event to one chunk of a buffer on its rank; `chunk` None means the whole buffer.

    `version` is the version written or to be read; all versions of a state share one buffer, and the first is
    0.
    """

    buffer: str
    chunk: int | None
    writes: bool
    version: int = 1

    def conflicts(self, other: "Access") -> bool:
        """True if the order of the two accesses matters."""
        same = self.chunk is None or other.chunk is None or self.chunk == other.chunk
        return self.buffer == other.buffer and same and (self.writes or other.writes)

    def comes_first(self, other: "Access") -> bool:
        """True if this one of two conflicting accesses must come first.

        Versions come in order, and each is written before it is read.
        """
        if self.version == other.version:
            return self.writes
        return self.version < other.version


@dataclass(frozen=True, slots=True, kw_only=True)
class RankEvent:
    """A stage on one chunk, on one rank.

    `group` has the ranks that take part in its communication; empty without communication.
    """

    stage: str
    chunk: int
    needs: tuple[Key, ...] = ()
    queue: str = "computation"
    group: tuple[int, ...] = ()
    accesses: tuple[Access, ...] = ()

    @property
    def key(self) -> Key:
        """The stage and chunk number."""
        return self.stage, self.chunk


Orders = Sequence[Sequence[RankEvent]]
"""The events of each rank, in the order of issue."""

Node = tuple[int, str, int]
"""A node: rank (of a collective, its lowest), stage and chunk; for the issue of an event, rank, "" and position."""


@dataclass(frozen=True, slots=True)
class EventGraph:
    """The direct predecessors of each node."""

    before: Mapping[Node, tuple[Node, ...]]

    def order(self) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """Return a topological order of the nodes, and the nodes on or after a cycle."""
        waiting = {node: set(before) for node, before in self.before.items()}
        behind: dict[Node, list[Node]] = {node: [] for node in self.before}
        for node, before in self.before.items():
            for each in before:
                behind[each].append(node)
        # Any order will do, so a stack is enough.
        # Kahn's topological sort; what never becomes ready lies on a cycle or behind one.
        ready = [node for node, before in waiting.items() if not before]
        order: list[Node] = []
        while ready:
            node = ready.pop()
            order.append(node)
            for each in behind[node]:
                waiting[each].discard(node)
                if not waiting[each]:
                    ready.append(each)
        return tuple(order), tuple(node for node, before in waiting.items() if before)


def event_graph(orders: Orders) -> EventGraph | str:
    """Return the graph of all ranks, or a message about an event that a rank never issues."""
    issued = [{event.key for event in order} for order in orders]
    before: dict[Node, list[Node]] = {}
    for rank, order in enumerate(orders):
        queues: dict[str, Node] = {}
        of_rank = {event.key: event for event in order}
        issue: Node | None = None
        for position, event in enumerate(order):
            missing = [member for member in event.group if event.key not in issued[member]]
            if missing:
                return f"rank {missing[0]} never takes part in chunk {event.chunk} of {event.stage}"
            lacking = [key for key in event.needs if key not in issued[rank]]
            if lacking:
                return f"rank {rank} waits for chunk {lacking[0][1]} of {lacking[0][0]}, which it never issues"
            # Issuing is a node of its own: a rank waits before it issues, and goes on while the event runs in its
            # queue.
            turn: Node = (rank, "", position)
            needed = [node_of(rank, of_rank[key]) for key in event.needs]
            before[turn] = [*needed, *([issue] if issue is not None else [])]
            node = node_of(rank, event)
            earlier = [queues[event.queue]] if event.queue in queues else []
            before.setdefault(node, []).extend([turn, *earlier])
            queues[event.queue], issue = node, turn
    return EventGraph({node: tuple(dict.fromkeys(each)) for node, each in before.items()})


def node_of(rank: int, event: RankEvent) -> Node:
    """Return the node of a rank's event."""
    # A collective is one node for all of its members, who share its end.
    return (min(event.group) if event.group else rank), event.stage, event.chunk


def deadlock(orders: Orders) -> str | None:
    """Return a message about a cycle of waiting events, or an event never issued; None if all events end."""
    graph = event_graph(orders)
    if isinstance(graph, str):
        return graph
    stuck = [node for node in graph.order()[1] if node[1]]
    if not stuck:
        return None
    named = ", ".join(f"chunk {chunk} of {stage}" for _, stage, chunk in stuck[:3])
    return f"{named} never {'ends' if len(stuck) == 1 else 'end'}"


def race(orders: Orders) -> str | None:
    """Return a message about two conflicting accesses on one rank that are unordered or in the wrong order.

    None if there are none, or if there is a deadlock.
    """
    graph = event_graph(orders)
    if isinstance(graph, str):
        return None
    past = ancestors(graph)
    if not past:
        return None
    for rank, order in enumerate(orders):
        for first, second in _conflicts(order):
            earlier, later = (first, second) if first[1].comes_first(second[1]) else (second, first)
            one, other = node_of(rank, earlier[0]), node_of(rank, later[0])
            if one not in past[other]:
                wrong = "come in the wrong order" if other in past[one] else "have no order"
                return f"rank {rank}: {_said(*earlier)} and {_said(*later)} {wrong}"
    return None


def ancestors(graph: EventGraph) -> Mapping[Node, frozenset[Node]]:
    """Return the set of nodes that come before each node; empty if there is a cycle."""
    order, stuck = graph.order()
    found: dict[Node, frozenset[Node]] = {}
    for node in () if stuck else order:
        before = graph.before[node]
        # Quadratic in the number of events, which `loop_events.shown` keeps small.
        found[node] = frozenset(before).union(*(found[each] for each in before))
    return found


def _conflicts(order: Sequence[RankEvent]) -> Iterator[tuple[tuple[RankEvent, Access], tuple[RankEvent, Access]]]:
    buffers: dict[str, list[tuple[RankEvent, Access]]] = {}
    for event in order:
        for access in event.accesses:
            buffers.setdefault(access.buffer, []).append((event, access))
    for pairs in buffers.values():
        # Two reads never conflict.
        if any(access.writes for _, access in pairs):
            for first, second in combinations(pairs, 2):
                if first[0].key != second[0].key and first[1].conflicts(second[1]):
                    yield first, second


def _said(event: RankEvent, access: Access) -> str:
    what = "writes" if access.writes else "reads"
    where = f"chunk {access.chunk} of " if access.chunk is not None else ""
    return f"{event.stage} on chunk {event.chunk}, which {what} {where}{access.buffer},"
