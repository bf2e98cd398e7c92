"""Prices of operations and conversions on a mesh, given the sharding ratios of each axis.

If several axes shard one dimension, the first divides the dimension and the next one its blocks. A collective runs
along one axis in all groups at once; it is priced for the group that holds the most bytes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import Mesh, one_axis
from p2smt.spmd.devices.network import PICO, CollectivePrice
from p2smt.spmd.devices.shares import Parts as Shared
from p2smt.spmd.devices.shares import Shares, even
from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.conversion_price import conversion_price
from p2smt.spmd.model.divisions import Divisions, Rules
from p2smt.spmd.model.graph import Graph, Node
from p2smt.spmd.model.kernel_pricing import kernel_times, least_work, parts_of_devices, work_of
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Replicated, Sliced


@dataclass(frozen=True)
class Pricing(Divisions):
    """Prices for a program, a mesh, and the sharding ratios of every axis.

    If `mirrored` names two adjacent axes of equal size, either may be the outer one where both shard a dimension; such
    prices are for bounds only.
    """

    mirrored: tuple[int, int] | None = None
    _conversions: dict[tuple[object, ...], CollectivePrice | None] = field(
        default_factory=dict, compare=False, repr=False
    )

    def segment(self, _tensor: int) -> int:
        """Return the program segment of a tensor; always 0 here, because the ratios are the same everywhere."""
        return 0

    def sizes(self, tensor: int, layouts: Layouts, axis: int) -> tuple[int, ...]:
        """Return the lengths of an axis's blocks, within each block of the outer axes that shard the same dimension.

        There is one length per combination of coordinates on these axes.
        """
        layout = layouts[axis]
        assert isinstance(layout, Sliced)
        count = self.count(tensor, layout.dimension)
        granule = self.graph.tensors[tensor].shape[layout.dimension] // count
        axes = tuple([number for number in range(axis + 1) if layouts[number] == layout])
        return tuple([granule * atoms for atoms in self.atoms(count, axes)])

    def device_bytes(self, tensor: int, layouts: Layouts) -> tuple[int, ...]:
        """Return the bytes of a tensor on each device in a layout."""
        whole = self.graph.tensors[tensor].bytes
        division = self.of_tensor(tensor, layouts)
        if not division:
            return (whole,) * len(self.cluster.devices)
        return tuple(int(whole * part) for part in self.rank_parts(division))

    def stored_bytes(self, tensor: int, layouts: Layouts) -> tuple[int, ...]:
        """Return the bytes of a source on each device; for inputs on machines, those on one device of each machine."""
        held, inside = self.device_bytes(tensor, layouts), self.cluster.inside
        source = self.graph.tensors[tensor].source
        if inside is None or source is None or source.kind is not SourceKind.INPUT:
            return held
        # A machine's devices share its inputs evenly; the fullest of them has the part that is rounded up.
        return tuple(-(-size // count) for size, count in zip(held, inside.counts, strict=True))

    def summed_inside(self, tensor: int) -> bool:
        """True if each machine reduces the tensor's gradient among its devices: for trained parameters."""
        source = self.graph.tensors[tensor].source
        if self.cluster.inside is None or source is None or source.kind is not SourceKind.PARAMETER:
            return False
        return any(version.state == tensor for version in self.graph.versions)

    def inside(self, tensor: int, layouts: Layouts) -> int:
        """Return the picoseconds of that reduction for a parameter stored in a layout; 0 if there is none."""
        inside = self.cluster.inside
        if inside is None or not self.summed_inside(tensor):
            return 0
        return inside.all_reduce(max(self.device_bytes(tensor, layouts)))

    def computation(self, node: Node, rules: Rules) -> Mapping[tuple[Fraction, int], int]:
        """Return the number of devices for each pair of work fraction and speed."""
        division = self.divided(node, rules)
        if division not in self.computing.counts:
            self.computing.counts[division] = Counter(zip(self.rank_parts(division), self.cluster.speeds, strict=True))
        return self.computing.counts[division]

    def work(self, node: Node) -> tuple[Fraction, int]:
        """Return an operation's divisible work, and the work of every device; by rooflines these are lower bounds."""
        if node.kind not in self.computing.works and self.cluster.models:
            self.computing.works[node.kind] = least_work(self, work_of(self.graph, node))
        if node.kind not in self.computing.works:
            efforts = self.cluster.efforts
            work = efforts.work(node.operation, node.flops, node.signature)
            self.computing.works[node.kind] = work, efforts.begin(node.operation)
        return self.computing.works[node.kind]

    def slowest(self, node: Node, rules: Rules) -> int:
        """Return the picoseconds until the last device has finished an operation, rounded up."""
        if self.cluster.models:
            return max([time for time, _ in self.times(node, rules)])
        work, begin = self.work(node)
        key = (work, begin, self.divided(node, rules))
        if key not in self.computing.slowest:
            times = ((work * part + begin) * PICO / speed for part, speed in self.computation(node, rules))
            # Rounded up, of exact fractions: no device takes longer than what is charged.
            self.computing.slowest[key] = -int(-max(times) // 1)
        return self.computing.slowest[key]

    def times(self, node: Node, rules: Rules) -> Mapping[tuple[int, int], int]:
        """Return the number of devices for each pair of roofline time in picoseconds and speed."""
        cut, computing = self.of_work(node, rules), self.computing
        if node.kind not in computing.kernels:
            # operations that differ in a number only, such as the rates of an optimizer, are the same work
            numbers = computing.kernel_numbers
            computing.kernels[node.kind] = numbers.setdefault(work_of(self.graph, node), len(numbers))
        key = (computing.kernels[node.kind], cut)
        if key not in computing.times:
            if cut not in computing.devices:
                computing.devices[cut] = parts_of_devices(self, cut)
            computing.times[key] = kernel_times(self.cluster, work_of(self.graph, node), computing.devices[cut])
        return computing.times[key]

    def conversion(self, tensor: int, before: Layouts, after: Layouts) -> CollectivePrice | None:
        """Return the price of a conversion along one axis; None if no single conversion leads to the other layout."""
        changed = [axis for axis, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        if len(changed) != 1:
            return None
        return self.conversion_along(changed[0], tensor, before, after)

    def conversion_along(self, axis: int, tensor: int, before: Layouts, after: Layouts) -> CollectivePrice | None:
        """Return the price of a conversion between layouts that differ on this axis alone; None if there is none."""
        key = (self.graph.tensors[tensor].bytes, axis, *_renamed(self.cut(tensor), (*before, after[axis])))
        if key not in self._conversions:
            self._conversions[key] = self._converted(tensor, axis, before, after)
        return self._conversions[key]

    def _converted(self, tensor: int, axis: int, before: Layouts, after: Layouts) -> CollectivePrice | None:
        old, new = before[axis], after[axis]
        further_in = before[axis + 1 :]
        partner = self.mirrored[1] if self.mirrored is not None and axis == self.mirrored[0] else None
        # only Sliced: what further axes have cut stays where it is, so that what is around it cannot move
        stays = [each for number, each in enumerate(before) if number > axis and number != partner]
        if any(isinstance(each, Sliced) and each in (old, new) for each in stays):
            return None
        bytes_ = self.graph.tensors[tensor].bytes
        # The other axes leave each group a block; the group with the largest one takes longest, and all are waited for.
        others = (*before[:axis], Replicated(), *further_in)
        for count, axes in self.of_tensor(tensor, others):
            bytes_ = bytes_ * max(self.atoms(count, axes)) // count

        def parts(dimension: int) -> Shared:
            around = range(axis) if partner is None else (*range(axis), partner)
            outer = tuple([number for number in around if before[number] == Sliced(dimension)])
            return self.parts(max(self.atoms(self.count(tensor, dimension), outer)), axis)

        return conversion_price(self.mesh.axes[axis].network, old, new, bytes_, parts)


def on_one_axis(graph: Graph, classes: Classes, cluster: Cluster, shares: Shares) -> Pricing:
    """Return prices for a single axis over all devices."""
    return Pricing(graph, classes, one_axis(cluster), (shares,))


def in_even_shares(graph: Graph, classes: Classes, mesh: Mesh) -> Pricing:
    """Return prices on a mesh with even ratios along all axes."""
    return Pricing(graph, classes, mesh, tuple(even(size) for size in mesh.sizes))


def _renamed(cut: Sequence[int], layouts: Layouts) -> list[object]:
    """Return layouts with dimensions renumbered in order of occurrence, and their atoms (`cut`): the key of a price."""
    numbers: dict[int, int] = {}
    found: list[object] = []
    for layout in layouts:
        if isinstance(layout, Sliced):
            found += (numbers.setdefault(layout.dimension, len(numbers)), cut[layout.dimension])
        else:
            found.append(layout)
    return found
