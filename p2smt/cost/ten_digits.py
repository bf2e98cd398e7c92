"""How exactly times are compared and kept: sums of the same steps in another order differ in the last bits."""

import numpy as np
from numpy.typing import NDArray


def ten_digits_text(value: float) -> str:
    """The value to ten significant digits.

    >>> ten_digits_text(1 / 3)
    '3.333333333e-01'
    """
    return f"{value:.9e}"


def ten_digits(value: float) -> float:
    """The number nearest to the value to ten significant digits.

    >>> ten_digits(0.1 + 0.2) == 0.3
    True
    """
    return float(ten_digits_text(value))


def each_to_ten_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Every value to ten significant digits; equal values, of which prices have many, are rounded once."""
    different, numbers = np.unique(values, return_inverse=True)
    return np.array([ten_digits(value) for value in different.tolist()])[numbers].reshape(values.shape)
