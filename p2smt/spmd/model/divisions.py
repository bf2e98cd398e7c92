"""Divisions of tensors and of work among ranks, given the sharding ratios of every axis of a mesh.

If several axes shard one dimension, the first divides the dimension and the next one its blocks. Ratios apply to the
atoms of a dimension's class, the blocks that stay whole, so that dimensions of one class are cut alike.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import Mesh
from p2smt.spmd.devices.shares import Parts as Shared
from p2smt.spmd.devices.shares import Shares, parts_of
from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.computing_cache import ComputingCache, Division
from p2smt.spmd.model.graph import Graph, Node
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Sliced
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.rule import Cut, Rule

Rules = tuple[Rule, ...]
"""The sharding rule that an operation follows on each axis."""


@dataclass(frozen=True)
class Divisions:
    """The divisions of a program's tensors and operations; `computing` may be shared by the placements of a mesh."""

    graph: Graph
    classes: Classes
    mesh: Mesh
    shares: tuple[Shares, ...]
    computing: ComputingCache = field(default_factory=ComputingCache, compare=False, repr=False)
    _cuts: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _atoms: dict[tuple[int, tuple[int, ...]], tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _parts: dict[tuple[int, int], Shared] = field(default_factory=dict, compare=False, repr=False)

    @property
    def cluster(self) -> Cluster:
        """Return the devices in rank order."""
        return self.mesh.cluster

    @property
    def device_shares(self) -> Shares:
        """Return each device's fraction of a tensor that all axes shard, by the ratios alone."""
        if len(self.shares) == 1:
            return self.shares[0]
        parts = [Fraction(1)]
        for shares in self.shares:
            parts = [part * mine for part in parts for mine in shares.parts]
        uneven = [
            f"{shares.name} along {axis.name}"
            for shares, axis in zip(self.shares, self.mesh.axes, strict=True)
            if len(set(shares.parts)) > 1
        ]
        return Shares(", ".join(uneven) or "even", tuple(parts))

    def count(self, tensor: int, dimension: int) -> int:
        """Return the atoms of a dimension's class, which together with the ratios determine its sharding."""
        return self.classes.atoms[self.classes.class_of[tensor, dimension]]

    def cut(self, tensor: int) -> tuple[int, ...]:
        """Return the atoms of all dimensions of a tensor, which together with the ratios determine its shardings."""
        if tensor not in self._cuts:
            dimensions = range(len(self.graph.tensors[tensor].shape))
            self._cuts[tensor] = tuple([self.count(tensor, dimension) for dimension in dimensions])
        return self._cuts[tensor]

    def atoms(self, count: int, axes: tuple[int, ...]) -> tuple[int, ...]:
        """Return the atoms of each block if these axes, outermost first, shard `count` atoms."""
        key = (count, axes)
        if key not in self._atoms:
            if not axes:
                return (count,)
            last = self.shares[axes[-1]]
            self._atoms[key] = tuple([atoms for block in self.atoms(count, axes[:-1]) for atoms in last.atoms(block)])
        return self._atoms[key]

    def parts(self, count: int, axis: int) -> Shared:
        """Return the fraction of each rank of an axis that shards `count` atoms."""
        key = (count, axis)
        if key not in self._parts:
            self._parts[key] = parts_of(self.atoms(count, (axis,)))
        return self._parts[key]

    def of_tensor(self, tensor: int, layouts: Layouts) -> Division:
        """Return the division of a tensor in these layouts."""
        # only Sliced: others cut nothing
        groups: dict[int, list[int]] = {}
        for axis, layout in enumerate(layouts):
            if isinstance(layout, Sliced):
                groups.setdefault(layout.dimension, []).append(axis)
        return tuple([(self.count(tensor, dimension), tuple(axes)) for dimension, axes in groups.items()])

    def divided(self, node: Node, rules: Rules) -> Division:
        """Return the division of an operation's work; labels that count no work do not divide it."""
        groups: dict[str, tuple[int, list[int]]] = {}
        for axis, rule in enumerate(rules):
            if rule.label and rule.label not in OPERATIONS[node.operation].uncounted:
                place = _first_cut(node, rule)
                if place is not None:
                    groups.setdefault(rule.label, (self.count(*place), []))[1].append(axis)
        return tuple([(count, tuple(axes)) for count, axes in groups.values()])

    def of_work(self, node: Node, rules: Rules) -> tuple[Division, ...]:
        """Return the divisions of an operation's flops, of each operand, and of its result, the last (`RESULT`)."""
        sides = []
        for number, tensor in enumerate((*node.operands, node.result)):
            groups: dict[int, list[int]] = {}
            for axis, rule in enumerate(rules):
                need = (*rule.operands, rule.result)[number]
                if isinstance(need, Cut) and isinstance(tensor, int):
                    groups.setdefault(need.dimension, []).append(axis)
            sides.append(
                tuple([(self.count(tensor, dim), tuple(axes)) for dim, axes in groups.items()])
                if isinstance(tensor, int)
                else ()
            )
        return (self.divided(node, rules), *sides)

    def rank_parts(self, division: Division) -> tuple[Fraction, ...]:
        """Return each rank's fraction of divided work."""
        if division not in self.computing.rank_parts:
            made = [Fraction(1)] * len(self.cluster.devices)
            for count, axes in division:
                blocks = [Fraction(atoms, count) for atoms in self.atoms(count, axes)]
                made = [part * blocks[self._block(rank, axes)] for rank, part in enumerate(made)]
            self.computing.rank_parts[division] = tuple(made)
        return self.computing.rank_parts[division]

    def part_numbers(self, division: Division) -> tuple[int, ...]:
        """Return each rank's fraction as an index among the distinct fractions of the division."""
        if division not in self.computing.part_numbers:
            numbers: dict[Fraction, int] = {}
            made = [numbers.setdefault(part, len(numbers)) for part in self.rank_parts(division)]
            self.computing.part_numbers[division] = tuple(made)
        return self.computing.part_numbers[division]

    def _block(self, rank: int, axes: tuple[int, ...]) -> int:
        """Return the index of a rank's block if these axes shard a dimension."""
        coordinates: list[int] = []
        for size in reversed(self.mesh.sizes):
            rank, coordinate = divmod(rank, size)
            coordinates.insert(0, coordinate)
        block = 0
        for axis in axes:
            block = block * self.mesh.sizes[axis] + coordinates[axis]
        return block


def _first_cut(node: Node, rule: Rule) -> tuple[int, int] | None:
    """Return the first tensor and dimension that a rule shards; None if it shards none."""
    for tensor, need in zip((*node.operands, node.result), (*rule.operands, rule.result), strict=True):
        if isinstance(need, Cut) and isinstance(tensor, int):
            return tensor, need.dimension
    return None
