"""Events of ranks in a loop over chunks, and the order that they have to keep: deadlocks and races by happens-before.

Each rank issues its events one after the other. Before it issues one it waits for what that one needs. An event then
runs behind the event before it in the same queue (the rank's computation, or one group's collectives), and a collective
ends on all members of its group at once, when all have issued it and it is its turn on each. So an event stands for
what happens on a rank; a collective's events on all members are one node of the graph.

Method: the partial order of Lamport, "Time, clocks, and the ordering of events in a distributed system", 1978.
    deadlock  a cycle of the graph (what a topological sort leaves);
    race      two accesses that conflict, where the one that has to come first is not in the past of the other:
              past(n) = union over the nodes b right before n of {b} + past(b).
Complexity: O(nodes + edges) for deadlocks; O(nodes x edges) for pasts, and all pairs of accesses to one buffer.

Example: rank 0 issues collectives A, B, rank 1 B, A, in one queue: A waits for rank 1, whose B waits for rank 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Key = tuple[str, int]
"""A stage and a chunk."""


@dataclass(frozen=True, slots=True)
class Access:
    """An event reads or writes a chunk of a buffer of its rank, all of it where `chunk` is None.

    `version` is the one that is written or has to be read: versions of a state lie in one buffer, the first is 0.
    """

    buffer: str
    chunk: int | None
    writes: bool
    version: int = 1

    def conflicts(self, other: "Access") -> bool:
        """True if the order of the two matters."""
        same = self.chunk is None or other.chunk is None or self.chunk == other.chunk
        return self.buffer == other.buffer and same and (self.writes or other.writes)

    def comes_first(self, other: "Access") -> bool:
        """For two events that conflict, True if this one has to come first: a version is read after its write."""
        if self.version == other.version:
            return self.writes
        return self.version < other.version


@dataclass(frozen=True, slots=True, kw_only=True)
class RankEvent:
    """A stage on a chunk, on one rank.

    `group` are the ranks that take part; it is empty without communication. `group` has the ranks
    that take part, none where nothing is sent.
    """

    stage: str
    chunk: int
    needs: tuple[Key, ...] = ()
    queue: str = "computation"
    group: tuple[int, ...] = ()
    accesses: tuple[Access, ...] = ()

    @property
    def key(self) -> Key:
        """Its stage and chunk."""
        return self.stage, self.chunk


Orders = Sequence[Sequence[RankEvent]]
"""The events that each rank issues, in order."""

Node = tuple[int, str, int]
"""An event: its rank (for a collective the first of its group), stage and chunk; stage "" is issuing by a rank."""


@dataclass(frozen=True, slots=True)
class EventGraph:
    """For each node, its direct predecessors."""

    before: Mapping[Node, tuple[Node, ...]]

    def order(self) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """A topological order of the nodes, and the nodes that wait on a cycle."""
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
    """The graph of all ranks; or the member of a group that never takes part in a collective."""
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
    """The node of an event of a rank."""
    # A collective is one node for all of its members, who share its end.
    return (min(event.group) if event.group else rank), event.stage, event.chunk


def deadlock(orders: Orders) -> str | None:
    """A cycle of ranks that wait for each other; None if all orders end."""
    graph = event_graph(orders)
    if isinstance(graph, str):
        return graph
    stuck = [node for node in graph.order()[1] if node[1]]
    if not stuck:
        return None
    named = ", ".join(f"chunk {chunk} of {stage}" for _, stage, chunk in stuck[:3])
    return f"{named} never {'ends' if len(stuck) == 1 else 'end'}"


def race(orders: Orders) -> str | None:
    """Two accesses on one rank, one of them a write, that no order binds, or the wrong one.

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
    """Nodes that must come before each node; empty if there is a cycle."""
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
