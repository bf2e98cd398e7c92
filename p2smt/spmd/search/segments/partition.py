"""Assign the values of a step to segments, starting from parameters or forward operations.

Method: propagation of labels along the edges of the data-flow graph, which is acyclic, so that one pass in each
direction suffices (Kildall, "A unified approach to global program optimization", 1973). Given segments stay.
    against program order, for gradients and updates:
        segment(v) = s   if all readers of v are in s, and v reads no parameter of another segment; an update is in
                     the segment of its state;
    in program order, for the rest:
        segment(v) = max over operands of their segments   for a forward operation,
        segment(v) = min over operands of their segments   for a backward one,
where a source counts, for a backward operation, as in the last segment of the forward operations that read it.
Complexity: O(edges).

Example: y = x w1 and z = y w2, with w1 given in segment 0 and w2 in 1. Then y is in 0, z in 1, the gradient of w2 in 1
(only the update of w2 reads it), and dy = dz w2' in 1: only segment 0 reads it, but it reads w2.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from p2smt.spmd.model.graph import Graph, forward
from p2smt.tensor.expression import SourceKind


@dataclass(frozen=True, slots=True)
class Partition:
    """The segment of every tensor; an operation is in the segment of its result. Segments are numbered by first use.

    All versions of a state or parameter are in one segment.
    """

    of: tuple[int, ...]

    @property
    def count(self) -> int:
        """Return the number of segments."""
        return max(self.of, default=0) + 1

    def parameters(self, graph: Graph, segment: int) -> tuple[str, ...]:
        """Return the names of the parameters of a segment."""
        return tuple(
            tensor.name
            for tensor, mine in zip(graph.tensors, self.of, strict=True)
            if mine == segment and tensor.source is not None and tensor.source.kind is SourceKind.PARAMETER
        )


def spread(graph: Graph, seeds: Mapping[int, int]) -> Partition:
    """Return the partition that extends the given segments of some tensors (`seeds`).

    A value that only one segment's updates depend on is in that segment, unless it reads parameters of another. Of the
    rest, a forward operation is in the last segment of its operands, a backward one in the first, which is that of the
    layer whose gradient it computes.
    """
    segments = dict(seeds)
    _from_updates(graph, segments)
    _from_operands(graph, segments)
    for node in graph.nodes:
        for tensor in node.reads:
            if graph.tensors[tensor].source is not None:
                segments.setdefault(tensor, segments[node.result])
    for version in graph.versions:
        segments[version.result] = segments.setdefault(version.state, 0)
    return _numbered([segments.get(number, 0) for number in range(len(graph.tensors))])


def _from_updates(graph: Graph, segments: dict[int, int]) -> None:
    """Assign gradients and optimizer operations, in reverse program order."""
    states = {version.result: version.state for version in graph.versions}
    kept = {node.result for node in forward(graph)}
    owned = _of_parameters(graph, segments)
    readers: dict[int, list[int]] = {}
    for node in reversed(graph.nodes):
        result = node.result
        if result in states:
            above = [states[result]] if states[result] in segments else readers.get(result, [])
            known = {segments[each] for each in above if each in segments}
            if len(known) == 1:
                segments[result] = segments[states[result]] = known.pop()
        elif result not in kept and result not in segments:
            users = {segments.get(each) for each in readers.get(result, ())}
            others = {owned[each] for each in node.reads if each in owned} - users
            if len(users) == 1 and not others and (only := users.pop()) is not None:
                segments[result] = only
        for tensor in node.reads:
            readers.setdefault(tensor, []).append(result)


def _of_parameters(graph: Graph, segments: Mapping[int, int]) -> dict[int, int]:
    """Return the segments of assigned parameters, and of values made of one alone, such as a transposed weight."""
    owned = {
        number: segments[number]
        for number, tensor in enumerate(graph.tensors)
        if number in segments and tensor.source is not None and tensor.source.kind is SourceKind.PARAMETER
    }
    for node in graph.nodes:
        if len(node.reads) == 1 and node.reads[0] in owned:
            owned[node.result] = owned[node.reads[0]]
    return owned


def _from_operands(graph: Graph, segments: dict[int, int]) -> None:
    """Assign the remaining values, in program order."""
    kept = {node.result for node in forward(graph)}
    last: dict[int, int] = {}
    for node in graph.nodes:
        is_forward = node.result in kept
        there = [
            last[each] if not is_forward and each in last else segments[each] for each in node.reads if each in segments
        ]
        if node.result not in segments:
            segments[node.result] = (max if is_forward else min)(there, default=0)
        if is_forward:
            for tensor in node.reads:
                if graph.tensors[tensor].source is not None:
                    last[tensor] = max(last.get(tensor, 0), segments[node.result])


def _numbered(segments: list[int]) -> Partition:
    """Return the partition with segments renumbered in order, without gaps."""
    numbers = {segment: number for number, segment in enumerate(sorted(set(segments)))}
    return Partition(tuple(numbers[each] for each in segments))
