"""Meanings over the field: what is allowed holds there without tolerance; sums and products are those of the field."""

import numpy as np
import pytest
from looped import looped
from tensor.one_operation import all_layouts, compare, distributed, rng_of, single
from tensor.operation_cases import CASES
from tensor.test_rules import judged
from tiers import is_full

from p2smt.tensor.dtype import DType
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.prime_field import PRIME, PrimeField, covers
from p2smt.tensor.text.parser import parse_program

HEAD = "program p\ninput x : f32[3, 4]\ninput y : f32[3, 4]\ninput i : i64[3]\n"
KEYS = "reshape(y, 1, 1, 3, 4), reshape(y, 1, 1, 3, 4)"


def _queries(operation, how=""):
    """Attention of three queries, and the same of the first and the others, which count from 0 there."""
    rows = [f"reshape(slice(x, 0, {start}, {stop}), 1, 1, {stop - start}, 4)" for start, stop in ((0, 1), (1, 3))]
    parts = ", ".join(f"{operation}({each}, {KEYS}{how})" for each in rows)
    return f"{operation}(reshape(x, 1, 1, 3, 4), {KEYS}{how})", f"cat({parts}, dim=2)"


EQUAL = (
    _queries("attention"),
    ("(x + y) * (x - y)", "x * x - y * y"),
    ("x / 2 / 3", "x / 6"),
    ("x / y * y", "x"),
    ("sum(x) / 12", "mean(x)"),
    ("x * 0.5", "x / 2"),
    ("softmax(transpose(x, 1, 0), 0)", "transpose(softmax(x, 1), 1, 0)"),
    ("softmax_backward(x + y, x, 1)", "softmax_backward(x, x, 1) + softmax_backward(y, x, 1)"),
    ("dropout(x + y, 0.5)", "dropout(x, 0.5) + dropout(y, 0.5)"),
    ("pick(x, i)", "sum(x * one_hot(i, 4), 1)"),
    (
        "layernorm_weight_backward(x, y)",
        "layernorm_weight_backward(slice(x, 0, 0, 1), slice(y, 0, 0, 1))"
        " + layernorm_weight_backward(slice(x, 0, 1, 3), slice(y, 0, 1, 3))",
    ),
    ("cumsum(x, 1)", "cat(slice(x, 1, 0, 1), slice(cumsum(x, 1), 1, 1, 4), dim=1)"),
)
UNEQUAL = (
    _queries("attention", ", causal=1"),
    _queries("dropped_attention", ", 0.5"),
    ("relu(x + y)", "relu(x) + relu(y)"),
    ("x * x", "x"),
    ("softmax(x, 0)", "softmax(x, 1)"),
    ("softmax(x * 2, 0)", "softmax(x, 0) * 2"),
    ("dropout(x, 0.5, seed=1)", "dropout(x, 0.5, seed=2)"),
    ("exp(x)", "tanh(x)"),
    ("x / ranks", "x"),
)


def of(expression, ranks=1):
    mesh = "\nmesh a=2" if ranks > 1 else ""
    return parse_program(f"{HEAD}out = {expression}\noutput out".replace("program p", "program p" + mesh))


@looped(("left", "right"), EQUAL)
def test_equal_expressions_are_equal(left, right):
    assert compare(of(left), of(right), PrimeField(1)) is None


@looped(("left", "right"), UNEQUAL)
def test_different_expressions_differ(left, right):
    assert compare(of(left, ranks=2 if "ranks" in left else 1), of(right), PrimeField(1)) is not None


@pytest.mark.thorough  # rules are judged over the reals in test_rules.py
def test_what_is_allowed_holds_in_the_field():
    for call, types in CASES:
        held = 0
        for layouts in all_layouts(types, 3, rng_of(call, types, "field"), 12 if is_full() else 5):
            claim, result = judged(call, types, layouts, 3)
            program = distributed(call, types, layouts, 3, claim)
            if isinstance(result, Inferred) and covers(program):
                assert compare(program, single(call, types), PrimeField(held)) is None, (call, types, layouts)
                held += 1
        assert held or len(types) > 1, (call, types)


LOSS = """program p
{}
input g : f32[3]
input shares : f32[3, 4] {}
input i : i64[3]
y = {}cross_entropy_backward(g, shares, i, 4)
output y {}
"""


@looped("ranks", [2, 3, 8])  # parts of equal lengths, of other lengths, and some without classes
def test_the_gradient_of_a_loss_that_is_cut_over_its_classes_is_that_of_the_whole(ranks):
    single = parse_program(LOSS.format("", "", "", ""))
    cut = LOSS.format(f"mesh a={ranks}", "sliced(1)", "{}", "sliced(1)")
    assert compare(parse_program(cut.format("")), single, PrimeField(1)) is None
    assert compare(parse_program(cut.format("2 * ")), single, PrimeField(1)) is not None


@pytest.mark.parametrize("reduction", ReductionOp)
def test_summands_reduce_to_what_they_are_made_of(reduction):
    field = PrimeField(3)
    array = field.random((4, 5), DType.F32)
    for count in (1, 2, 5):
        shares = field.summands(reduction, array, count)
        assert field.equal(field.reduced(reduction, shares), array)
        assert all(0 <= value < PRIME for share in shares for value in share.flat)


def test_an_array_of_elements_is_one_of_whole_numbers():
    made = PrimeField().call("add", [np.array(PRIME - 1, dtype=object), np.array(3, dtype=object)], None)
    assert made.item() == 2


@looped("reduction", ReductionOp)
@looped(
    "text",
    [
        "input x : f32[4] partial(R)\noutput x partial(R)\n",
        "input x : f32[4]\ny = x * 2\noutput y partial(R)\n",
        "input x : f32[4] sliced(0)\ny = AllReduce(sum(x, 0), R)\noutput y\n",
        "input x : f32[4] sliced(0)\ny = relu(ReduceScatter(x, 0, R)) + 1\noutput y\n",
        "input x : f32[4] sliced(0)\ny = 2 * Reduce(max(x, 0), 1, R)\noutput y\n",
    ],
)
def test_programs_that_take_the_largest_over_ranks_are_not_covered(text, reduction):
    program = parse_program(f"program p\nmesh ranks=2\n{text.replace('R)', f'{reduction})')}")
    assert covers(program) is (reduction is ReductionOp.SUM)
