"""Lookups by index tensors, lowered to row lookups in the indexed tensor or to slices."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.frontend.torch_graph.aten_call import AtenCall
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.constants import constant
from p2smt.frontend.torch_graph.lowering.formula import Formula
from p2smt.frontend.torch_graph.lowering.moves import sliced
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.tensor.dtype import DType
from p2smt.tensor.signature import Shape


@dataclass(frozen=True, slots=True)
class Index:
    """Indices along one dimension, with their elements if known."""

    dim: int
    view: View
    elements: npt.NDArray[np.float64] | None


class Lookup:
    """A lookup: the indexed dimensions of a tensor of this shape, and their indices."""

    def __init__(self, emission: Emission, call: AtenCall, shape: Shape, indices: Sequence[Index]) -> None:
        self.emission, self.call, self.shape, self.indices = emission, call, shape, indices
        self.dims = [each.dim for each in indices]
        self.rest = [dim for dim in range(len(shape)) if dim not in self.dims]
        self.wide: Shape = np.broadcast_shapes(*(each.view.shape for each in indices))
        # As in NumPy, adjacent advanced indices keep their place, and separated ones go first.
        beside = self.dims == list(range(self.dims[0], self.dims[0] + len(self.dims)))
        self.at = self.dims[0] if beside else 0
        """The position of the index dimensions in the result: in place of the indexed dimensions, or first."""

    def rows(self, view: View) -> View:
        """The indexed tensor with its indexed dimensions flattened to rows."""
        moved = permuted(view, (*self.dims, *self.rest))
        return self.emission.reshaped(moved, (self.count, prod(self.shape[dim] for dim in self.rest)))

    @property
    def count(self) -> int:
        """The number of rows."""
        return prod(self.shape[dim] for dim in self.dims)

    def whole(self, rows: View) -> View:
        """Return the rows reshaped to the indexed tensor (the inverse of `rows`)."""
        order = (*self.dims, *self.rest)
        split = self.emission.reshaped(rows, tuple(self.shape[dim] for dim in order))
        return permuted(split, tuple(order.index(dim) for dim in range(len(order))))

    def found(self, rows: View) -> View:
        """Return the looked-up rows in the shape of the result."""
        lengths = tuple(self.shape[dim] for dim in self.rest)
        split = self.emission.reshaped(rows, (*self.wide, *lengths))
        own, rest = list(range(len(self.wide))), list(range(len(self.wide), len(self.wide) + len(lengths)))
        return permuted(split, (*rest[: self.at], *own, *rest[self.at :]))

    def values(self, view: View) -> View:
        """Return the elements of a tensor with the result's shape as rows, one per index tuple."""
        lengths = tuple(self.shape[dim] for dim in self.rest)
        shape = (*lengths[: self.at], *self.wide, *lengths[self.at :])
        view = view.repeated(shape)
        own = range(self.at, self.at + len(self.wide))
        moved = permuted(view, (*own, *(dim for dim in range(len(shape)) if dim not in own)))
        return self.emission.reshaped(moved, (*self.wide, prod(lengths)))

    def known(self) -> npt.NDArray[np.float64] | None:
        """Return the row number of every index tuple, if all indices are known."""
        number = np.zeros(self.wide)
        for each in self.indices:
            if each.elements is None:
                return None
            length = self.shape[each.dim]
            number = number * length + np.where(each.elements < 0, each.elements + length, each.elements)
        return number

    def linear(self) -> View:
        """Return the row numbers as a view; negative indices count from the end."""
        known = self.known()
        if known is not None:
            return constant(self.emission, self.call, known, DType.I64)
        result: View | None = None
        for each in self.indices:
            length = self.shape[each.dim]
            view = self._from_start(each, length)
            if result is None:
                result = view
                continue
            made = Formula(self.emission, DType.I64, np.broadcast_shapes(result.shape, view.shape))
            result = made.of("add", made.of("mul", result, length), view)
        assert result is not None
        return result.repeated(self.wide)

    def _from_start(self, index: Index, length: int) -> View:
        view = index.view
        counts = {each.expression for each in self.call.memory.counted.values()}
        if index.elements is not None and index.elements.min(initial=0) >= 0:
            return view
        if view.expression in counts or self.emission.comes_from(view.expression, "topk_indices"):
            return view
        made = Formula(self.emission, view.dtype or DType.I64, view.shape)
        behind = Formula(self.emission, DType.BOOL, view.shape).of("lt", view, 0)
        return made.of("where", behind, made.of("add", view, length), view)

    def column(self) -> View | None:
        """Return the columns of x[arange(rows), columns], one per row; None for other kinds of indices."""
        if len(self.shape) != 2 or len(self.indices) != 2 or len(self.wide) != 1:
            return None
        rows, columns = self.indices
        counted = rows.elements is not None and np.array_equal(rows.elements, np.arange(self.shape[0]))
        if not counted or columns.view.shape != self.shape[:1] or columns.elements is not None:
            return None
        return self._from_start(columns, self.shape[1])

    def are_distinct(self) -> bool:
        """True if no row is selected twice."""
        known = self.known()
        if known is not None:
            return len(np.unique(known)) == known.size
        if any(
            each.elements is not None
            and each.elements.shape == self.wide
            and len(np.unique(each.elements)) == each.elements.size
            for each in self.indices
        ):
            return True
        (first, *others) = self.indices
        # topk returns distinct indices per row, and a vector has a single row.
        in_order = self.emission.comes_from(first.view.expression, "topk_indices")
        return in_order and not others and len(first.view.shape) == 1 and first.view.is_plain

    def grid(self, view: View) -> View | None:
        """Return the result as a view of slices, if every index counts up along its own dimension; else None."""
        axes: list[int] = []
        for each in self.indices:
            elements = each.elements
            if elements is None or not elements.size:
                return None
            long = [at for at, length in enumerate(elements.shape) if length > 1]
            start = int(elements.flat[0])
            axis = (long or [-1])[0] - elements.ndim
            counts = elements.ravel() == np.arange(start, start + elements.size)
            if len(long) > 1 or start < 0 or not counts.all() or (long and axis in axes):
                return None
            view = sliced(self.emission, view, each.dim, start, start + elements.size)
            axes.append(axis if long else 0)
        rank = len(self.wide)
        moved = permuted(view, (*self.dims, *self.rest))
        return self._laid_out(moved, axes, rank)

    def _laid_out(self, moved: View, axes: Sequence[int], rank: int) -> View:
        """Return the sliced dimensions in the order of the result's axes; length-1 ones without axis are dropped."""
        count = len(axes)
        long = [position for position, axis in enumerate(axes) if axis]
        lengths = tuple(self.shape[dim] for dim in self.rest)
        own = tuple(moved.shape[position] for position in long)
        flat = self.emission.reshaped(moved, (*own, *lengths)) if len(long) < count else moved
        order = sorted(range(len(long)), key=lambda each: axes[long[each]])
        flat = permuted(flat, (*order, *range(len(long), len(long) + len(lengths))))
        taken_axes = {axes[position] + rank for position in long}
        for axis in range(rank):
            if axis not in taken_axes:
                flat = with_one(flat, axis)
        flat = flat.repeated((*self.wide, *lengths))
        rest = list(range(rank, rank + len(lengths)))
        return permuted(flat, (*rest[: self.at], *range(rank), *rest[self.at :]))
