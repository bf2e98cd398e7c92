"""A sharding found for one batch and applied to another: the same layouts, the step of the new batch, or a refusal."""

from dataclasses import replace

import pytest

from p2smt.errors import ProblemError
from p2smt.problem.system.text import find_system
from p2smt.spmd.like import shard_beside, shard_like
from p2smt.spmd.model.batch import Batch, batch_of
from p2smt.spmd.model.precision import parse_precision
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.comparison import compare
from p2smt.tensor.inference import infer
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.text.parser import parse_program


def step(batch, width=16, more=""):
    return parse_program(f"""program step{batch}
input x : f32[{batch}, 3, 8]
input t : f32[{batch}, 3, {width}]
parameter w : f32[8, {width}]
parameter b : f32[{width}]
rows = reshape(x, {batch * 3}, 8)
flat = relu(matmul(rows, w) + b)
h = reshape(flat, {batch}, 3, {width})
e = h - t
loss = sum(e * e) / {batch * 3 * width}
d = reshape(e * (2 / {batch * 3 * width}), {batch * 3}, {width})
dr = relu_backward(d, flat)
gradient.w = einsum("n i, n o -> i o", rows, dr)
gradient.b = sum(dr, 0)
w.new = update(w, w - 0.1 * gradient.w)
b.new = update(b, b - 0.1 * gradient.b)
output loss
{more}""")


FOUR = find_system("node:2,gpu:2")
SLOW = ShardingRequest(speed=10.0**6, baselines=False)
DATA = replace(SLOW, conditions=("x sliced(0)", "t sliced(0)", "w sliced(1)", "flat sliced(0)"))


@pytest.mark.parametrize("mesh", [None, pytest.param("data=2,tensor=2", marks=pytest.mark.thorough)])  # one problem
def test_layouts_are_kept_and_the_step_is_that_of_the_new_batch(mesh):
    conditions = DATA.conditions if mesh is None else ("x sliced(0) on data", "w sliced(1) on tensor")
    asked = replace(DATA, mesh=mesh, conditions=conditions)
    like = shard_program(step(8), FOUR, asked).program
    divisor = 4 if mesh is None else 2
    assert batch_of(like) == Batch(8, divisor)
    same = shard_like(step(8), FOUR, like, SLOW)
    assert {each.name: each.layouts for each in same.answer.program.sources} == {
        each.name: each.layouts for each in like.sources
    }
    for batch in (4, 64):
        found = shard_like(step(batch), FOUR, like, SLOW)
        program = found.answer.program
        assert (found.before, found.batch) == (Batch(8, divisor), Batch(batch, divisor))
        assert compare(program, step(batch), PrimeField(1)) is None
        before, after = infer(like).layouts, infer(program).layouts
        assert [after[name] for name in ("w", "b")] == [before[name] for name in ("w", "b")]
        assert [each.layouts for each in program.sources] == [each.layouts for each in like.sources]
    assert found.answer.account.time > same.answer.account.time


def test_what_it_takes_is_what_a_search_says_of_the_same_program():
    like = shard_program(step(8), FOUR, DATA)
    again = shard_like(step(8), FOUR, like.program, SLOW)
    assert again.answer.program == like.program
    assert again.answer.account == like.account
    low = replace(DATA, precision=parse_precision("bf16"))
    mixed = shard_program(step(8), FOUR, low)
    found = shard_like(step(16), FOUR, mixed.program, replace(SLOW, precision=low.precision))
    assert "w.bf16" in {each.name for each in found.answer.program.statements}


REFUSED = {
    "6 samples": (
        step(6),
        "is not a multiple of 4, the number of parts into which step8 cuts samples;",
    ),
    "another width": (step(8, width=32), "w is parameter f32\\[8, 32\\] here, parameter f32\\[8, 16\\] there"),
    "another source": (step(8, more="input z : f32[2]\noutput z\n"), "z is input f32\\[2\\] here, is not there"),
}


def test_other_batches_and_other_steps_are_refused():
    like = shard_program(step(8), FOUR, DATA).program
    for name, (program, said) in REFUSED.items():
        with pytest.raises(ProblemError, match=said):
            pytest.fail(f"{name}: {shard_like(program, FOUR, like, SLOW)}")
    with pytest.raises(ProblemError, match="is for 4 devices, but the system has 2"):
        shard_like(step(16), find_system("node:1,gpu:2"), like, SLOW)
    with pytest.raises(ProblemError, match="it has no mesh"):
        shard_like(step(16), FOUR, step(8), SLOW)
    uneven = shard_program(step(8), FOUR, replace(DATA, shares="0.5/0.25/0.125/0.125")).program
    with pytest.raises(
        ProblemError, match="of x, but only even ones can be reused; shard this batch without --search like"
    ):
        shard_like(step(16), FOUR, uneven, SLOW)


def test_beside_a_sharding_parameters_keep_their_parts_for_any_batch_and_uneven_shares_are_refused():
    """All else is searched: five samples are no multiple of four."""
    like = shard_program(step(8), FOUR, replace(DATA, conditions=("w sliced(0)", "b sliced(0)"))).program
    free = shard_program(step(5), FOUR, SLOW).program
    program = shard_beside(step(5), FOUR, like, SLOW).candidate.program
    w, b = (next(each for each in like.sources if each.name == name).layouts for name in "wb")
    assert {each.name: each.layouts for each in program.sources if each.name in "wb"} == {"w": w, "b": b}
    assert next(each for each in free.sources if each.name == "w").layouts != w
    assert compare(program, step(5), PrimeField(1)) is None
    uneven = shard_program(step(8), FOUR, replace(DATA, shares="0.4/0.2/0.2/0.2", conditions=("b sliced(0)",))).program
    with pytest.raises(ProblemError, match="by uneven sharding ratios, which another step cannot use; shard with"):
        shard_beside(step(5), FOUR, uneven, SLOW)
