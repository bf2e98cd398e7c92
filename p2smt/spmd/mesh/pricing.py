"""What operations and conversions cost on a mesh of two axes, every cut in even shares."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from p2smt.spmd.classes import Classes
from p2smt.spmd.graph import Graph, Node
from p2smt.spmd.mesh.mesh import Mesh, Pair
from p2smt.spmd.network import PICO, Network, Price
from p2smt.spmd.pricing import FREE, Pricing
from p2smt.spmd.shares import even
from p2smt.tensor.layout import Layout, Partial, Reduction, Replicated, Sliced
from p2smt.tensor.rule import Rule

RulePair = tuple[Rule, Rule]
"""The rule that an operation follows on each axis."""


@dataclass(frozen=True)
class MeshPricing:
    """Prices for a program on a mesh."""

    graph: Graph
    classes: Classes
    mesh: Mesh
    _even: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _parts: dict[tuple[int, int, bool], tuple[Fraction, ...]] = field(default_factory=dict, compare=False, repr=False)
    _counts: dict[tuple[int, int, bool], Mapping[tuple[Fraction, int], int]] = field(
        default_factory=dict, compare=False, repr=False
    )
    _slowest: dict[tuple[Fraction, int, int, int, bool], int] = field(default_factory=dict, compare=False, repr=False)
    _conversions: dict[tuple[object, ...], Price | None] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def along(self) -> tuple[Pricing, Pricing]:
        """What an axis would take were it all that there is: its shares of every cut."""
        one, other = (
            Pricing(self.graph, self.classes, replace(self.mesh.cluster, network=axis.network), even(axis.size))
            for axis in self.mesh.axes
        )
        return one, other

    def count(self, tensor: int, dimension: int) -> int:
        """How many atoms the class of a dimension has."""
        return self.along[0].count(tensor, dimension)

    def can_cut(self, tensor: int, dimension: int, axis: int) -> bool:
        """Whether a cut leaves more than one rank of an axis something."""
        return self.mesh.sizes[axis] > 1 and self.count(tensor, dimension) > 1

    def can_cut_twice(self, tensor: int, dimension: int) -> bool:
        """Whether blocks of the first axis can be cut by the second."""
        both = self.can_cut(tensor, dimension, 0) and self.can_cut(tensor, dimension, 1)
        return both and self.count(tensor, dimension) > self.mesh.sizes[0]

    def is_layout(self, tensor: int, pair: Pair) -> bool:
        """Whether a tensor can have these layouts together."""
        match pair:  # only Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
            case Sliced(one), Sliced(other) if one == other:
                return self.can_cut_twice(tensor, one)
            case Partial(one), Partial(other):
                return one is other
            case _:
                return True

    def cut(self, tensor: int) -> tuple[int, ...]:
        """The numbers of atoms of all dimensions."""
        return self.along[0].cut(tensor)

    def sizes(self, tensor: int, pair: Pair, axis: int) -> tuple[int, ...]:
        """The blocks of an axis that cuts: under each block of the first axis, if that cuts the dimension too."""
        layout = pair[axis]
        assert isinstance(layout, Sliced)
        count = self.count(tensor, layout.dimension)
        granule = self.graph.tensors[tensor].shape[layout.dimension] // count
        atoms = self._twice(count) if axis and pair[0] == pair[1] else self._atoms(axis, count)
        return tuple(granule * each for each in atoms)

    def device_bytes(self, tensor: int, pair: Pair) -> tuple[int, ...]:
        """Bytes of a tensor that each rank holds."""
        whole = self.graph.tensors[tensor].bytes
        counts = [self.count(tensor, each.dimension) if isinstance(each, Sliced) else 0 for each in pair]
        return tuple(int(whole * part) for part in self._rank_parts(counts[0], counts[1], _twice_cut(pair)))

    def computation(self, node: Node, rules: RulePair) -> Mapping[tuple[Fraction, int], int]:
        """How many devices do which part of an operation's work at which speed."""
        key = self.divided(node, rules)
        if key not in self._counts:
            self._counts[key] = Counter(zip(self._rank_parts(*key), self.mesh.cluster.speeds, strict=True))
        return self._counts[key]

    def slowest(self, node: Node, rules: RulePair) -> int:
        """Picoseconds until the last device has done an operation, rounded up."""
        work, begin = self.along[0].work(node)
        key = (work, begin, *self.divided(node, rules))
        if key not in self._slowest:
            times = ((work * part + begin) * PICO / speed for part, speed in self.computation(node, rules))
            self._slowest[key] = -int(-max(times) // 1)
        return self._slowest[key]

    def divided(self, node: Node, rules: RulePair) -> tuple[int, int, bool]:
        """How many atoms the work is divided into on each axis, 0 for not at all; whether both divide the same."""
        first, second = (along.divided(node, rule) for along, rule in zip(self.along, rules, strict=True))
        return first, second, bool(first and second) and rules[0].label == rules[1].label

    def _atoms(self, axis: int, count: int) -> tuple[int, ...]:
        if (axis, count) not in self._even:
            self._even[axis, count] = even(self.mesh.sizes[axis]).atoms(count)
        return self._even[axis, count]

    def _twice(self, count: int) -> tuple[int, ...]:
        """Atoms of every rank where both axes cut a dimension."""
        return tuple(atoms for block in self._atoms(0, count) for atoms in self._atoms(1, block))

    def _rank_parts(self, first: int, second: int, twice: bool) -> tuple[Fraction, ...]:
        """Each rank's part of what is divided so."""
        key = (first, second, twice)
        if key not in self._parts:
            if twice:
                made = tuple(Fraction(atoms, first) for atoms in self._twice(first))
            else:
                one, other = (
                    [Fraction(atoms, count) for atoms in self._atoms(axis, count)] if count else [Fraction(1)] * size
                    for axis, (count, size) in enumerate(zip((first, second), self.mesh.sizes, strict=True))
                )
                made = tuple(mine * theirs for mine in one for theirs in other)
            self._parts[key] = made
        return self._parts[key]

    def conversion(self, tensor: int, before: Pair, after: Pair) -> Price | None:
        """What one conversion along one axis takes; None where there is none from one pair to the other."""
        axes = [axis for axis in range(2) if before[axis] != after[axis]]
        if len(axes) != 1:
            return None
        (axis,) = axes
        other = before[1 - axis]
        if axis == 0 and isinstance(other, Sliced) and other in (before[0], after[0]):
            return None
        old, new = before[axis], after[axis]
        key = (self.graph.tensors[tensor].bytes, axis, *[self._said(tensor, each) for each in (old, new, other)],
               axis == 1 and isinstance(other, Sliced) and (old == other, new == other))  # fmt: skip
        if key not in self._conversions:
            self._conversions[key] = self._converted(tensor, axis, old, new, other)
        return self._conversions[key]

    def _said(self, tensor: int, layout: Layout) -> object:
        return self.count(tensor, layout.dimension) if isinstance(layout, Sliced) else layout

    def _converted(self, tensor: int, axis: int, old: Layout, new: Layout, other: Layout) -> Price | None:
        """Of groups that hold different amounts all count as the one that holds most."""
        network: Network = self.mesh.axes[axis].network
        bytes_ = self.graph.tensors[tensor].bytes
        if isinstance(other, Sliced):
            count = self.count(tensor, other.dimension)
            bytes_ = bytes_ * max(self._atoms(1 - axis, count)) // count

        def parts(dimension: int) -> Sequence[Fraction]:
            count = self.count(tensor, dimension)
            if axis == 1 and other == Sliced(dimension):
                count = max(self._atoms(0, count))
            return [Fraction(atoms, count) for atoms in self._atoms(axis, count)]

        match old, new:
            case Replicated(), (Sliced() | Partial(Reduction.SUM)):
                return FREE
            case Partial(), Replicated():
                return network.all_reduce(bytes_)
            case Partial(), Sliced(dimension):
                return network.reduce_scatter(bytes_, parts(dimension))
            case Sliced(dimension), Replicated():
                return network.all_gather(bytes_, parts(dimension))
            case Sliced(source), Sliced(target):
                return network.all_to_all(bytes_, parts(source), parts(target))
            case _:
                return None


def _twice_cut(pair: Pair) -> bool:
    return isinstance(pair[0], Sliced) and pair[0] == pair[1]
