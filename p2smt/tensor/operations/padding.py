"""Padding with zeros that keeps Python integers; `np.pad` would convert them to 64 bits."""

import numpy as np

from p2smt.tensor.operation import Array


def padded(array: Array, widths: list[tuple[int, int]]) -> Array:
    """Return the array padded with zeros; `widths` has the counts before and after each dimension."""
    shape = tuple(before + length + after for (before, after), length in zip(widths, array.shape, strict=True))
    result: Array = np.zeros(shape, dtype=array.dtype)
    inside = (slice(before, before + length) for (before, _), length in zip(widths, array.shape, strict=True))
    result[tuple(inside)] = array
    return result
