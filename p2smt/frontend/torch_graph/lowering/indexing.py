"""Tensor indices: `x[i]`, `x[:, i, j]`, `x[mask] = 0`, and accumulation at indices.

The indexed dimensions are moved to the front and flattened to rows, which are looked up: index (i, j) into
lengths (m, n) is row i * n + j. Masks and tables are often indexed by a grid of consecutive indices; this is
lowered to slices.

    x[i, j] = rows(x)[i * n + j],    x[i, j] = v  ->  rows(x) with row i * n + j replaced by v.

Complexity: O(dimensions) statements.
Reference: Harris et al., "Array programming with NumPy", 2020 (advanced indexing).

Example: `x[:, [0, 2]]` of shape 3 x 4 is x transposed, rows 0 and 2 of it, transposed back.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import prod

import numpy as np

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.graph import Reference
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula, is_number
from p2smt.frontend.torch_graph.lowering.indices import one_hot, picked, put, put_back, taken
from p2smt.frontend.torch_graph.lowering.lookup import Index, Lookup
from p2smt.frontend.torch_graph.lowering.sources import filled
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.dtype import DType

_BY_VALUES = "which elements there are depends on values of tensors; use torch.where, or multiply with the mask"


def _lookup(emission: Emission, call: AtenCall, position: int) -> Lookup | View:
    """Return the lookup for a list of indices; a mask indexes as many dimensions as it has."""
    listed = call.node.arguments[position]
    if not isinstance(listed, list):
        raise call.refused("its indices are not a list")
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
            raise call.refused(_BY_VALUES)
        elements = call.memory.elements.get(item) if isinstance(item, Reference) else None
        found.append(Index(dim, view, elements))
        dim += 1
    return Lookup(emission, call, call.view(0).shape, found)


def _index(emission: Emission, call: AtenCall) -> View:
    lookup = _lookup(emission, call, 1)
    if isinstance(lookup, View):
        raise call.refused(_BY_VALUES)
    grid = lookup.grid(call.view(0))
    if grid is not None:
        return grid
    if (column := lookup.column()) is not None:
        return picked(emission, call.view(0), column)
    return lookup.found(taken(emission, lookup.rows(call.view(0)), lookup.linear()))


def _along(emission: Emission, call: AtenCall) -> Lookup:
    """The lookup of `index_select` and `index_add`, along one dimension."""
    argument = call.argument(2)
    elements = call.memory.elements.get(argument) if isinstance(argument, Reference) else None
    view = call.view(2)
    view = view if view.shape else emission.reshaped(view, (1,))
    dim = call.dim(1, len(call.view(0).shape))
    return Lookup(
        emission, call, call.view(0).shape, [Index(dim, view, None if elements is None else np.atleast_1d(elements))]
    )


def _index_select(emission: Emission, call: AtenCall) -> View:
    lookup = _along(emission, call)
    return lookup.grid(call.view(0)) or lookup.found(taken(emission, lookup.rows(call.view(0)), lookup.linear()))


def _added(emission: Emission, call: AtenCall, lookup: Lookup, values: View) -> View:
    into = call.view(0)
    made = lookup.whole(put(emission, lookup.values(values), lookup.linear(), lookup.count))
    return made if is_number(into, 0) else formula(emission, call).of("add", into, made)


def _index_put(emission: Emission, call: AtenCall) -> View:
    into, values, adds = call.view(0), call.view(2), call.argument(3, "accumulate") is True
    lookup = _lookup(emission, call, 1)
    one = not values.sizes or prod(values.sizes) == 1
    if isinstance(lookup, View):
        if not one or adds:
            raise call.refused("the number of elements written depends on values of tensors; use torch.where")
        return _where_true(emission, call, lookup, values)
    if values.dtype is None:
        values = replace(values, dtype=call.dtype)
    if (column := lookup.column()) is not None:
        return _put_in_column(emission, call, column, values, adds)
    if adds:
        return _added(emission, call, lookup, values)
    if not one and not lookup.are_distinct():
        raise call.refused("writing at indices that may repeat is not supported; only adding at them is")
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
    """Write or add values to one column index per row."""
    into = call.view(0)
    made = put_back(emission, values.repeated(column.shape), column, call.shape[1])
    if adds:
        return made if is_number(into, 0) else formula(emission, call).of("add", into, made)
    return _chosen(emission, call, one_hot(emission, column, call.shape[1], DType.BOOL), made)


def _chosen(emission: Emission, call: AtenCall, there: View, values: View) -> View:
    return formula(emission, call).of("where", there, values, call.view(0))


def _where_true(emission: Emission, call: AtenCall, mask: View, values: View) -> View:
    """Write one number wherever a mask over the leading dimensions is true."""
    for _ in range(len(call.shape) - len(mask.shape)):
        mask = with_one(mask, len(mask.shape))
    return _chosen(emission, call, mask, _number(emission, values))


def _number(emission: Emission, values: View) -> View:
    """Return the only element of a tensor as a scalar."""
    return emission.reshaped(values.repeated(values.packed), ()) if values.sizes else values.repeated(())


def _index_add(emission: Emission, call: AtenCall) -> View:
    values, alpha = call.view(3), call.real(4, "alpha", 1.0)
    if alpha != 1:
        values = Formula(emission, call.dtype, values.shape).of("mul", values, alpha)
    return _added(emission, call, _along(emission, call), values)


INDEXING: Mapping[str, Handler] = {
    "index": _index,
    "_unsafe_index": _index,
    "index_select": _index_select,
    "index_put": _index_put,
    "_index_put_impl": _index_put,
    "_unsafe_index_put": _index_put,
    "index_add": _index_add,
}
