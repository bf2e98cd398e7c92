"""Borders between segments of a graph: a tensor that another segment reads is copied into that segment.

The copy computes nothing. Replicated and partial tensors stay as they are; sharded ones are exchanged, so that they
follow the ratios of the reading segment (HAP, section 5.2: always, even if the ratios are equal).
"""

from dataclasses import dataclass, replace

from p2smt.spmd.model.graph import Graph, Node, Tensor
from p2smt.spmd.search.segments.partition import Partition
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Read
from p2smt.tensor.frame import Attributes
from p2smt.tensor.shapes import signature
from p2smt.tensor.signature import Shape


def with_borders(graph: Graph, partition: Partition) -> tuple[Graph, Partition]:
    """Return the graph in which every operation reads tensors of its own segment, and the segments of all tensors."""
    return _Borders(graph, partition).run()


@dataclass(frozen=True, slots=True)
class _TensorMove:
    tensor: int
    segment: int


class _Borders:
    def __init__(self, graph: Graph, partition: Partition) -> None:
        self._graph = graph
        self._tensors = list(graph.tensors)
        self._segments = list(partition.of)
        self._nodes: list[Node] = []
        self._moved: dict[_TensorMove, int] = {}
        self._kinds: dict[tuple[Shape, DType | None], int] = {}

    def run(self) -> tuple[Graph, Partition]:
        versions = {version.result: version for version in self._graph.versions}
        news = {}
        for node in self._graph.nodes:
            segment = self._segments[node.result]
            operands = tuple(self._there(each, segment) if isinstance(each, int) else each for each in node.operands)
            self._nodes.append(replace(node, operands=operands))
            if node.result in versions:
                news[node.result] = self._there(versions[node.result].new, segment)
        made = replace(
            self._graph,
            tensors=tuple(self._tensors),
            nodes=tuple(self._nodes),
            versions=tuple(replace(each, new=news.get(each.result, each.new)) for each in self._graph.versions),
            borders=frozenset(self._moved.values()),
        )
        return made, Partition(tuple(self._segments))

    def _there(self, tensor: int, segment: int) -> int:
        """Return the tensor's copy in a segment; scalars need none."""
        if self._segments[tensor] == segment or not self._tensors[tensor].shape:
            return tensor
        moved = _TensorMove(tensor, segment)
        if moved not in self._moved:
            self._moved[moved] = self._move(tensor, segment)
        return self._moved[moved]

    def _move(self, tensor: int, segment: int) -> int:
        old = self._tensors[tensor]
        number = len(self._tensors)
        self._tensors.append(Tensor("", old.shape, old.dtype))
        self._segments.append(segment)
        same = Call("transpose", (Read("t0"),), _in_order(old.shape))
        kind = self._kinds.setdefault((old.shape, old.dtype), -1 - len(self._kinds))
        self._nodes.append(
            Node(
                operation=same.operation,
                attributes=same.attributes,
                operands=(tensor,),
                result=number,
                signature=signature(same, (old.shape,)),
                flops=0,
                kind=kind,
            )
        )
        return number


def _in_order(shape: Shape) -> Attributes:
    """Return the attributes of an identity transposition."""
    return (tuple(range(len(shape))),)
