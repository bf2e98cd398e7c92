"""Segments of about equal work with few bytes between them, by minimum cuts (HAP uses METIS for this).

Method: recursive bisection by maximum flow (Yang and Wong, "Efficient network flow based min-cut balanced
partitioning", 1996). Forward operations are split in two by a minimum cut, and the halves again. Operations early in
program order are fixed to one side, late ones to the other; the cut is searched among those near the middle of the
work, so that parts are balanced up to a quarter of a segment, or up to the middle operation if that is larger. A tensor
counts once, however many operations of the other side read it:

    operation -(infinite)-> in -(bytes)-> out -(infinite)-> operation   for each tensor and all operations that use it.

Backward operations are in the segment of the forward operation whose gradient they compute.
Complexity: log2(segments) levels, each of maximum flows over the operations near the middle and their tensors.

Example: operations a - b - c of work 4, 1 and 4, two segments; only b is near enough to the middle to go either way.
With 4 bytes between a and b and 1 byte between b and c, the cut is between b and c.
"""

from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.spmd.model.graph import Graph, forward
from p2smt.spmd.search.segments.partition import Partition, spread

SLACK = 0.25
"""The fraction of a segment's work by which a cut may miss the middle."""


@dataclass(frozen=True, slots=True)
class Tensors:
    """The work of operations in order, and for every tensor its bytes and the operations that compute or read it."""

    work: tuple[int, ...]
    joined: tuple[tuple[int, frozenset[int]], ...]

    def bytes(self, side: frozenset[int], among: frozenset[int]) -> int:
        """Return the bytes of tensors used on both sides, counting only the operations in `among`."""
        return sum(size for size, some in self.joined if (some & among) & side and (some & among) - side)


def balanced(graph: Graph, count: int) -> Partition:
    """Return a partition into `count` segments of about equal work.

    Raises ProblemError for more segments than forward operations.
    """
    operations = forward(graph)
    if len(operations) < count:
        raise ProblemError(
            f"{count} segments are more than the {len(operations)} operations that the outputs of "
            f"{graph.program.name} depend on; choose fewer"
        )
    seeds = {node.result: position for position, node in enumerate(operations)}
    for position, node in reversed(tuple(enumerate(operations))):
        seeds.update({each: position for each in node.reads if graph.tensors[each].source is not None})
    tensors = tensors_of(graph, spread(graph, seeds), len(operations))
    parts: list[frozenset[int]] = []
    _split(tensors, frozenset(range(len(operations))), count, parts)
    parts.sort(key=min)
    segment = {position: number for number, part in enumerate(parts) for position in part}
    return spread(graph, {result: segment[position] for result, position in seeds.items()})


def tensors_of(graph: Graph, positions: Partition, count: int) -> Tensors:
    """Return the work and tensors of a graph, given the forward operation that each value belongs to."""
    work = [0] * count
    joined: dict[int, set[int]] = {}
    for node in graph.nodes:
        work[positions.of[node.result]] += node.flops
        for tensor in (*node.reads, node.result):
            if graph.tensors[tensor].shape:
                joined.setdefault(tensor, set()).add(positions.of[node.result])
    sizes = [(graph.tensors[tensor].bytes, frozenset(some)) for tensor, some in joined.items() if len(some) > 1]
    return Tensors(tuple(work), tuple(sizes))


def _split(tensors: Tensors, among: frozenset[int], count: int, parts: list[frozenset[int]]) -> None:
    if count == 1:
        parts.append(among)
        return
    left = count // 2
    first = first_part(tensors, among, left, count)
    _split(tensors, first, left, parts)
    _split(tensors, among - first, count - left, parts)


def sides(tensors: Tensors, among: frozenset[int], left: int, count: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the operations fixed to the first `left` of `count` segments, and those fixed to the others.

    Each side gets at least as many operations as it has segments; the rest is decided by the cut.
    """
    order = sorted(among)
    total = sum(tensors.work[each] for each in order)
    middle, slack = total * left / count, SLACK * total / count
    first: list[int] = []
    last: list[int] = []
    done = 0
    for number, each in enumerate(order):
        before, done = done, done + tensors.work[each]
        # Every side keeps at least as many operations as it has segments.
        if number < left:
            first.append(each)
        elif len(order) - number <= count - left:
            last.append(each)
        else:
            early, late = done <= middle + slack, before >= middle - slack
            # Either side will do: the minimum cut decides.
            if early == late and (early or not total):
                continue
            (first if early or (not late and done - middle <= middle - before) else last).append(each)
    return frozenset(first), frozenset(last)


def first_part(tensors: Tensors, among: frozenset[int], left: int, count: int) -> frozenset[int]:
    """Return the first side of a minimum cut."""
    import networkx as nx

    first, last = sides(tensors, among, left, count)

    def end(position: int) -> str | int:
        return "first" if position in first else "last" if position in last else position

    network: nx.DiGraph[object] = nx.DiGraph()
    network.add_nodes_from(["first", "last"])
    for number, (size, some) in enumerate(tensors.joined):
        ends = dict.fromkeys(map(end, sorted(some & among)))
        if len(ends) > 1:
            into, out = f"into {number}", f"out of {number}"
            network.add_edge(into, out, capacity=size)
            for each in ends:
                network.add_edge(each, into)
                network.add_edge(out, each)
    _, (near, _) = nx.minimum_cut(network, "first", "last")
    return frozenset(each for each in among - last if each in first or each in near)
