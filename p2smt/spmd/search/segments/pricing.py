"""Prices where each segment has shares of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import one_axis
from p2smt.spmd.devices.network import CollectivePrice
from p2smt.spmd.devices.shares import Shares
from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.graph import Graph, Node
from p2smt.spmd.model.pricing import Pricing, Rules
from p2smt.spmd.search.segments.partition import Partition
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.rule import Cut


@dataclass(frozen=True, kw_only=True)
class SegmentedPricing(Pricing):
    """Prices of a graph with borders; `shares` are the mean over all segments, weighted by their work."""

    partition: Partition
    each: tuple[Pricing, ...]

    def segment(self, tensor: int) -> int:
        """The segment of the partition."""
        return self.partition.of[tensor]

    def cut(self, tensor: int) -> tuple[int, ...]:
        """The segment, and the numbers of atoms of all dimensions."""
        return (self.segment(tensor), *Pricing.cut(self, tensor))

    def sizes(self, tensor: int, layouts: Layouts, axis: int) -> tuple[int, ...]:
        """By the shares of the tensor's segment, as all below."""
        return self._of(tensor).sizes(tensor, layouts, axis)

    def device_bytes(self, tensor: int, layouts: Layouts) -> tuple[int, ...]:
        """Bytes of a tensor that each device holds in a layout."""
        return self._of(tensor).device_bytes(tensor, layouts)

    def computation(self, node: Node, rules: Rules) -> Mapping[tuple[Fraction, int], int]:
        """Numbers of devices that do each part of an operation's work, and their speed."""
        return self._of(node.result).computation(node, rules)

    def times(self, node: Node, rules: Rules) -> Mapping[tuple[int, int], int]:
        """Numbers of devices that take so many picoseconds for an operation, and their speed, by rooflines."""
        return self._of(node.result).times(node, rules)

    def slowest(self, node: Node, rules: Rules) -> int:
        """Picoseconds until the last device has done an operation, or of an exchange on a border."""
        if node.result not in self.graph.borders:
            return self._of(node.result).slowest(node, rules)
        ((need,),), (tensor,) = [rule.operands for rule in rules], node.reads
        if not isinstance(need, Cut):
            return 0
        count = self.count(tensor, need.dimension), self.count(node.result, need.dimension)
        before, after = self._of(tensor).parts(count[0], 0), self._of(node.result).parts(count[1], 0)
        return self.cluster.network.all_to_all(self.graph.tensors[tensor].bytes, before, after).time

    def conversion(self, tensor: int, before: Layouts, after: Layouts) -> CollectivePrice | None:
        """The price of one conversion; None if there is none from one layout to the other."""
        return self._of(tensor).conversion(tensor, before, after)

    def _of(self, tensor: int) -> Pricing:
        return self.each[self.segment(tensor)]


def segmented_pricing(
    graph: Graph, classes: Classes, cluster: Cluster, partition: Partition, shares: tuple[Shares, ...]
) -> SegmentedPricing:
    """Prices for shares of each segment."""
    work = [0] * len(shares)
    for node in graph.nodes:
        work[partition.of[node.result]] += node.flops
    total = sum(work)
    weights = [Fraction(each, total) if total else Fraction(1, len(work)) for each in work]
    mean = tuple(
        sum((weight * one.parts[device] for weight, one in zip(weights, shares, strict=True)), Fraction(0))
        for device in range(len(cluster.devices))
    )
    same = {each.name for each in shares}
    name = same.pop() if len(same) == 1 else "mean of segments"
    mesh = one_axis(cluster)
    return SegmentedPricing(
        graph,
        classes,
        mesh,
        (Shares(name, mean),),
        partition=partition,
        each=tuple(Pricing(graph, classes, mesh, (each,)) for each in shares),
    )
