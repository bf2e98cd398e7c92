"""Test values that are easy to follow by hand, for counterexamples."""

import numpy as np

from p2smt.tensor.dtype import DType
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array
from p2smt.tensor.reals import Reals


class WholeNumbers(Reals):
    """Draws integers from 1 to 9, and partial values that are integers as well."""

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Return random values; integer types and BOOL as in `Reals`."""
        if dtype in (DType.I32, DType.I64, DType.BOOL):
            return super().random(shape, dtype)
        return self._random.integers(1, 10, shape).astype(np.float64)

    def summands(self, reduction: ReductionOp, array: Array, count: int) -> list[Array]:
        """Return `count` random arrays whose reduction is this array."""
        if reduction is not ReductionOp.SUM:  # only: others are as over the reals
            return super().summands(reduction, array, count)
        others = [self._random.integers(1, 10, array.shape).astype(np.float64) for _ in range(count - 1)]
        return [*others, array - sum(others)]
