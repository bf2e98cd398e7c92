"""What operations and conversions cost on a cluster whose devices have given shares of every cut."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from p2smt.spmd.classes import Classes
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.graph import Graph, Node
from p2smt.spmd.network import PICO, Price
from p2smt.spmd.shares import Shares, parts_of
from p2smt.tensor.layout import Layout, Partial, Reduction, Replicated, Sliced
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import SourceKind
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
    _cuts: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _atoms: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _parts: dict[int, tuple[Fraction, ...]] = field(default_factory=dict, compare=False, repr=False)
    _counts: dict[int, Mapping[tuple[Fraction, int], int]] = field(default_factory=dict, compare=False, repr=False)
    _slowest: dict[tuple[Fraction, int, int], int] = field(default_factory=dict, compare=False, repr=False)
    _works: dict[int, tuple[Fraction, int]] = field(default_factory=dict, compare=False, repr=False)
    _conversions: dict[tuple[object, ...], Price | None] = field(default_factory=dict, compare=False, repr=False)

    def count(self, tensor: int, dimension: int) -> int:
        """How many atoms the class of a dimension has: all that its cut depends on, beside the shares."""
        return self.classes.atoms[self.classes.class_of[tensor, dimension]]

    def cut(self, tensor: int) -> tuple[int, ...]:
        """What all cuts of a tensor depend on: the numbers of atoms of all dimensions."""
        if tensor not in self._cuts:
            dimensions = range(len(self.graph.tensors[tensor].shape))
            self._cuts[tensor] = tuple([self.count(tensor, dimension) for dimension in dimensions])
        return self._cuts[tensor]

    def segment(self, _tensor: int) -> int:
        """The segment of the program that a tensor is in: here there is one, with the same shares everywhere."""
        return 0

    def atoms(self, tensor: int, dimension: int) -> tuple[int, ...]:
        """How many atoms of a dimension's class each device has."""
        count = self.count(tensor, dimension)
        if count not in self._atoms:
            self._atoms[count] = self.shares.atoms(count)
        return self._atoms[count]

    def sizes(self, tensor: int, dimension: int) -> tuple[int, ...]:
        """How many indices of a dimension each device has when it is cut."""
        granule = self.graph.tensors[tensor].shape[dimension] // self.count(tensor, dimension)
        return tuple([granule * atoms for atoms in self.atoms(tensor, dimension)])

    def parts(self, tensor: int, dimension: int) -> tuple[Fraction, ...]:
        """Each device's part of a dimension that is cut."""
        count = self.count(tensor, dimension)
        if count not in self._parts:
            self._parts[count] = parts_of(self.atoms(tensor, dimension))
        return self._parts[count]

    def device_bytes(self, tensor: int, layout: Layout) -> tuple[int, ...]:
        """Bytes of a tensor that each device holds in a layout."""
        whole = self.graph.tensors[tensor].bytes
        # only Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
        if not isinstance(layout, Sliced):
            return (whole,) * len(self.cluster.devices)
        return tuple(int(whole * part) for part in self.parts(tensor, layout.dimension))

    def stored_bytes(self, tensor: int, layout: Layout) -> tuple[int, ...]:
        """The same of a source; of inputs what each of a machine's devices has."""
        held, inside = self.device_bytes(tensor, layout), self.cluster.inside
        source = self.graph.tensors[tensor].source
        if inside is None or source is None or source.kind is not SourceKind.INPUT:
            return held
        return tuple(-(-size // count) for size, count in zip(held, inside.counts, strict=True))

    def summed_inside(self, tensor: int) -> bool:
        """Whether machines sum the gradient of a tensor inside in every step: that of a parameter that is trained."""
        source = self.graph.tensors[tensor].source
        if self.cluster.inside is None or source is None or source.kind is not SourceKind.PARAMETER:
            return False
        return any(version.state == tensor for version in self.graph.versions)

    def inside(self, tensor: int, layout: Layout) -> int:
        """Picoseconds of that, where it is stored in a layout."""
        inside = self.cluster.inside
        if inside is None or not self.summed_inside(tensor):
            return 0
        return inside.all_reduce(max(self.device_bytes(tensor, layout)))

    def computation(self, node: Node, rule: Rule) -> Mapping[tuple[Fraction, int], int]:
        """How many devices do which part of an operation's work at which speed."""
        count = self.divided(node, rule)
        if count not in self._counts:
            parts = self._parts[count] if count else (Fraction(1),) * len(self.cluster.devices)
            self._counts[count] = Counter(zip(parts, self.cluster.speeds, strict=True))
        return self._counts[count]

    def work(self, node: Node) -> tuple[Fraction, int]:
        """What is divided of an operation, and what every device does of it."""
        if node.kind not in self._works:
            efforts = self.cluster.efforts
            work = efforts.work(node.operation, node.flops, node.signature)
            self._works[node.kind] = work, efforts.begin(node.operation)
        return self._works[node.kind]

    def slowest(self, node: Node, rule: Rule) -> int:
        """Picoseconds until the last device has done an operation, rounded up."""
        work, begin = self.work(node)
        key = (work, begin, self.divided(node, rule))
        if key not in self._slowest:
            times = ((work * part + begin) * PICO / speed for part, speed in self.computation(node, rule))
            self._slowest[key] = -int(-max(times) // 1)
        return self._slowest[key]

    def divided(self, node: Node, rule: Rule) -> int:
        """How many atoms the work is divided into; 0 if every device does all of it.

        A label that counts no work divides none.
        """
        if not rule.label or rule.label in OPERATIONS[node.operation].uncounted:
            return 0
        for tensor, need in zip((*node.operands, node.result), (*rule.operands, rule.result), strict=True):
            if isinstance(need, Cut) and isinstance(tensor, int):
                self.parts(tensor, need.dimension)
                return self.count(tensor, need.dimension)
        return 0

    def conversion(self, tensor: int, before: Layout, after: Layout) -> Price | None:
        """What one conversion takes; None where there is none from one layout to the other."""
        key = self._conversion_key(tensor, before, after)
        if key not in self._conversions:
            self._conversions[key] = self._converted(tensor, before, after)
        return self._conversions[key]

    def _conversion_key(self, tensor: int, before: Layout, after: Layout) -> tuple[object, ...]:
        cut = tuple(
            self.count(tensor, layout.dimension) if isinstance(layout, Sliced) else layout for layout in (before, after)
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
