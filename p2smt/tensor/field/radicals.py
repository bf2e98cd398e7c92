"""Roots of small numbers in a field: the element that a root is, and the root that a written number is nearest to.

In a field of a prime p = 3 modulo 4 every square s has one root that is a square itself, s^((p + 1) / 4). If 2, 3, ...,
13 are squares there (`primes.py`), so are all products and quotients of them, and these roots multiply as the positive
roots of real numbers do: root(a) root(b) = root(a b). So 1 / sqrt(8) is the square of the number that is written as
0.5946035575013605, which is how attention scales its queries and its keys.

Time: a power modulo p for each root; Euclid's algorithm for each element that is asked to be a fraction.
"""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

import numpy as np

SQUARES = (2, 3, 5, 7, 11, 13)
"""Primes that are squares in every field of a random prime."""
_LARGEST = 4096
"""The largest numerator and denominator of a fraction that a written number may stand for."""
_FRACTION = 2**20
_ULP = 2.0**-52
_DIGITS = 6


def is_smooth(number: int) -> bool:
    """Return true for a positive product of small primes."""
    for prime in SQUARES:
        while number > 0 and number % prime == 0:
            number //= prime
    return number == 1


def fraction_of(value: int, prime: int) -> Fraction | None:
    """The small fraction that an element is; None for others (Wang's rational reconstruction)."""
    above, rest, factor, other = prime, value, 0, 1
    while rest > _FRACTION:
        quotient = above // rest
        above, rest, factor, other = rest, above - quotient * rest, other, factor - quotient * other
    return Fraction(rest, other) if 0 < abs(other) <= _FRACTION else None


def root_of(value: int, prime: int) -> int | None:
    """The root that is a square itself, of a square in a field of a prime that is 3 modulo 4; None for others."""
    root = pow(value, (prime + 1) // 4, prime)
    return root if prime % 4 == 3 and root * root % prime == value else None


@lru_cache(maxsize=1024)
def nearest(value: float) -> tuple[Fraction, int] | None:
    """The fraction nearest to a positive number with many digits, and how often its root is taken; else None.

    A number of few decimal digits is that decimal, also where it was rounded to float32. That a random number is so
    near to any of these happens once in some 10^9 times.
    """
    exact = Fraction(value)
    if exact.denominator <= _FRACTION:
        return None
    # numpy compares a float32 with a Python number in float32, where every number equals its own rounding.
    with np.errstate(over="ignore"):
        rounded = np.float32(value)
    for text in (repr(value), str(rounded) if float(rounded) == value else ""):
        if text and len(Decimal(text).as_tuple().digits) <= _DIGITS:
            return Fraction(Decimal(text)), 0
    for roots in (0, 1, 2):
        power = exact ** (2**roots)
        found = power.limit_denominator(_LARGEST)
        near = found > 0 and abs(power / found - 1) < 2**roots * _ULP
        if near and found.numerator <= _LARGEST and (not roots or is_smooth(found.numerator * found.denominator)):
            return found, roots
    return None
