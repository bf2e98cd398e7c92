"""Bit-vectors for the solver, read as sets of bits or as numbers that are never negative.

`&`, `|`, `~`, `+`, `-` and `*` are z3's, all modulo 2^bits; `==` and `!=` are terms.
"""

from collections.abc import Sequence

import z3

BitVec = z3.BitVecRef


def bitvector(name: str, bits: int) -> BitVec:
    """Return a free constant of this width."""
    return z3.BitVec(name, bits)


def number(value: int, bits: int) -> BitVec:
    """Return a constant with this value and width."""
    return z3.BitVecVal(value, bits)


def below(left: BitVec, right: BitVec | int) -> z3.BoolRef:
    """A term: the left number is less than the right one (unsigned)."""
    return z3.ULT(left, right)


def at_most(left: BitVec, right: BitVec | int) -> z3.BoolRef:
    """A term: the left number is at most the right one (unsigned)."""
    return z3.ULE(left, right)


def at_least(left: BitVec, right: BitVec | int) -> z3.BoolRef:
    """A term: the left number is at least the right one (unsigned)."""
    return z3.UGE(left, right)


def bit_at(vector: BitVec, position: int) -> BitVec:
    """Return one bit as a vector of one bit; position 0 is the least significant."""
    return z3.Extract(position, position, vector)


def widened(vector: BitVec, bits: int) -> BitVec:
    """Zero-extend a vector to `bits` bits, which must not be fewer than it has."""
    return vector if bits == vector.size() else z3.ZeroExt(bits - vector.size(), vector)


def total(numbers: Sequence[BitVec]) -> BitVec:
    """Return the sum of one or more numbers."""
    return z3.Sum(numbers)


def word(parts: Sequence[BitVec]) -> BitVec:
    """Concatenate one or more vectors, the least significant first."""
    return parts[0] if len(parts) == 1 else z3.Concat(parts[::-1])
