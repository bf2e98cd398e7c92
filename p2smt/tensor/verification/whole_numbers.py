"""Values that are easy to follow by hand, for counter-examples."""

import numpy as np

from p2smt.tensor.layout import Reduction
from p2smt.tensor.operation import Array
from p2smt.tensor.program import DType
from p2smt.tensor.reals import Reals


class WholeNumbers(Reals):
    """Whole numbers from 1 to 9 to begin with, and summands that are whole numbers as well."""

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Any values; of whole-number types and BOOL as over the reals."""
        if dtype in (DType.I32, DType.I64, DType.BOOL):
            return super().random(shape, dtype)
        return self._random.integers(1, 10, shape).astype(np.float64)

    def summands(self, reduction: Reduction, array: Array, count: int) -> list[Array]:
        """Any arrays whose reduction is this one."""
        if reduction is not Reduction.SUM:  # only: others are as over the reals
            return super().summands(reduction, array, count)
        others = [self._random.integers(1, 10, array.shape).astype(np.float64) for _ in range(count - 1)]
        return [*others, array - sum(others)]
