"""The reals with more digits than float64 has, to tell a mistake from rounding.

Where numbers cancel each other, as in the gradient of a softmax that is almost 1, float64 leaves noise of the size of
what was cancelled times 1e-16, which no tolerance knows. With 64 digits instead of 53 that noise is 2,000 times less,
and a mistake stays as it is. So a difference is a mistake if it is still there.

Example: (1e9 + x) - 1e9 is x but for 1e-7, and with more digits but for 1e-10.
"""

from collections.abc import Sequence

import numpy as np

from p2smt.tensor.frame import Frame
from p2smt.tensor.layout import Reduction
from p2smt.tensor.operation import Array
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import DType
from p2smt.tensor.reals import Reals


class MoreDigits(Reals):
    """The values that another arithmetic draws, computed in numpy's `longdouble`; where that is float64, as there."""

    def __init__(self, drawn: Reals) -> None:
        super().__init__()
        self._drawn = drawn

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """The result of an operation on one rank's arrays."""
        with np.errstate(all="ignore"):
            return np.asarray(OPERATIONS[operation].numpy([_long(each) for each in arrays], frame), dtype=np.longdouble)

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Any values, as the other arithmetic draws them."""
        return _long(self._drawn.random(shape, dtype))

    def summands(self, reduction: Reduction, array: Array, count: int) -> list[Array]:
        """Any arrays whose reduction is this one."""
        return [_long(each) for each in self._drawn.summands(reduction, array, count)]

    def equal(self, left: Array, right: Array) -> bool:
        """Within the tolerance of the other arithmetic."""
        return self._drawn.equal(left, right)


def _long(array: Array) -> Array:
    return np.asarray(array, dtype=np.longdouble)
