"""Numbers for the solver: which values they can have, and that sums and quotients are those of whole numbers."""

import random

import pytest

from p2smt.smt.answer import Sat, Unsat
from p2smt.smt.solver import Solver
from p2smt.smt.sums import BitVectorSums, IntegerSums
from p2smt.smt.terms import neg


def ask(numbers, *terms):
    return Solver("numbers", [*numbers.assumed, *terms], numbers.logic).ask()


def test_natural_whole_numbers_are_not_negative():
    """Two of them that cancel each other are 0; two free ones need not be."""
    for make, answer in (("natural", Unsat), ("free", Sat)):
        with IntegerSums() as numbers:
            one, other = (getattr(numbers, make)() for _ in range(2))
            zero = numbers.constant(0)
            cancel = neg(numbers.differ(numbers.total([one, other]), zero))
            assert isinstance(ask(numbers, cancel, numbers.differ(one, zero)), answer)


@pytest.mark.parametrize("make", [lambda: BitVectorSums(24), IntegerSums])
def test_sums_products_and_quotients_are_those_of_whole_numbers(make):
    rng = random.Random(2)
    for _ in range(20):
        given = [rng.randint(0, 40) for _ in range(rng.randint(1, 7))]
        factor, divisor = rng.randint(1, 5), rng.randint(1, 9)
        with make() as numbers:
            free = [numbers.natural() for _ in given]
            fixed = [neg(numbers.differ(one, numbers.constant(value))) for one, value in zip(free, given, strict=True)]
            result = numbers.over(numbers.times(numbers.total(free), factor), divisor)
            answer = ask(numbers, *fixed)
            assert isinstance(answer, Sat)
            assert numbers.in_model(answer.model, result) == sum(given) * factor // divisor
            assert numbers.same(numbers.total(free), numbers.total(free[::-1]))
            assert not numbers.same(numbers.total(free), numbers.times(numbers.total(free), 2))
            assert not numbers.same(numbers.total(free), numbers.total([*free, numbers.constant(1)]))


def test_bit_vectors_have_quotients_without_and_values_with_signs():
    """All numbers of eight bits: none is negative where it is divided, half are where they are read."""
    for value in range(256):
        with BitVectorSums(8) as numbers:
            given = numbers.constant(value)
            assert numbers.value(given) == (value if value < 128 else value - 256)
            assert [numbers.value(numbers.over(given, divisor)) for divisor in (3, 10)] == [value // 3, value // 10]
    for make in (lambda: BitVectorSums(8), IntegerSums):
        with make() as numbers:
            free = numbers.free()
            opposite = numbers.times(free, -1)
            assert numbers.value(numbers.constant(-3)) == -3
            assert numbers.value(free) is None
            assert numbers.value(numbers.total([free, numbers.constant(-3), opposite])) == -3
