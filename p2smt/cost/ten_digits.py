"""Comparison of times to ten digits: sums of the same steps in another order differ in the last bits."""

import numpy as np
from numpy.typing import NDArray

_DOUBT = 1e-4
"""More than the error of a product of ten digits."""

_POWERS_OF_TEN = np.array([float(10**power) for power in range(23)])
"""The powers of ten that are exact floating-point numbers."""


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
    """Every value to ten significant digits, exactly as `ten_digits` does it.

    The ten digits are a whole number, which divided by a power of ten (exact up to 10^22) gives the number nearest to
    them. Where rounding in between might have decided which digits these are, text decides.

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
