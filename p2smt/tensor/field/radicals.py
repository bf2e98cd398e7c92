"""Square roots of small numbers in a prime field, and the root or fraction that a float literal approximates.

In a field of a prime p = 3 modulo 4, every square s has exactly one root that is itself a square: s^((p + 1) / 4). If
2, 3, ..., 13 are squares (`primes.py`), so are all their products and quotients, and these roots multiply like the
positive roots of real numbers:
    root(a) root(b) = root(a b).
Thus 1 / sqrt(8) equals the square of the element for the literal 0.5946035575013605, the factor by which attention
scales queries and keys. Fractions are found by Euclid's algorithm, stopped halfway (Wang, "A p-adic algorithm for
univariate partial fractions", 1981).
Complexity: one power modulo p per root; one run of Euclid's algorithm per element tested for being a fraction.

>>> prime = 2**61 - 1
>>> third = pow(3, -1, prime)
>>> fraction_of(2 * third % prime, prime), root_of(4, prime) in (2, prime - 2)
(Fraction(2, 3), True)
"""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

import numpy as np

SQUARES = (2, 3, 5, 7, 11, 13)
"""Primes that are squares in the field of every random prime."""
_LARGEST = 4096
"""The largest numerator and denominator of a fraction that a float literal may stand for."""
_FRACTION = 2**20
_ULP = 2.0**-52
_DIGITS = 6


def is_smooth(number: int) -> bool:
    """True for a positive product of the primes in `SQUARES`."""
    for prime in SQUARES:
        while number > 0 and number % prime == 0:
            number //= prime
    return number == 1


def fraction_of(value: int, prime: int) -> Fraction | None:
    """Return the small fraction equal to an element; None if there is none (Wang's rational reconstruction)."""
    above, rest, factor, other = prime, value, 0, 1
    while rest > _FRACTION:
        quotient = above // rest
        above, rest, factor, other = rest, above - quotient * rest, other, factor - quotient * other
    return Fraction(rest, other) if 0 < abs(other) <= _FRACTION else None


def root_of(value: int, prime: int) -> int | None:
    """Return the root of a square that is a square itself.

    None if the value is not a square, or the prime is not 3 modulo 4.
    """
    root = pow(value, (prime + 1) // 4, prime)
    return root if prime % 4 == 3 and root * root % prime == value else None


@lru_cache(maxsize=1024)
def nearest(value: float) -> tuple[Fraction, int] | None:
    """Return the fraction that a float literal approximates, and how often its square root is taken (0, 1 or 2).

    None if the float is an exact small fraction, or near none. A number with few decimal digits stands for
    that decimal, even after rounding to float32. A random float is this near to a candidate about once in
    10^9.
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
