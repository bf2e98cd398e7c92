"""Prices if each segment has sharding ratios of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import one_axis
from p2smt.spmd.devices.network import CollectivePrice
from p2smt.spmd.devices.shares import Shares
from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.graph import Graph, Node
from p2smt.spmd.model.pricing import Pricing
from p2smt.spmd.search.segments.partition import Partition
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.rule import Cut


@dataclass(frozen=True, kw_only=True)
class SegmentedPricing(Pricing):
    """Prices of a graph with borders; `shares` are the mean ratios over all segments, weighted by work."""

    partition: Partition
    each: tuple[Pricing, ...]

    def segment(self, tensor: int) -> int:
        """Return the segment of a tensor."""
        return self.partition.of[tensor]

    def cut(self, tensor: int) -> tuple[int, ...]:
        """Return the segment, and the atoms of all dimensions."""
        return (self.segment(tensor), *Pricing.cut(self, tensor))

    def sizes(self, tensor: int, layouts: Layouts, axis: int) -> tuple[int, ...]:
        """Return the lengths of an axis's blocks, by the ratios of the tensor's segment."""
        return self._of(tensor).sizes(tensor, layouts, axis)

    def device_bytes(self, tensor: int, layouts: Layouts) -> tuple[int, ...]:
        """Return the bytes of a tensor on each device in a layout, by the ratios of its segment."""
        return self._of(tensor).device_bytes(tensor, layouts)

    def computation(self, node: Node, rules: Rules) -> Mapping[tuple[Fraction, int], int]:
        """Return the number of devices for each pair of work fraction and speed."""
        return self._of(node.result).computation(node, rules)

    def times(self, node: Node, rules: Rules) -> Mapping[tuple[int, int], int]:
        """Return the number of devices for each pair of roofline time in picoseconds and speed."""
        return self._of(node.result).times(node, rules)

    def slowest(self, node: Node, rules: Rules) -> int:
        """Return the picoseconds until the last device has finished an operation, or the exchange at a border."""
        if node.result not in self.graph.borders:
            return self._of(node.result).slowest(node, rules)
        ((need,),), (tensor,) = [rule.operands for rule in rules], node.reads
        if not isinstance(need, Cut):
            return 0
        count = self.count(tensor, need.dimension), self.count(node.result, need.dimension)
        before, after = self._of(tensor).parts(count[0], 0), self._of(node.result).parts(count[1], 0)
        return self.cluster.network.all_to_all(self.graph.tensors[tensor].bytes, before, after).time

    def conversion_along(self, axis: int, tensor: int, before: Layouts, after: Layouts) -> CollectivePrice | None:
        """Return the price of a conversion by the ratios of the tensor's segment; None if there is none."""
        return self._of(tensor).conversion_along(axis, tensor, before, after)

    def _of(self, tensor: int) -> Pricing:
        return self.each[self.segment(tensor)]


def segmented_pricing(
    graph: Graph, classes: Classes, cluster: Cluster, partition: Partition, shares: tuple[Shares, ...]
) -> SegmentedPricing:
    """Return prices for given ratios of each segment."""
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
