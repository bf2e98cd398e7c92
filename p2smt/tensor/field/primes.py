"""Random primes, so that constants that are equal modulo one known prime are not taken for equal.

Each prime is chosen such that in its field -1 is not a square and the primes up to 13 are (quadratic reciprocity); one
in 64 primes qualifies. Method: random odd numbers of 61 bits until one passes, tested with n - 1 = 2^s d, d odd, by
    b^d = 1  or  b^(2^r d) = -1 for some r < s   (modulo n)   for every base b of `_WITNESSES`
(Rabin, "Probabilistic algorithm for testing primality", 1980). Every prime passes. For numbers of this size these bases
make it a proof, not a guess (Sorenson and Webster, "Strong pseudoprimes to twelve prime bases", 2017).
Complexity: of the odd numbers of this size about one in 1,350 is such a prime, and residues modulo 8 to 13 reject most
others at no cost; 12 powers modulo n of 61 bits for each that is left.

>>> is_prime(101), is_prime(91), prime_of(0) == 2**61 - 1
(True, False, True)
"""

from functools import lru_cache
from random import Random

MERSENNE = 2**61 - 1
"""The prime of seed 0, for tests and examples."""
_BITS = 61
# Bases for which the test is a proof, not a guess, for numbers of this size.
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Miller-Rabin bases that decide primality of every number below 3.18 * 10^23 (Sorenson and Webster, 2017)."""

_RESIDUES = (
    (8, (7,)),
    (3, (2,)),
    (5, (1, 4)),
    (7, (3, 5, 6)),
    (11, (2, 6, 7, 8, 10)),
    (13, (1, 3, 4, 9, 10, 12)),
)
"""Residues of the primes in whose field 2, 3, 5, 7, 11 and 13 are squares, and -1 is not."""


@lru_cache(maxsize=64)
def prime_of(seed: int) -> int:
    """Return the prime between 2^60 and 2^61 that belongs to a seed."""
    if seed == 0:
        return MERSENNE
    random = Random(f"prime {seed}")
    while True:
        number: int = random.getrandbits(_BITS) | 2 ** (_BITS - 1) | 1
        if all(number % modulus in residues for modulus, residues in _RESIDUES) and is_prime(number):
            return number


def is_prime(number: int) -> bool:
    """True if an odd number above 37 and below 3 * 10^23 is prime (Miller-Rabin test)."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(number, base, odd, twos) for base in _WITNESSES)


def _passes(number: int, base: int, odd: int, twos: int) -> bool:
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False
