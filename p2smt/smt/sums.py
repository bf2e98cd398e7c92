"""Sums of very many numbers for the solver, without its Python objects, which cost ten times the solver's work."""

from collections.abc import Iterable
from typing import Self

import z3
from z3 import z3core

from p2smt.smt.bitvectors import BitVec

Number = z3core.Ast
"""A bit-vector of the context below."""


class Sums:
    """Bit-vectors of one width; a context manager, at whose end they are all given back."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._ref = z3.main_ctx().ref()
        self._sort = z3.BitVecSort(bits).ast
        self._names = 0
        self._kept_numbers: list[Number] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._kept_numbers:
            z3core.Z3_dec_ref(self._ref, self._kept_numbers.pop())

    def free(self, bits: int | None = None) -> Number:
        """A new number; with `bits` given it is smaller than 2^bits."""
        self._names += 1
        if bits is not None:
            term = z3.ZeroExt(self.bits - bits, z3.BitVec(f"x{self._names}", bits))
            return self._kept(term.ast)
        symbol = z3core.Z3_mk_int_symbol(self._ref, self._names)
        return self._kept(z3core.Z3_mk_const(self._ref, symbol, self._sort))

    def constant(self, value: int) -> Number:
        """A given number."""
        return self._kept(z3.BitVecVal(value, self.bits).ast)

    def total(self, numbers: Iterable[Number]) -> Number:
        """The sum of one or more numbers, as a balanced tree: simplifying a chain takes the square of its length."""
        left = list(numbers)
        while len(left) > 1:
            unpaired = left[-1:] if len(left) % 2 else []
            left = [self._plus(one, other) for one, other in zip(left[::2], left[1::2], strict=False)] + unpaired
        return left[0]

    def times(self, number: Number, factor: int) -> Number:
        """A multiple."""
        return number if factor == 1 else self._kept(z3core.Z3_mk_bvmul(self._ref, number, self.constant(factor)))

    def over(self, number: Number, divisor: int) -> Number:
        """The quotient, truncated."""
        return self._kept(z3core.Z3_mk_bvudiv(self._ref, number, self.constant(divisor)))

    def term(self, number: Number) -> BitVec:
        """The number as a term."""
        return BitVec(number)

    def same(self, left: Number, right: Number) -> bool:
        """Whether both are one sum of the same numbers, which needs no solver; other equal numbers may not be."""
        return _value(z3.simplify(self.term(left) - self.term(right), som=True)) == 0

    def value(self, number: Number) -> int | None:
        """The number itself, if it depends on no free one."""
        return _value(z3.simplify(self.term(number)))

    def _plus(self, left: Number, right: Number) -> Number:
        return self._kept(z3core.Z3_mk_bvadd(self._ref, left, right))

    def _kept(self, number: Number) -> Number:
        z3core.Z3_inc_ref(self._ref, number)
        self._kept_numbers.append(number)
        return number


def _value(term: BitVec) -> int | None:
    return term.as_long() if isinstance(term, z3.BitVecNumRef) else None
