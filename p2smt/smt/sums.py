"""Sums of very many numbers for the solver, built without z3's Python objects.

Creating those objects takes ten times as long as solving.

Sums are balanced trees, of depth log2(n), whose nodes are references in z3's C interface, counted by hand. Numbers
without an own name are not kept, so memory is that of the terms.

    total(x1, ..., xn) = total of the pairs (x1 + x2), (x3 + x4), ...,   until one number is left.

Complexity: n - 1 additions; the simplifier then takes O(n log n) steps, where a chain would take O(n^2).
Reference: Higham, "The accuracy of floating point summation", 1993 (pairwise sums), for the shape.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Self

import z3
from z3 import z3core

from p2smt.smt.bitvectors import BitVec
from p2smt.smt.solver import Logic, Model
from p2smt.smt.terms import Bool

Number = z3core.Ast
"""A number of z3's main context."""


class Numbers(ABC):
    """A factory for numbers of one kind. A context manager that releases all of them at its end."""

    logic: Logic

    def __init__(self, sort: z3core.Sort) -> None:
        self._ref = z3.main_ctx().ref()
        self._sort = sort
        self._names = 0
        self._kept_numbers: list[Number] = []
        self.assumed: list[Bool] = []
        """Conditions on the free numbers, which the caller must assume."""

    def __enter__(self) -> Self:
        return self

    # By hand: these numbers have no Python object whose __del__ would give the reference back.
    def __exit__(self, *_: object) -> None:
        while self._kept_numbers:
            z3core.Z3_dec_ref(self._ref, self._kept_numbers.pop())

    def free(self) -> Number:
        """Return a new free number."""
        self._names += 1
        # Numbered symbols need no string, of which z3 would keep one for each number.
        symbol = z3core.Z3_mk_int_symbol(self._ref, self._names)
        return self._kept(z3core.Z3_mk_const(self._ref, symbol, self._sort))

    @abstractmethod
    def natural(self) -> Number:
        """Return a new free number that is not negative."""

    @abstractmethod
    def constant(self, value: int) -> Number:
        """Return a constant."""

    def total(self, numbers: Iterable[Number]) -> Number:
        """Sum one or more numbers as a balanced tree; simplifying a chain would take quadratic time."""
        left = list(numbers)
        while len(left) > 1:
            unpaired = left[-1:] if len(left) % 2 else []
            left = [self._plus(one, other) for one, other in zip(left[::2], left[1::2], strict=False)] + unpaired
        return left[0]

    def times(self, number: Number, factor: int) -> Number:
        """Return the number multiplied by a constant."""
        return number if factor == 1 else self._kept(self._product(number, self.constant(factor)))

    @abstractmethod
    def over(self, number: Number, divisor: int) -> Number:
        """Return the quotient by a constant, rounded down."""

    @abstractmethod
    def same(self, left: Number, right: Number) -> bool:
        """True if both are syntactically the same sum, without a solver call; other equal numbers may be missed."""

    @abstractmethod
    def value(self, number: Number) -> int | None:
        """Return the value of a number that depends on no free number, else None."""

    @abstractmethod
    def differ(self, left: Number, right: Number) -> Bool:
        """A term: the two numbers differ."""

    @abstractmethod
    def in_model(self, model: Model, number: Number) -> int:
        """Return the number's value in a model."""

    @abstractmethod
    def _product(self, left: Number, right: Number) -> Number: ...

    @abstractmethod
    def _plus(self, left: Number, right: Number) -> Number: ...

    def _kept(self, number: Number) -> Number:
        z3core.Z3_inc_ref(self._ref, number)
        self._kept_numbers.append(number)
        return number


class BitVectorSums(Numbers):
    """Sums as bit-vectors of one width: they are modulo 2^bits, and values are read as signed."""

    logic = Logic.BIT_VECTORS

    def __init__(self, bits: int) -> None:
        super().__init__(z3.BitVecSort(bits).ast)
        self.bits = bits

    def natural(self) -> Number:
        """Return a new free number; read as unsigned, it is never negative."""
        return self.free()

    def constant(self, value: int) -> Number:
        """Return a constant."""
        return self._kept(z3.BitVecVal(value, self.bits).ast)

    def over(self, number: Number, divisor: int) -> Number:
        """Return the quotient by a constant, rounded down."""
        return self._kept(z3core.Z3_mk_bvudiv(self._ref, number, self.constant(divisor)))

    def same(self, left: Number, right: Number) -> bool:
        """True if both are syntactically the same sum, without a solver call; other equal numbers may be missed."""
        # `som` (sum of monomials) multiplies out, so that equal polynomials cancel to 0 in every
        # order of terms.
        term = z3.simplify(BitVec(left) - BitVec(right), som=True)
        return isinstance(term, z3.BitVecNumRef) and term.as_long() == 0

    def value(self, number: Number) -> int | None:
        """Return the value of a number that depends on no free number, else None."""
        term = z3.simplify(BitVec(number))
        return term.as_signed_long() if isinstance(term, z3.BitVecNumRef) else None

    def differ(self, left: Number, right: Number) -> Bool:
        """A term: the two numbers differ."""
        return BitVec(left) != BitVec(right)

    def in_model(self, model: Model, number: Number) -> int:
        """Return the number's value in a model."""
        return model.number(BitVec(number))

    def _product(self, left: Number, right: Number) -> Number:
        return z3core.Z3_mk_bvmul(self._ref, left, right)

    def _plus(self, left: Number, right: Number) -> Number:
        return self._kept(z3core.Z3_mk_bvadd(self._ref, left, right))


class IntegerSums(Numbers):
    """Sums as unbounded integers: slower, but the solver can decide quotients, unlike with bit-vector circuits.

    Divisors are constants, so all constraints are linear arithmetic.
    """

    logic = Logic.INTEGERS

    def __init__(self) -> None:
        super().__init__(z3.IntSort().ast)

    def natural(self) -> Number:
        """Return a new free number that is not negative."""
        number = self.free()
        self.assumed.append(z3.ArithRef(number) >= z3.IntVal(0))
        return number

    def constant(self, value: int) -> Number:
        """Return a constant."""
        return self._kept(z3.IntVal(value).ast)

    def over(self, number: Number, divisor: int) -> Number:
        """Return the quotient by a constant, rounded down."""
        return self._kept(z3core.Z3_mk_div(self._ref, number, self.constant(divisor)))

    def same(self, left: Number, right: Number) -> bool:
        """True if both are syntactically the same sum, without a solver call; other equal numbers may be missed."""
        term = z3.simplify(z3.ArithRef(left) - z3.ArithRef(right), som=True)
        return isinstance(term, z3.IntNumRef) and term.as_long() == 0

    def value(self, number: Number) -> int | None:
        """Return the value of a number that depends on no free number, else None."""
        term = z3.simplify(z3.ArithRef(number))
        return term.as_long() if isinstance(term, z3.IntNumRef) else None

    def differ(self, left: Number, right: Number) -> Bool:
        """A term: the two numbers differ."""
        return z3.ArithRef(left) != z3.ArithRef(right)

    def in_model(self, model: Model, number: Number) -> int:
        """Return the number's value in a model."""
        return model.number(z3.ArithRef(number))

    def _product(self, left: Number, right: Number) -> Number:
        return z3core.Z3_mk_mul(self._ref, 2, (z3core.Ast * 2)(left, right))

    def _plus(self, left: Number, right: Number) -> Number:
        return self._kept(z3core.Z3_mk_add(self._ref, 2, (z3core.Ast * 2)(left, right)))
