"""Tensor programs over the real numbers, computed as float64 in numpy."""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from p2smt.tensor.dtype import DType
from p2smt.tensor.frame import Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array
from p2smt.tensor.operations import OPERATIONS

TOLERANCE = 1e-8
_PAIRWISE = {ReductionOp.SUM: np.add, ReductionOp.MAX: np.maximum, ReductionOp.MIN: np.minimum}


class Reals:
    """Arithmetic in float64. Casts to floating-point types keep the value; NaN equals NaN."""

    def __init__(self, seed: int = 0) -> None:
        self._random = np.random.default_rng(seed)

    def number(self, value: float) -> Array:
        """Return a scalar array for a literal."""
        return np.array(float(value))

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the result of an operation on one rank's arrays."""
        with np.errstate(all="ignore"):
            return np.asarray(OPERATIONS[operation].numpy(arrays, frame), dtype=np.float64)

    def reduced(self, reduction: ReductionOp, arrays: Sequence[Array]) -> Array:
        """Return the elementwise reduction of arrays of equal shape."""
        with np.errstate(all="ignore"):
            result: Array = reduce(_PAIRWISE[reduction], arrays)
        return result

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Return values from 0.2 to 0.9, for which x and 1 - x have roots; integers below 7; 0 and 1 for BOOL."""
        if dtype in (DType.I32, DType.I64):
            return self._random.integers(0, 7, shape).astype(np.float64)
        if dtype is DType.BOOL:
            return self._random.integers(0, 2, shape).astype(np.float64)
        return self._random.uniform(0.2, 0.9, shape)

    def summands(self, reduction: ReductionOp, array: Array, count: int) -> list[Array]:
        """Return `count` random arrays whose reduction is this array.

        For a maximum, one rank holds each element; the others hold less, or -inf as if they had no elements.
        """
        match reduction:
            case ReductionOp.SUM:
                others = [self._random.uniform(0.2, 0.9, array.shape) for _ in range(count - 1)]
                return [*others, array - sum(others)]
            case ReductionOp.MAX:
                sign = -1
            case ReductionOp.MIN:
                sign = 1
        # Ranks that do not hold the extreme are away from it by some of its size, or have no
        # element at all.
        away = [np.abs(array) * self._random.uniform(0.1, 0.9, array.shape) for _ in range(count)]
        away = [np.where(self._random.random(array.shape) < 0.3, np.inf, each) for each in away]
        winner = self._random.integers(0, count, array.shape)
        return [np.where(winner == rank, array, array + (sign * each)) for rank, each in enumerate(away)]

    def equal(self, left: Array, right: Array) -> bool:
        """True within 1e-8, relative to the larger of 1 and the values."""
        return left.shape == right.shape and bool(np.allclose(left, right, TOLERANCE, TOLERANCE, equal_nan=True))
