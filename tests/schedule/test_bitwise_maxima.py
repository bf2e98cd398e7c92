"""Maxima and minima do not depend on the order of the ranks: `bitwise` refuses no step for theirs."""

import pytest

from p2smt.schedule.check import check_schedule
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.why import Why
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted

PROGRAM = '"(root, InsideGroup, ReduceScatter); (root, InsideGroup, AllGather)" levels node=2, gpu=2'
STEPS = (
    ("x : f32[8, 4] partial(KIND)", "y = AllReduce(x, KIND)", "", "r, g = split y rs-ag"),
    ("x : f32[8, 4] partial(KIND)", "y = AllReduce(x, KIND)", "", "r, g = split y reduce-broadcast root 1"),
    ("x : f32[8, 4] partial(KIND)", "y = AllReduce(x, KIND)", "", f"s = split y {PROGRAM}"),
    ("x : f32[8, 4] partial(KIND)", "y = AllReduce(x, KIND)\nz = exp(y)", "z", "e, y2 = through y past z"),
    ("x : f32[6, 4, 8] partial(KIND)", "y = AllReduce(x, KIND)\nz = y * 2", "z", "overlap y, z chunks 2 dim 1"),
)


@pytest.mark.parametrize(("source", "statements", "last", "step"), STEPS)
@pytest.mark.parametrize("kind", ["max", "min", "+"])
def test_a_step_keeps_bits_unless_it_adds(source, statements, last, step, kind):
    if kind == "+":
        statements = statements.replace("exp(y)", "neg(y)")
    text = f"program p\ninput {source}\n{statements}\noutput {last or 'y'}\n".replace("KIND", kind)
    schedule = parse_schedule(step)
    plain = check_schedule(parse_program(text), schedule, 4)
    assert isinstance(plain.verdict, Proved), plain.verdicts[-1]
    exact = check_schedule(parse_program(text), schedule, 4, bitwise=True)
    if kind == "+":
        assert isinstance(exact.verdicts[-1], Refuted)
        assert exact.verdict.counter_example.reason is Why.ORDER_OF_SUMMING
    else:
        assert isinstance(exact.verdict, Proved)
        assert emit_schedule(exact, bitwise=True)
