"""`as_strided`: elements of a tensor's memory at given strides, where the tensor owns all of that memory.

A dense operand, with its dimensions in the order of decreasing strides, is its memory. A dense result is that
memory reshaped and permuted; any other result is a lookup at i * stride_i + ..., with indices computed in the
program.

    result[i, j, ...] = memory[offset + i * stride_i + j * stride_j + ...].

Complexity: O(dimensions log dimensions) to decide.
Reference: Harris et al., "Array programming with NumPy", 2020 (arrays by strides).

Example: a 2 x 3 matrix with strides 1 and 2 is the memory of its transpose, row by row.
"""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.constants import constant
from p2smt.frontend.torch_graph.lowering.formula import Formula
from p2smt.frontend.torch_graph.lowering.indices import put, taken
from p2smt.frontend.torch_graph.lowering.moves import sliced
from p2smt.frontend.torch_graph.lowering.sources import filled
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.tensor.dtype import DType
from p2smt.tensor.signature import Shape

STRIDES, OFFSET = "strides_of_operand", "offset_of_operand"
"""Pseudo-arguments in which recorded calls carry the strides and the offset of their first operand."""


def _dense(shape: Shape, strides: Sequence[int]) -> tuple[int, ...] | None:
    """The order of dimensions in memory, if the elements fill it without gaps; else None."""
    # Dimensions of length 1 can have any stride: they go last, where they do not matter.
    order = sorted(range(len(shape)), key=lambda dim: (shape[dim] == 1, -strides[dim]))
    step = 1
    for dim in reversed(order):
        if shape[dim] > 1 and strides[dim] != step:
            return None
        step *= shape[dim]
    return tuple(order)


class _Memory:
    """The memory of the first operand as a flat view."""

    def __init__(self, emission: Emission, call: AtenCall) -> None:
        self._emission, self._call = emission, call
        self._shape = call.view(0).shape
        order = _dense(self._shape, call.wholes(99, STRIDES))
        if order is None or call.whole(99, OFFSET):
            raise call.refused("it reads memory outside of its operand, which is a view of a larger tensor; use slices")
        self._order = order
        self.flat = emission.reshaped(permuted(call.view(0), order), (prod(self._shape),))

    def as_operand(self, flat: View) -> View:
        """The flat memory reshaped to the operand."""
        split = self._emission.reshaped(flat, tuple(self._shape[dim] for dim in self._order))
        return permuted(split, tuple(self._order.index(dim) for dim in range(len(self._order))))


def _places(shape: Shape, strides: Sequence[int], offset: int) -> npt.NDArray[np.float64]:
    places = np.full(shape, float(offset))
    for dim, stride in enumerate(strides):
        places = places + stride * np.arange(shape[dim]).reshape(
            [-1 if each == dim else 1 for each in range(len(shape))]
        )
    return places


def _asked(call: AtenCall, first: int) -> tuple[Shape, Shape, int]:
    size, stride = call.wholes(first), call.wholes(first + 1)
    return size, stride, call.whole(first + 2, "storage_offset", 0)


def _as_strided(emission: Emission, call: AtenCall) -> View:
    memory = _Memory(emission, call)
    size, strides, offset = _asked(call, 1)
    order = _dense(size, strides)
    if order is None:
        index = constant(emission, call, _places(size, strides, offset), DType.I64)
        return emission.reshaped(taken(emission, with_one(memory.flat, 1), index), size)
    part = sliced(emission, memory.flat, 0, offset, offset + prod(size))
    split = emission.reshaped(part, tuple(size[dim] for dim in order))
    return permuted(split, tuple(order.index(dim) for dim in range(len(order))))


def _as_strided_scatter(emission: Emission, call: AtenCall) -> View:
    memory = _Memory(emission, call)
    size, strides, offset = _asked(call, 2)
    source, places = call.view(1), _places(size, strides, offset)
    order, length = _dense(size, strides), memory.flat.shape[0]
    if order is not None and offset == 0 and prod(size) == length:
        return memory.as_operand(emission.reshaped(permuted(source, order), (length,)))
    if len(np.unique(places)) < places.size:
        raise call.refused("it writes some elements of memory more than once")
    index = constant(emission, call, places, DType.I64)
    rows = with_one(source, len(source.shape))
    placed = emission.reshaped(put(emission, rows, index, length), (length,))
    ones = filled(1, (*size, 1), call.dtype)
    hits = emission.reshaped(put(emission, ones, index, length), (length,))
    there = Formula(emission, DType.BOOL, (length,)).of("gt", hits, 0)
    return memory.as_operand(Formula(emission, call.dtype, (length,)).of("where", there, placed, memory.flat))


STRIDED: Mapping[str, Handler] = {"as_strided": _as_strided, "as_strided_scatter": _as_strided_scatter}
