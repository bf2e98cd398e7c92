"""Factors that are written down stand before an expression, as far as its operations are linear, and no further."""

from looped import looped

from p2smt.tensor.comparison import compare
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.sameness import same_expressions

SAME = (
    ("sum(x / 4, 0) / 2", "sum(x, 0) / 8"),
    ("sum(x / 3, 0) / 2", "sum(x, 0) / 6"),
    ("matmul(x * 2, w / 3)", "matmul(x, w) * 2 / 3"),
    ("x - y * 2", "(y - x / 2) * -2"),
    ("x / 3 - y / 3", "(x - y) / 3"),
    ("where(gt(x, y), x / 5, y / 5)", "where(gt(x, y), x, y) / 5"),
    ("x / (y * 4)", "x / y / 4"),
    ("relu_backward(x * 3, y)", "relu_backward(x, y) * 3"),
    ("x + x", "x + x"),
    ("reshape(x / 7, 12)", "reshape(x, 12) / 7"),
    ("matmul(x, w) * (1 / 6)", "matmul(x / 6, w)"),
    ("-(x - y)", "y - x"),
    ("x * 0 * 3", "x * 0"),
    ("x / 0", "x / 0"),
    ("x / (y * 0) * 2", "x * 2 / (y * 0)"),
    ("x * cast(0.5, f16)", "x * 0.5"),
)
OTHER = (
    ("relu(x / 4)", "relu(x) * 4"),
    ("x * 0.1", "x / 11"),
    ("x - y * 2", "(x - y) * 2"),
    ("x / (y * 4)", "x / y * 4"),
    ("sum(x / 4, 0) / 2", "sum(x, 0) / 6"),
    ("where(gt(x, y), x / 5, y)", "where(gt(x, y), x, y) / 5"),
    ("exp(x * 2)", "exp(x) * 2"),
    ("x + y * -1", "x + y"),
    ("x * x * 2", "x * 2 * (x * 2)"),
    ("x / 0", "x"),
    ("x / (y * 0)", "x / y"),
    ("x + y * 0", "x * 0 + y"),
    ("x / y", "y / x"),
    ("x - y", "y - x"),
    ("sum(x, 0)", "sum(y, 0)"),
    ("x * cast(cast(0.5, i32), f64)", "x * 0.5"),
    ("x * cast(2.5, i64)", "x * 2.5"),
)


def program(expression):
    return parse_program(
        f"program p\ninput x : f64[3, 4]\ninput y : f64[3, 4]\ninput w : f64[4, 2]\nz = {expression}\noutput z\n"
    )


@looped(("left", "right"), SAME)
def test_the_same_up_to_factors(left, right):
    assert same_expressions(program(left), program(right))
    assert compare(program(left), program(right), Reals(1)) is None


@looped(("left", "right"), OTHER)
def test_other_factors_are_other_expressions(left, right):
    assert not same_expressions(program(left), program(right))
    assert compare(program(left), program(right), Reals(1)) is not None


def test_what_states_are_updated_to_is_observed_as_outputs_are():
    def updated(to):
        text = f"program p\ninput x : f64[4]\nstate w : f64[4]\ny = w * x\nw.1 = update(w, {to})\noutput y\n"
        return parse_program(text)

    assert same_expressions(updated("w + x / 2"), updated("x * 0.5 + w"))
    assert not same_expressions(updated("w + x / 2"), updated("w + x / 4"))
    assert not same_expressions(updated("w + x / 2"), updated("x"))
