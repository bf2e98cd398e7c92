"""Comparison of times to ten digits: sums of the same steps in another order differ in the last bits."""

import numpy as np
from numpy.typing import NDArray

_DOUBT = 1e-4
"""A margin around halves that exceeds the rounding error of a product with ten digits before the point."""

_POWERS_OF_TEN = np.array([float(10**power) for power in range(23)])
"""The powers of ten that are exact floating-point numbers."""


def ten_digits_text(value: float) -> str:
    """Return the value as text with ten significant digits.

    >>> ten_digits_text(1 / 3)
    '3.333333333e-01'
    """
    return f"{value:.9e}"


def ten_digits(value: float) -> float:
    """Return the floating-point number nearest to the value rounded to ten significant digits.

    >>> ten_digits(0.1 + 0.2) == 0.3
    True
    """
    return float(ten_digits_text(value))


def each_to_ten_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round every value to ten significant digits, with exactly the results of `ten_digits`.

    The ten digits form a whole number; divided by a power of ten (exact up to 10^22) it gives the nearest
    floating-point number. Values so close to a half that rounding errors could decide a digit are rounded through text.

    >>> each_to_ten_digits(np.array([0.1 + 0.2, 0.0])).tolist()
    [0.3, 0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        power = 9 - np.floor(np.log10(values))
        known = np.abs(power) < len(_POWERS_OF_TEN)
        scale = _POWERS_OF_TEN[np.where(known, np.abs(power), 0).astype(np.intp)]
        # 10^|power| is exact up to 10^22, so either operation is rounded once; a factor 10^-k would be rounded
        # before.
        scaled = np.where(power < 0, values / scale, values * scale)
        digits = np.rint(scaled)
        halfway = np.abs(np.abs(scaled - digits) - 0.5) < _DOUBT
    # The logarithm may be off by one at a power of ten, and halves may round either way: those go by text.
    clear = known & (scaled >= 10**9) & (scaled < 10**10 - 1) & ~halfway
    rounded: NDArray[np.float64] = np.where(power < 0, digits * scale, digits / scale)
    rounded[values == 0] = 0.0
    unclear = np.flatnonzero(~clear & (values != 0))
    for place in unclear.tolist():
        rounded.flat[place] = ten_digits(float(values.flat[place]))
    return rounded
