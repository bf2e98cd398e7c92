"""A collective of a constant, which the gradient of a psum has: judged by values, and no error."""

from pathlib import Path

from frontend.xla_ranks.executed import judged

from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.expression import Call, Number, Read, Statement
from p2smt.tensor.ranks.joining import flat
from p2smt.tensor.shapes import Whole
from p2smt.verify.verdict import Refuted

TEXTS = Path(__file__).with_name("constants")


def test_a_gradient_that_is_summed_once_more_is_shown_wrong():
    """`jax.grad` of a psum inside `shard_map` without its check of varying axes doubles the gradient on two devices."""
    verdict = judged(TEXTS / "gradient_of_a_sum.mlir")
    assert isinstance(verdict, Refuted), verdict
    assert verdict.counter_example.wrong is not None
    assert verdict.counter_example.wrong.name == "result1"


def test_statements_that_are_names_or_numbers_are_sums_with_zero():
    known = {"x": Whole((2,), ProgramBuilder("", ()).whole(Number(1)).dtype)}
    made = flat([Statement("y", Read("x")), Statement("one", Number(1))], known)
    assert [each.expression for each in made] == [
        Call("add", (Read("x"), Number(0))),
        Call("add", (Number(1), Number(0))),
    ]
    assert known["y"].shape == (2,)
    assert known["one"].shape == ()
