"""Known numbers: integers as C has them, wrapped to their type, beside arithmetic of Python's own whole numbers."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from p2smt.errors import VerifyError
from p2smt.frontend.xla.arithmetic import computed, reduced
from p2smt.frontend.xla.known import KnownNumbers, converted, fraction, numbers, picked, repeated, reshaped
from p2smt.frontend.xla.operators import Binary, HloKind, Unary
from p2smt.frontend.xla.ssa import HloShape

SAMPLE = (-9, -8, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 9)


def known(values, kind="s64"):
    return KnownNumbers(numbers(np.asarray(values), kind).reshape(1, *np.shape(values)))


def both(operation, one, other, kind="s64", made=None, direction=""):
    """By numbers of their own, and among others, so that they are not looked at as one number everywhere."""
    left, right = known([one, 1], kind), known([other, 1], kind)
    found = computed(operation, [left, right], HloShape(made or kind, (2,)), direction).values[0, 0]
    alone = computed(operation, [known(one, kind), known(other, kind)], HloShape(made or kind, ()), direction)
    assert alone.values.reshape(-1)[0] == found
    return found


def cut(one, other):
    """A quotient without its fraction."""
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


def test_quotients_lose_their_fraction_and_remainders_have_the_sign_of_what_is_divided():
    for one, other in product(SAMPLE, repeat=2):
        if other:
            assert both(HloKind.DIVIDE, one, other) == cut(one, other), (one, other)
            assert both(Binary.REMAINDER, one, other) == one - other * cut(one, other), (one, other)
    for operation in (HloKind.DIVIDE, Binary.REMAINDER):
        with pytest.raises(VerifyError, match="divided by 0"):
            computed(operation, [known([1, 2]), known([1, 0])], HloShape("s64", (2,)))


def test_numbers_are_compared_in_every_direction():
    directions = {"EQ": "__eq__", "NE": "__ne__", "LT": "__lt__", "LE": "__le__", "GT": "__gt__", "GE": "__ge__"}
    for direction, name in directions.items():
        for one, other in product((-1, 0, 1), repeat=2):
            assert both(HloKind.COMPARE, one, other, made="pred", direction=direction) == getattr(one, name)(other)
    with pytest.raises(VerifyError, match="unknown direction 'XX'; give one of EQ, NE, LT, LE, GT, GE"):
        computed(HloKind.COMPARE, [known(1), known(2)], HloShape("pred", ()), "XX")


def test_other_operations_are_those_of_whole_numbers():
    by_hand = {
        HloKind.ADD: int.__add__,
        HloKind.MULTIPLY: int.__mul__,
        Binary.SUBTRACT: int.__sub__,
        Binary.MINIMUM: min,
        Binary.MAXIMUM: max,
        Binary.AND: int.__and__,
        Binary.OR: int.__or__,
        Binary.XOR: int.__xor__,
    }
    for operation, function in by_hand.items():
        for one, other in product(SAMPLE, repeat=2):
            assert both(operation, one, other) == function(one, other), (operation, one, other)
    for one, by in product((0, 1, 5, 9), (0, 1, 3)):
        assert both(Binary.SHIFT_LEFT, one, by) == one << by
        assert both(Binary.SHIFT_RIGHT, one, by) == one >> by
    with pytest.raises(VerifyError, match="a right shift of a negative constant"):
        computed(Binary.SHIFT_RIGHT, [known([4, -1]), known([1, 1])], HloShape("s64", (2,)))
    for one in SAMPLE:
        shape = HloShape("s64", ())
        made = [int(computed(each, [known(one)], shape).values[0]) for each in (Unary.NEGATE, Unary.ABS, Unary.SIGN)]
        assert made == [-one, abs(one), (one > 0) - (one < 0)]
        clamped = computed(HloKind.CLAMP, [known(-2), known(one), known(3)], shape)
        assert int(clamped.values[0]) == min(max(one, -2), 3)


@pytest.mark.parametrize("bits", [4, 8, 16, 32])
def test_integers_wrap_as_their_type_does(bits):
    rng = random.Random(bits)
    edges = [2**bits, 2 ** (bits - 1), 2 ** (bits - 1) - 1, 2**bits - 1]
    values = [sign * each + more for each in edges for sign in (1, -1) for more in (-1, 0, 1)]
    values += [rng.randrange(-(2**40), 2**40) for _ in range(20)]
    for value in values:
        unsigned = value % 2**bits
        signed = unsigned - 2**bits if unsigned >= 2 ** (bits - 1) else unsigned
        assert int(numbers(np.asarray(value), f"u{bits}")) == int(numbers(np.asarray(value), f"ui{bits}")) == unsigned
        assert int(numbers(np.asarray(value), f"s{bits}")) == int(numbers(np.asarray(value), f"i{bits}")) == signed
        assert int(converted(known(value), HloShape(f"s{bits}", ())).values[0]) == signed
        if abs(value) < 2**bits:
            assert both(HloKind.ADD, value, 1, f"s{bits}") == int(numbers(np.asarray(signed + 1), f"s{bits}"))
    with pytest.raises(VerifyError, match="are not supported"):
        numbers(np.asarray(1), "s7")
    assert int(numbers(np.asarray(2**63 - 1), "u64")) == 2**63 - 1
    with pytest.raises(VerifyError, match=r"is 2\^63 or more"):
        numbers(np.asarray([1, -1]), "u64")


def test_numbers_are_folded_with_what_a_reduction_begins_with():
    values = [[3, -4, 5], [7, 0, -2]]
    folds = {HloKind.ADD: sum, Binary.MAXIMUM: max, Binary.MINIMUM: min}
    for operation, fold in folds.items():
        for start in (-9, 0, 6):
            rows = reduced(operation, known(values), known(start), (1,)).values[0].tolist()
            assert rows == [fold([start, *row]) for row in values]
            columns = reduced(operation, known(values), known(start), (0,)).values[0].tolist()
            assert columns == [fold([start, *column]) for column in zip(*values, strict=True)]
            assert reduced(operation, known(values), known(start), (0, 1)).values[0] == fold(
                [start, *values[0], *values[1]]
            )
    for operation, fold in {Binary.AND: all, Binary.OR: any}.items():
        for start, truths in product((True, False), product((True, False), repeat=3)):
            made = reduced(operation, known(list(truths), "pred"), known(start, "pred"), (0,))
            assert bool(made.values[0]) is fold([start, *truths])
    with pytest.raises(VerifyError, match="constants are reduced with"):
        reduced(HloKind.MULTIPLY, known(values), known(1), (0,))


def test_what_is_said_of_numbers_is_so_of_all_of_them():
    rows = {
        "same": [[2, 2], [2, 2]],
        "by device": [[1, 1], [2, 2]],
        "by place": [[1, 2], [1, 2]],
        "zero": [[0, 0], [0, 0]],
        "first zero": [[0, 0], [0, 3]],
        "last zero": [[3, 0], [0, 0]],
    }
    for name, values in rows.items():
        one = KnownNumbers(np.asarray(values))
        flat = [each for row in values for each in row]
        assert one.alike is (values[0] == values[1]), name
        assert one.uniform is (len(set(flat)) == 1), name
        assert bool(one.zero) is (set(flat) == {0}), name
        for device in range(2):
            if len(set(values[device])) == 1:
                assert one.single(device) == values[device][0]
            else:
                with pytest.raises(VerifyError, match="expected a scalar constant"):
                    one.single(device)


@pytest.mark.parametrize(("kind", "bits"), [("bf16", 8), ("f16", 11), ("f32", 24), ("f64", 53)])
def test_a_fraction_is_read_off_the_number_of_a_type_that_is_nearest_to_it(kind, bits):
    for wanted in (Fraction(1, 3), Fraction(2, 7), Fraction(5, 3), Fraction(1, 10), Fraction(3, 2), Fraction(1, 64)):
        unit = Fraction(1)
        while wanted * unit < 2 ** (bits - 1):
            unit *= 2
        while wanted * unit >= 2**bits:
            unit /= 2
        near = Fraction(round(wanted * unit)) / unit
        assert fraction(float(near), kind) == wanted
        assert fraction(-float(near), kind) == -wanted
    for whole in (1, 5, 100, 200, 255):
        assert fraction(float(whole), kind) == whole
        # A half of 100 and a half is there in every type, and is neither 50 nor 51.
        assert fraction(whole / 2, kind) == Fraction(whole, 2)
    for value in (float("inf"), float("nan"), 2.0**17):
        with pytest.raises(VerifyError, match="data is multiplied by"):
            fraction(value, kind)
    assert fraction(2.0**16, kind) == 2**16
    assert fraction(0.0, kind) == 0


def test_a_third_of_a_coarser_type_is_no_third_of_a_finer_one():
    for value in (171 / 512, 1365 / 4096):
        assert fraction(value, "f32") == Fraction(value) != Fraction(1, 3)
    with pytest.raises(VerifyError, match="data is multiplied by"):
        fraction(float(np.float32(1 / 3)), "f64")


def test_numbers_are_moved_as_numpy_moves_them():
    values = np.arange(6).reshape(2, 3)
    for axes in ((0, 1), (1, 0), (0, 2), (2, 1)):
        dims = [4, 4, 4]
        for place, axis in enumerate(axes):
            dims[axis] = values.shape[place]
        made = repeated(known(values), tuple(dims), axes).values[0]
        for index in product(*map(range, dims)):
            assert made[index] == values[tuple(index[axis] for axis in axes)]
    assert reshaped(known(values), (3, 2)).values[0].tolist() == [[0, 1], [2, 3], [4, 5]]
    ranges = (((4, 2), (-1, 1), (0, 1)), ((1, 3), (-1, 1)))
    made = picked([known(values)], ranges, (4,), known(9))
    assert made.values.tolist() == [[4, 5, 9, 0], [1, 2, 3, 9]]
    two = picked([known([1, 2]), known([7, 8])], (((1, 2),),), (2,), None)
    assert two.values.tolist() == [[2, 7]]
