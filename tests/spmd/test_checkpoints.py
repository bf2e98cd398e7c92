"""Checkpointed regions: computed again where they are kept, one with the forward pass where they are dropped."""

from dataclasses import replace

import pytest
from looped import looped

from p2smt.errors import ProblemError
from p2smt.problem.system.text import find_system
from p2smt.spmd.model.checkpoint_treatment import CheckpointTreatment, parse_checkpoints
from p2smt.spmd.model.checkpoints import regions
from p2smt.spmd.model.precision import parse_precision
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.comparison import compare
from p2smt.tensor.dtype import DType
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.shapes import wholes
from p2smt.tensor.text.parser import parse_program

LAYER = """h{n} = matmul({x}, w{n})
a{n} = tanh(h{n})
x{n} = matmul(a{n}, v{n})
"""
BACK = """{again}h{n} = matmul({x}, w{n})
{again}a{n} = tanh({again}h{n})
gradient.v{n} = matmul(transpose({again}a{n}, 1, 0), {dx})
dh{n} = tanh_backward(matmul({dx}, transpose(v{n}, 1, 0)), {again}a{n})
gradient.w{n} = matmul(transpose({x}, 1, 0), dh{n})
d{n} = matmul(dh{n}, transpose(w{n}, 1, 0))
"""


def step(again="recomputed.", back=BACK):
    """Two layers with a wide hidden one each, whose hidden values the backward pass computes again."""
    sources = "".join(f"parameter w{n} : f32[8, 128]\nparameter v{n} : f32[128, 8]\n" for n in (1, 2))
    text = f"program step\ninput x : f32[32, 8]\n{sources}" + LAYER.format(n=1, x="x") + LAYER.format(n=2, x="x1")
    text += "loss = sum(x2 * x2)\ndx = x2 * 2\n" + back.format(n=2, x="x1", dx="dx", again=again)
    text += back.format(n=1, x="x", dx="d2", again=again)
    text += "".join(f"{p}.new = update({p}, {p} - 0.1 * gradient.{p})\n" for p in ("w1", "v1", "w2", "v2"))
    return parse_program(f"{text}output loss\n")


STEP = step()
PLAIN = step("", "".join(line for line in BACK.splitlines(keepends=True) if not line.startswith("{again}")))
ONE, PAIR = find_system("node:1,gpu:1"), find_system("node:1,gpu:2")
SLOW = ShardingRequest(speed=1e9, baselines=False)
DROPPED = replace(SLOW, checkpoints=CheckpointTreatment.DROP)


@pytest.mark.thorough  # regions are followed in the other tests of this file
@looped("system", [ONE, PAIR])
def test_kept_regions_take_less_memory_and_more_time_and_dropped_ones_are_as_if_there_were_none(system):
    kept, dropped, plain = (
        shard_program(STEP, system, SLOW),
        shard_program(STEP, system, DROPPED),
        shard_program(PLAIN, system, SLOW),
    )
    assert (dropped.account.time, dropped.account.memory) == (plain.account.time, plain.account.memory)
    again = 2 * (32 * 8 * 128 * 2 + 32 * 128)
    done = [sum(sum(each.flops) for each in one.account.instructions) for one in (kept, dropped)]
    if system is ONE:
        assert done[0] - done[1] == again
        assert max(dropped.account.memory) > max(kept.account.memory)
    assert done[0] > done[1]
    assert kept.notes == ("checkpointed: 4 statements computed again in the backward pass, as the model says",)
    assert dropped.notes == ("checkpoints dropped: 4 statements not computed again",)
    for one in (kept, dropped):
        assert compare(one.program, PLAIN, PrimeField(1)) is None


@pytest.mark.parametrize("mesh", [None, pytest.param("2,2", marks=pytest.mark.thorough)])  # one graph for any axes
def test_what_is_recomputed_is_computed_where_it_was(mesh):
    found = shard_program(STEP, find_system("node:2,gpu:2"), replace(SLOW, mesh=mesh))
    names = [each.name for each in found.program.statements]
    assert names.index("recomputed.h1") > names.index("dh2") > names.index("recomputed.h2") > names.index("x2")
    assert compare(found.program, PLAIN, PrimeField(1)) is None


def test_precision_is_that_of_what_is_recomputed():
    kept = shard_program(STEP, PAIR, replace(SLOW, precision=parse_precision("compute=bf16,keep=a*")))
    known = wholes(kept.program)
    assert {known[name].dtype for name in ("recomputed.a1", "recomputed.a2", "a1", "a2")} == {DType.F32}
    assert known["recomputed.h1"].dtype is DType.BF16


def test_programs_without_regions_are_left_and_other_words_refused():
    assert regions(PLAIN, CheckpointTreatment.DROP) == regions(PLAIN, CheckpointTreatment.KEEP)
    assert parse_checkpoints("drop") is CheckpointTreatment.DROP
    with pytest.raises(ProblemError, match="checkpoints 'all' is unknown; write keep or drop"):
        parse_checkpoints("all")
