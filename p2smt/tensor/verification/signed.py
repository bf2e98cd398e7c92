"""Values of both signs, which show what does nothing to positive ones."""

import numpy as np

from p2smt.tensor.operation import Array
from p2smt.tensor.program import DType
from p2smt.tensor.reals import Reals


class SignedReals(Reals):
    """Numbers between -0.9 and 0.9; where a value is none, as a root of a negative number, nothing is said."""

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Any values; of whole-number types and BOOL as over the reals."""
        made = super().random(shape, dtype)
        if dtype in (DType.I32, DType.I64, DType.BOOL):
            return made
        return np.where(self._random.random(shape) < 0.5, made, -made)

    def equal(self, left: Array, right: Array) -> bool:
        """To 1e-8 of the larger of 1 and the values, where both are numbers."""
        if left.shape != right.shape:
            return False
        known = ~(np.isnan(left) | np.isnan(right))
        return super().equal(np.where(known, left, 0), np.where(known, right, 0))
