"""Local sizes of a tensor on each rank of a mesh, and prices of converting it along an axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.spmd.devices.network import CollectivePrice, NetworkModel
from p2smt.spmd.devices.shares import Parts, parts_of
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Partial, Replicated, Sliced
from p2smt.tensor.placing import cutting
from p2smt.tensor.signature import Shape
from p2smt.tensor.way import Way

Numbers = npt.NDArray[np.int64]
"""One number per rank; the last mesh axis varies fastest."""


@dataclass(frozen=True, slots=True)
class ConvertedTensor:
    """A tensor whose layouts change: `shape` is its global shape, `size` the bytes of an element."""

    before: Layouts
    after: Layouts
    shape: Shape
    size: int


def _without(layouts: Layouts, axis: int) -> Layouts:
    """Return the layouts with one axis replicated."""
    return (*layouts[:axis], Replicated(), *layouts[axis + 1 :])


@dataclass(frozen=True, slots=True)
class MeshRanks:
    """The ranks of a mesh whose axes have these sizes."""

    sizes: tuple[int, ...]

    @property
    def count(self) -> int:
        """Return the number of ranks."""
        return prod(self.sizes)

    def lengths(self, layouts: Layouts, shape: Shape, dimension: int) -> Numbers:
        """Return the local length of a dimension on each rank."""
        axes = cutting(layouts, dimension)
        if not axes:
            return np.full(self.count, shape[dimension], dtype=np.int64)
        innermost = layouts[axes[-1]]
        # only Partial, Replicated, Sliced: the search chooses among replicated, sliced and partial
        assert isinstance(innermost, Sliced)
        assert innermost.sizes is not None
        coordinates = np.indices(self.sizes).reshape(len(self.sizes), self.count)
        block = np.zeros(self.count, dtype=np.int64)
        for axis in axes:
            # The number of a rank's block, if several axes cut one dimension: mixed radix, the outermost axis first.
            block = block * self.sizes[axis] + coordinates[axis]
        return np.array(innermost.sizes, dtype=np.int64)[block]

    def elements(self, layouts: Layouts, shape: Shape) -> Numbers:
        """Return the number of local elements on each rank."""
        total = np.ones(self.count, dtype=np.int64)
        for dimension in range(len(shape)):
            total = total * self.lengths(layouts, shape, dimension)
        return total

    def price_together(self, network: NetworkModel, tensors: Sequence[ConvertedTensor], axis: int) -> CollectivePrice:
        """Price of conversions of the same kind along an axis as one call; bytes and per-rank parts are summed.

        Every group is priced as the largest one.
        """
        held = sum(
            (self.elements(_without(each.before, axis), each.shape) * each.size for each in tensors),
            np.zeros(self.count, dtype=np.int64),
        )
        # Groups run at once and the largest ends last; its parts are the ones that count.
        group, count = self._group(int(held.argmax()), axis), int(held.max())

        def parts(sides: Sequence[Layouts]) -> Parts:
            of = zip(sides, tensors, strict=True)
            mine = sum((self.elements(side, each.shape) * each.size for side, each in of), np.zeros_like(held))
            return parts_of(mine[group].tolist() if count else [1] * len(group))

        before, after = [each.before for each in tensors], [each.after for each in tensors]
        match before[0][axis], after[0][axis]:
            case Partial(), Replicated():
                return network.all_reduce(count)
            case Partial(), Sliced():
                return network.reduce_scatter(count, parts(after))
            case Sliced(), Replicated():
                return network.all_gather(count, parts(before))
            case Sliced(), Sliced():
                return network.all_to_all(count, parts(before), parts(after))
            case _:
                return CollectivePrice(0, Way.PLAIN)

    def _group(self, rank: int, axis: int) -> Sequence[int]:
        """Return the ranks of the group along an axis that a rank belongs to."""
        stride = prod(self.sizes[axis + 1 :])
        first = rank - ((rank // stride) % self.sizes[axis]) * stride
        return [first + number * stride for number in range(self.sizes[axis])]
