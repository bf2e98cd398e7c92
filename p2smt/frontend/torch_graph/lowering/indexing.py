"""Indices that are tensors: `x[i]`, `x[:, i, j]`, `x[mask] = 0`, and adding at them.

The dimensions that are indexed come first, as one, at which rows are looked up: entry (i, j) of lengths (m, n) is row
i * n + j. Masks and tables are often looked up at a grid of indices that count up; that is a view of slices.

Example: `x[:, [0, 2]]` of shape 3 x 4 is x transposed, rows 0 and 2 of it, transposed back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.graph import Reference
from p2smt.frontend.torch_graph.lowering.constants import constant
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula, is_number
from p2smt.frontend.torch_graph.lowering.indices import one_hot, picked, put, put_back, taken
from p2smt.frontend.torch_graph.lowering.moves import sliced
from p2smt.frontend.torch_graph.lowering.sources import filled
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.tensor.program import DType
from p2smt.tensor.signature import Shape


@dataclass(frozen=True, slots=True)
class _Index:
    """Indices along a dimension, with their elements if those are known."""

    dim: int
    view: View
    elements: npt.NDArray[np.float64] | None


class _Lookup:
    """Which dimensions of a tensor of some shape are indexed, and by what."""

    def __init__(self, emission: Emission, call: AtenCall, shape: Shape, indices: Sequence[_Index]) -> None:
        self.emission, self.call, self.shape, self.indices = emission, call, shape, indices
        self.dims = [each.dim for each in indices]
        self.rest = [dim for dim in range(len(shape)) if dim not in self.dims]
        self.wide: Shape = np.broadcast_shapes(*(each.view.shape for each in indices))
        beside = self.dims == list(range(self.dims[0], self.dims[0] + len(self.dims)))
        self.at = self.dims[0] if beside else 0
        """Where the dimensions of the indices stand in what is looked up: in place, or first."""

    def rows(self, view: View) -> View:
        """What is indexed as rows."""
        moved = permuted(view, (*self.dims, *self.rest))
        return self.emission.reshaped(moved, (self.count, prod(self.shape[dim] for dim in self.rest)))

    @property
    def count(self) -> int:
        """How many rows there are."""
        return prod(self.shape[dim] for dim in self.dims)

    def whole(self, rows: View) -> View:
        """Rows as what is indexed."""
        order = (*self.dims, *self.rest)
        split = self.emission.reshaped(rows, tuple(self.shape[dim] for dim in order))
        return permuted(split, tuple(order.index(dim) for dim in range(len(order))))

    def found(self, rows: View) -> View:
        """Looked up rows as the result."""
        lengths = tuple(self.shape[dim] for dim in self.rest)
        split = self.emission.reshaped(rows, (*self.wide, *lengths))
        own, rest = list(range(len(self.wide))), list(range(len(self.wide), len(self.wide) + len(lengths)))
        return permuted(split, (*rest[: self.at], *own, *rest[self.at :]))

    def values(self, view: View) -> View:
        """What has the shape of a result as rows at the indices."""
        lengths = tuple(self.shape[dim] for dim in self.rest)
        shape = (*lengths[: self.at], *self.wide, *lengths[self.at :])
        view = view.repeated(shape)
        own = range(self.at, self.at + len(self.wide))
        moved = permuted(view, (*own, *(dim for dim in range(len(shape)) if dim not in own)))
        return self.emission.reshaped(moved, (*self.wide, prod(lengths)))

    def known(self) -> npt.NDArray[np.float64] | None:
        """The number of the row at every index, where all are known."""
        number = np.zeros(self.wide)
        for each in self.indices:
            if each.elements is None:
                return None
            length = self.shape[each.dim]
            number = number * length + np.where(each.elements < 0, each.elements + length, each.elements)
        return number

    def linear(self) -> View:
        """The same as a view; negative indices count from the end."""
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

    def _from_start(self, index: _Index, length: int) -> View:
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
        """For x[arange(rows), columns] the columns, one for every row; None for other indices."""
        if len(self.shape) != 2 or len(self.indices) != 2 or len(self.wide) != 1:
            return None
        rows, columns = self.indices
        counted = rows.elements is not None and np.array_equal(rows.elements, np.arange(self.shape[0]))
        if not counted or columns.view.shape != self.shape[:1] or columns.elements is not None:
            return None
        return self._from_start(columns, self.shape[1])

    def are_distinct(self) -> bool:
        """Whether no row is meant twice."""
        known = self.known()
        if known is not None:
            return len(np.unique(known)) == known.size
        (first, *others) = self.indices
        in_order = self.emission.comes_from(first.view.expression, "topk_indices")
        return in_order and not others and len(first.view.shape) == 1 and first.view.is_plain

    def grid(self, view: View) -> View | None:
        """What is looked up as a view, where every index counts up along a dimension of its own."""
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
        """Each indexed dimension at its axis; those without one, of length 1, are dropped."""
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


def _lookup(emission: Emission, call: AtenCall, position: int) -> _Lookup | View:
    """What a list of indices means; a mask if that is one, which takes as many dimensions as it has."""
    listed = call.node.arguments[position]
    if not isinstance(listed, list):
        raise call.refused("its indices are no list")
    found, dim = [], 0
    for item in listed:
        if item is None:
            dim += 1
            continue
        view = call.viewed(item)
        if view is None or view.dtype not in (DType.I32, DType.I64):
            if (
                view is not None
                and view.dtype is DType.BOOL
                and len([each for each in listed if each is not None]) == 1
                and dim == 0
            ):
                return view
            raise call.refused("which elements there are depends on values of tensors; use torch.where, or multiply "
                               "with the mask")  # fmt: skip
        elements = call.memory.elements.get(item) if isinstance(item, Reference) else None
        found.append(_Index(dim, view, elements))
        dim += 1
    return _Lookup(emission, call, call.view(0).shape, found)


def _index(emission: Emission, call: AtenCall) -> View:
    lookup = _lookup(emission, call, 1)
    if isinstance(lookup, View):
        raise call.refused("which elements there are depends on values of tensors; use torch.where, or multiply with "
                           "the mask")  # fmt: skip
    grid = lookup.grid(call.view(0))
    if grid is not None:
        return grid
    if (column := lookup.column()) is not None:
        return picked(emission, call.view(0), column)
    return lookup.found(taken(emission, lookup.rows(call.view(0)), lookup.linear()))


def _along(emission: Emission, call: AtenCall) -> _Lookup:
    """The lookup of `index_select` and `index_add`, along one dimension."""
    argument = call.argument(2)
    elements = call.memory.elements.get(argument) if isinstance(argument, Reference) else None
    view = call.view(2)
    view = view if view.shape else emission.reshaped(view, (1,))
    dim = call.dim(1, len(call.view(0).shape))
    return _Lookup(
        emission, call, call.view(0).shape, [_Index(dim, view, None if elements is None else np.atleast_1d(elements))]
    )


def _index_select(emission: Emission, call: AtenCall) -> View:
    lookup = _along(emission, call)
    return lookup.grid(call.view(0)) or lookup.found(taken(emission, lookup.rows(call.view(0)), lookup.linear()))


def _added(emission: Emission, call: AtenCall, lookup: _Lookup, values: View) -> View:
    into = call.view(0)
    made = lookup.whole(put(emission, lookup.values(values), lookup.linear(), lookup.count))
    return made if is_number(into, 0) else formula(emission, call).of("add", into, made)


def _index_put(emission: Emission, call: AtenCall) -> View:
    into, values, adds = call.view(0), call.view(2), call.argument(3, "accumulate") is True
    lookup = _lookup(emission, call, 1)
    one = not values.sizes or prod(values.sizes) == 1
    if isinstance(lookup, View):
        if not one or adds:
            raise call.refused("how many elements are written depends on values of tensors; use torch.where")
        return _where_true(emission, call, lookup, values)
    if values.dtype is None:
        values = replace(values, dtype=call.dtype)
    if (column := lookup.column()) is not None:
        return _put_in_column(emission, call, column, values, adds)
    if adds:
        return _added(emission, call, lookup, values)
    if not one and not lookup.are_distinct():
        raise call.refused("writing at indices that may be the same is not in the language; adding would be")
    index = lookup.linear()
    if is_number(into, 0) and lookup.are_distinct():
        return lookup.whole(put(emission, lookup.values(values), index, lookup.count))
    ones = filled(1, (*lookup.wide, 1), DType.F32)
    hits = emission.reshaped(put(emission, ones, index, lookup.count), (lookup.count,))
    there = Formula(emission, DType.BOOL, (lookup.count, 1)).of("gt", with_one(hits, 1), 0)
    tail = prod(lookup.shape[dim] for dim in lookup.rest)
    there = lookup.whole(emission.whole(there.repeated((lookup.count, tail))))
    if one:
        return _chosen(emission, call, there, _number(emission, values))
    placed = lookup.whole(put(emission, lookup.values(values), index, lookup.count))
    return _chosen(emission, call, there, placed)


def _put_in_column(emission: Emission, call: AtenCall, column: View, values: View, adds: bool) -> View:
    """Into one column of every row."""
    into = call.view(0)
    made = put_back(emission, values.repeated(column.shape), column, call.shape[1])
    if adds:
        return made if is_number(into, 0) else formula(emission, call).of("add", into, made)
    return _chosen(emission, call, one_hot(emission, column, call.shape[1], DType.BOOL), made)


def _chosen(emission: Emission, call: AtenCall, there: View, values: View) -> View:
    return formula(emission, call).of("where", there, values, call.view(0))


def _where_true(emission: Emission, call: AtenCall, mask: View, values: View) -> View:
    """One number where a mask of the first dimensions is true."""
    for _ in range(len(call.shape) - len(mask.shape)):
        mask = with_one(mask, len(mask.shape))
    return _chosen(emission, call, mask, _number(emission, values))


def _number(emission: Emission, values: View) -> View:
    """The one element as a tensor without dimensions."""
    return emission.reshaped(values.repeated(values.packed), ()) if values.sizes else values.repeated(())


def _index_add(emission: Emission, call: AtenCall) -> View:
    values, alpha = call.view(3), call.real(4, "alpha", 1.0)
    if alpha != 1:
        values = Formula(emission, call.dtype, values.shape).of("mul", values, alpha)
    return _added(emission, call, _along(emission, call), values)


INDEXING: Mapping[str, Handler] = {
    "index": _index, "_unsafe_index": _index, "index_select": _index_select, "index_put": _index_put,
    "_index_put_impl": _index_put, "_unsafe_index_put": _index_put, "index_add": _index_add,
}  # fmt: skip
