"""Tensors with known elements, written with as few statements as their regularity allows.

Forms are tried in this order: one number everywhere; equal along a dimension, which is then repeated; arithmetic
progressions along dimensions; constant along diagonals (a row looked up at index differences); else a
concatenation of runs that each count up by one or are constant.

    element[i, j, ...] = c,   or f[j, ...] without i,   or a + b i + ...,   or f[i - j],   or runs of c and of c + k.

Complexity: O(elements) for each form.
Reference: Golomb, "Run-length encodings", 1966.

Example: [[0, 1, 2], [0, 1, 2]] is the progression 0, 1, 2, repeated; [5, 5, 5, 7] consists of two runs.
"""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast
from p2smt.frontend.torch_graph.lowering.moves import joined_along
from p2smt.frontend.torch_graph.lowering.sources import counted, filled
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call

_Values = npt.NDArray[np.float64]
_MOST_RUNS = 4096
_FEW_RUNS = 48


def uniform(values: _Values) -> float | None:
    """Return the number that all elements equal, else None."""
    if not values.size or not np.all(values == values.flat[0]):
        return None
    return float(values.flat[0])


def constant(emission: Emission, call: AtenCall, values: _Values, dtype: DType) -> View:
    """Return a view of known elements. CaptureError if they are NaN, or too many and too irregular."""
    if np.isnan(values).any():
        raise call.refused("it is a constant with elements that are NaN")
    if (same := uniform(values)) is not None:
        return filled(_number(same, dtype), values.shape, dtype)
    short = values[tuple(slice(0, 1) if _is_repeated(values, dim) else slice(None) for dim in range(values.ndim))]
    made = _counting(emission, call, short, dtype)
    if made is None:
        made = _listed(emission, call, short, dtype)
    return made.repeated(values.shape)


def _number(value: float, dtype: DType) -> float:
    return value if dtype in FLOATS or not np.isfinite(value) else int(value)


def _is_repeated(values: _Values, dim: int) -> bool:
    return bool(np.all(values == np.take(values, [0], dim)))


def _counting(emission: Emission, call: AtenCall, values: _Values, dtype: DType) -> View | None:
    """An arithmetic progression along every dimension (start plus step times index), else None."""
    # Only integers: fractions would be rounded differently from the elements that PyTorch computed.
    if dtype is DType.BOOL or not np.all(values == np.trunc(values)):
        return None
    start, expected = values.flat[0], np.full(values.shape, values.flat[0])
    steps = []
    for dim, length in enumerate(values.shape):
        step = float(np.take(values, 1, dim).flat[0] - start) if length > 1 else 0.0
        steps.append(step)
        expected = expected + step * np.arange(length).reshape(
            [-1 if each == dim else 1 for each in range(values.ndim)]
        )
    # Steps were read off one row per dimension: compare with all elements.
    if not np.array_equal(values, expected):
        return None
    result = number(_number(float(start), dtype))
    for dim, (step, length) in enumerate(zip(steps, values.shape, strict=True)):
        if not step:
            continue
        view = counted(emission, call, length, dtype)
        for _ in range(values.ndim - dim - 1):
            view = with_one(view, len(view.shape))
        shape = tuple(n if steps[at] and at <= dim else 1 for at, n in enumerate(values.shape))
        scaled = Formula(emission, dtype, view.shape).of("mul", view, _number(step, dtype))
        result = Formula(emission, dtype, shape).of("add", scaled, result)
    return result


def _listed(emission: Emission, call: AtenCall, values: _Values, dtype: DType) -> View:
    flat = values.ravel()
    runs = _runs(flat)
    if len(runs) > _FEW_RUNS and (made := _diagonal(emission, call, values, dtype)) is not None:
        return made
    if len(runs) > _MOST_RUNS:
        raise call.refused(
            f"its {flat.size} elements are known, but too many and too irregular to be written down; "
            "register the tensor as a buffer"
        )
    parts = [_run(emission, call, flat[start:stop], dtype) for start, stop in runs]
    return emission.reshaped(joined_along(emission, parts, 0), values.shape)


def _runs(flat: _Values) -> list[tuple[int, int]]:
    """Runs of equal elements, or, for integers, of elements that count up by one."""
    found, start = [], 0
    while start < flat.size:
        stop = start + 1
        if stop < flat.size:
            step = flat[stop] - flat[start]
            if step == 0 or (step == 1 and flat[start] == np.trunc(flat[start])):
                while stop < flat.size and flat[stop] - flat[stop - 1] == step:
                    stop += 1
        if stop - start == 2 and flat[start] != flat[start + 1]:
            stop = start + 1
        found.append((start, stop))
        start = stop
    assert all(first[1] == second[0] for first, second in pairwise(found))
    return found


def _run(emission: Emission, call: AtenCall, values: _Values, dtype: DType) -> View:
    if (same := uniform(values)) is not None:
        return filled(_number(same, dtype), values.shape, dtype)
    view = counted(emission, call, values.size, dtype)
    return Formula(emission, dtype, view.shape).of("add", view, _number(float(values[0]), dtype))


def _diagonal(emission: Emission, call: AtenCall, values: _Values, dtype: DType) -> View | None:
    """A Toeplitz table (constant along diagonals) in the last two dimensions, else None."""
    if values.ndim < 2 or values.size != values.shape[-1] * values.shape[-2]:
        return None
    rows, columns = values.shape[-2:]
    table = values.reshape((rows, columns))
    # Toeplitz matrices, t[i + 1, j + 1] = t[i, j], are determined by first column and first row.
    if min(rows, columns) < 2 or not np.array_equal(table[1:, 1:], table[:-1, :-1]):
        return None
    # The vector v with t[i, j] = v[rows - 1 - i + j]: the first column upwards, then the first row.
    along = np.concatenate([table[::-1, 0], table[0, 1:]])
    wide = DType.F32 if dtype is DType.BOOL else dtype
    row = with_one(_listed(emission, call, along, wide), 1)
    below = Formula(emission, DType.I64, (rows, 1)).of(
        "sub", rows - 1, with_one(counted(emission, call, rows, DType.I64), 1)
    )
    index = emission.whole(
        Formula(emission, DType.I64, table.shape).of("add", counted(emission, call, columns, DType.I64), below)
    )
    whole = emission.whole(row)
    looked = emission.statement(
        Call("embedding", (whole.expression, index.expression)), wide, (rows, columns, 1), ((0,), (1,), (2,))
    )
    made = emission.reshaped(looked, values.shape)
    return (
        Formula(emission, DType.BOOL, made.shape).of("gt", made, 0)
        if dtype is DType.BOOL
        else cast(emission, made, dtype)
    )
