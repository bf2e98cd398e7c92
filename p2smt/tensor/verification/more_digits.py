"""Arithmetic with more digits than float64, to tell a mistake from rounding.

After cancellation, as in the gradient of a softmax near 1, float64 has an error of about 1e-16 times the cancelled
values, for which no tolerance is right. With 64 mantissa bits instead of 53 that error is 2,000 times smaller,
while a mistake stays the same. A difference that remains is a mistake.

    error = 2^-53 |cancelled| in float64,    2^-64 |cancelled| here.

Complexity: that of the program in extended precision.
Reference: Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 1.7 (cancellation).

Example: (1e9 + x) - 1e9 differs from x by 1e-7; with more digits, by 1e-10.
"""

from collections.abc import Sequence

import numpy as np

from p2smt.tensor.dtype import DType
from p2smt.tensor.frame import Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.reals import Reals


class MoreDigits(Reals):
    """Arithmetic in numpy's `longdouble` on the values that another arithmetic draws.

    Equals float64 where `longdouble` is float64.
    """

    def __init__(self, drawn: Reals) -> None:
        super().__init__()
        self._drawn = drawn

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the result of an operation on one rank's arrays."""
        with np.errstate(all="ignore"):
            return np.asarray(OPERATIONS[operation].numpy([_long(each) for each in arrays], frame), dtype=np.longdouble)

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Return the random values that the other arithmetic draws."""
        return _long(self._drawn.random(shape, dtype))

    def summands(self, reduction: ReductionOp, array: Array, count: int) -> list[Array]:
        """Return `count` random arrays whose reduction is this array."""
        return [_long(each) for each in self._drawn.summands(reduction, array, count)]

    def equal(self, left: Array, right: Array) -> bool:
        """True within the tolerance of the other arithmetic."""
        return self._drawn.equal(left, right)


def _long(array: Array) -> Array:
    return np.asarray(array, dtype=np.longdouble)
