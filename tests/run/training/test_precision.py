"""Real gloo ranks: a step in mixed precision computes what casts by hand do, and goes on with another batch."""

from pathlib import Path

import pytest
from run.training import precise_rank
from tiers import is_full

from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat

pytestmark = pytest.mark.slow

RANK = str(Path(__file__).with_name("precise_rank.py"))
LIMIT_S, CLOSE = 120.0, 1e-7
SUMMED = ["x sliced(0)", "gradient.*.bf16 partial"]
"""Every rank has half of the samples, and gradients are summands."""


@pytest.fixture(scope="module")
def ranks():
    with CallRanks([Seat()] * 2, timeout_s=LIMIT_S) as running:
        yield running


@pytest.mark.thorough  # other batches: tests/run/training/test_sharded.py, tests/spmd/test_precision.py
def test_training_goes_on_with_another_batch_in_the_same_layouts(ranks):
    for apart, same in ranks.call(RANK, "another_batch", "node:1,gpu:2", timeout_s=LIMIT_S):
        assert apart < 1e-6
        assert same


def test_a_step_on_one_rank_is_that_with_casts_by_hand(alone):
    """Nothing is summed over ranks, so the type of sums makes no difference."""
    apart, source = precise_rank.trains("gpu:1", "compute=bf16,reduce=bf16,keep=*loss*", [], parts=1)
    assert max(apart) < CLOSE
    assert "torch.bfloat16" in source


@pytest.mark.thorough  # types of sums, and the proof up to rounding: tests/spmd/test_precision.py
def test_a_step_is_that_with_casts_by_hand_and_gradients_are_summed_in_the_type_that_is_asked_for(ranks):
    for position, reduce in enumerate(("f32", "bf16")):
        if reduce == "f32" and not is_full():
            continue
        asked = f"compute=bf16,reduce={reduce},keep=*loss*"
        for apart, source in ranks.call(RANK, "trains", "node:1,gpu:2", asked, SUMMED, timeout_s=LIMIT_S):
            assert apart[position] < CLOSE
            assert apart[1 - position] > 100 * CLOSE
            assert "torch.bfloat16" in source
