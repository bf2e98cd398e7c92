"""Sums of gradients that only the last micro-batch makes: the program with them late is the same step."""

import pytest

from p2smt.job.micro_batches import gradients_alone, with_late_sums, without_accumulation
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.check import verify_program
from p2smt.verify.verdict import Proved

STEP = """total.w = w.accumulated + GRADIENT
w.accumulated.new = update(w.accumulated, total.w)
w.new = update(w, w - total.w * 0.5)
loss = LOSS
output loss
"""
GIVEN = "input x : f64[8, 4]CUT\nparameter w : f64[4]\nstate w.accumulated : f64[4]\n"


def made(mesh, cut, lines, gradient):
    given = GIVEN.replace("CUT", cut)
    step = STEP.replace("GRADIENT", gradient).replace("LOSS", "sum(w, 0)")
    gradient = "" if "gradient.w =" in lines else "gradient.w = sum(x, 0)\n"
    return parse_program(f"program step\nmesh {mesh}\n{given}{gradient}{lines}\n{step}")


def alone():
    given = GIVEN.replace("CUT", "")
    step = STEP.replace("GRADIENT", "gradient.w").replace("LOSS", "sum(w, 0)")
    return parse_program(f"program step\n{given}gradient.w = sum(x, 0)\n{step}")


@pytest.mark.parametrize(
    ("program", "sums"),
    [
        (made("r=2", " sliced(0)", "whole = AllReduce(gradient.w)", "whole"), 1),
        (
            made(
                "a=2, b=2",
                " sliced(0, a) sliced(0, b)",
                "some = AllReduce(gradient.w, axis=b)\nwhole = AllReduce(some, axis=a)",
                "whole",
            ),
            2,
        ),
        (
            made(
                "a=2, b=2",
                " sliced(0, a) sliced(0, b)",
                "own = reshape(sum(x, 0), 2, 2)\nsome = AllReduce(own, axis=b)\nwhole = AllReduce(some, axis=a)\n"
                "gradient.w = reshape(whole, 4)",
                "gradient.w",
            ),
            2,
        ),
    ],
)
def test_a_late_sum_is_the_same_step_and_other_micro_batches_have_none(program, sums):
    late, states = with_late_sums(program)
    assert states == {"w.accumulated": "gradient.w"}
    assert isinstance(verify_program(late, alone()), Proved)
    assert print_program(without_accumulation(late)).count("AllReduce") == sums
    assert "AllReduce" not in print_program(gradients_alone(late))
    assert "w.accumulated.new = update(w.accumulated, w.accumulated + gradient.w)" in print_program(
        gradients_alone(late)
    )
    assert "AllReduce" in print_program(gradients_alone(program))
    assert with_late_sums(program, only=()) == (program, {})


@pytest.mark.parametrize(
    "program",
    [
        made("r=2", " sliced(0)", "part = ReduceScatter(gradient.w, 0)\nwhole = AllGather(part, 0)", "whole"),
        made("r=2", " sliced(0)", "whole = AllReduce(gradient.w)\ny = whole * 2", "whole"),
        made("r=2", "", "", "gradient.w"),
    ],
)
def test_other_sums_stay_where_they_are(program):
    assert with_late_sums(program) == (program, {})
