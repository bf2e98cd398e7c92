"""What operations and conversions cost on a cluster whose devices have given shares of every cut."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from p2smt.spmd.classes import Classes
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.graph import Graph, Node
from p2smt.spmd.network import PICO, Price
from p2smt.spmd.shares import Shares
from p2smt.tensor.layout import Layout, Partial, Reduction, Replicated, Sliced
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.rule import Cut, Rule
from p2smt.tensor.way import Way

FREE = Price(0, Way.PLAIN)


@dataclass(frozen=True)
class Pricing:
    """Prices for a program, a cluster and shares."""

    graph: Graph
    classes: Classes
    cluster: Cluster
    shares: Shares
    _atoms: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _parts: dict[tuple[int, ...], tuple[Fraction, ...]] = field(default_factory=dict, compare=False, repr=False)
    _counts: dict[tuple[Fraction, ...], Mapping[tuple[Fraction, int], int]] = field(
        default_factory=dict, compare=False, repr=False
    )
    _conversions: dict[tuple[object, ...], Price | None] = field(default_factory=dict, compare=False, repr=False)

    def atoms(self, tensor: int, dimension: int) -> tuple[int, ...]:
        """How many atoms of a dimension's class each device has."""
        count = self.classes.atoms[self.classes.class_of[tensor, dimension]]
        if count not in self._atoms:
            self._atoms[count] = self.shares.atoms(count)
        return self._atoms[count]

    def sizes(self, tensor: int, dimension: int) -> tuple[int, ...]:
        """How many indices of a dimension each device has when it is cut."""
        count = self.classes.atoms[self.classes.class_of[tensor, dimension]]
        granule = self.graph.tensors[tensor].shape[dimension] // count
        return tuple(granule * atoms for atoms in self.atoms(tensor, dimension))

    def parts(self, tensor: int, dimension: int) -> tuple[Fraction, ...]:
        """Each device's part of a dimension that is cut."""
        atoms = self.atoms(tensor, dimension)
        if atoms not in self._parts:
            total = sum(atoms)
            self._parts[atoms] = tuple(Fraction(each, total) for each in atoms)
        return self._parts[atoms]

    def device_bytes(self, tensor: int, layout: Layout) -> tuple[int, ...]:
        """Bytes of a tensor that each device holds in a layout."""
        whole = self.graph.tensors[tensor].bytes
        if not isinstance(layout, Sliced):
            return (whole,) * len(self.cluster.devices)
        return tuple(int(whole * part) for part in self.parts(tensor, layout.dimension))

    def computation(self, node: Node, rule: Rule) -> Mapping[tuple[Fraction, int], int]:
        """How many devices do which part of an operation's work at which speed."""
        parts = self._work(node, rule)
        if parts not in self._counts:
            self._counts[parts] = Counter(zip(parts, self.cluster.speeds, strict=True))
        return self._counts[parts]

    def slowest(self, node: Node, rule: Rule) -> int:
        """Picoseconds until the last device has done an operation, rounded up."""
        times = (node.flops * PICO * part / speed for part, speed in self.computation(node, rule))
        return -int(-max(times) // 1)

    def _work(self, node: Node, rule: Rule) -> tuple[Fraction, ...]:
        """The part of an operation's work that each device does; a label that counts no work divides none."""
        whole = (Fraction(1),) * len(self.cluster.devices)
        if not rule.label or rule.label in OPERATIONS[node.operation].uncounted:
            return whole
        for tensor, need in zip((*node.operands, node.result), (*rule.operands, rule.result), strict=True):
            if isinstance(need, Cut) and isinstance(tensor, int):
                return self.parts(tensor, need.dimension)
        return whole

    def conversion(self, tensor: int, before: Layout, after: Layout) -> Price | None:
        """What one conversion takes; None where there is none from one layout to the other."""
        key = self._conversion_key(tensor, before, after)
        if key not in self._conversions:
            self._conversions[key] = self._converted(tensor, before, after)
        return self._conversions[key]

    def _conversion_key(self, tensor: int, before: Layout, after: Layout) -> tuple[object, ...]:
        cut = tuple(
            self.atoms(tensor, layout.dimension) if isinstance(layout, Sliced) else layout for layout in (before, after)
        )
        return (self.graph.tensors[tensor].bytes, before == after, *cut)

    def _converted(self, tensor: int, before: Layout, after: Layout) -> Price | None:
        network, count = self.cluster.network, self.graph.tensors[tensor].bytes
        match before, after:
            case Replicated(), (Sliced() | Partial(Reduction.SUM)):
                return FREE
            case Partial(), Replicated():
                return network.all_reduce(count)
            case Partial(), Sliced(dimension):
                return network.reduce_scatter(count, self.parts(tensor, dimension))
            case Sliced(dimension), Replicated():
                return network.all_gather(count, self.parts(tensor, dimension))
            case Sliced(old), Sliced(new) if old != new:
                return network.all_to_all(count, self.parts(tensor, old), self.parts(tensor, new))
            case _:
                return None
