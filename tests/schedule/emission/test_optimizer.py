"""Emitted optimizers train as torch.optim does, with states in slices; checkpoints go from one to the other."""

import pytest
from emit.emitted import check_style
from paths import TESTS
from schedule.emission.packaged import checked

from p2smt.errors import ProgramError
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.schedule.emission.optimizer import emit_optimizer

RANK = str(TESTS / "schedule" / "emission" / "optimizer_rank.py")
RANKS, LIMIT_S, CLOSE = 2, 120.0, 1e-9
OPTIMIZERS = ["adam_fused", "adamw_rs_opt_ag", "lamb_layers_rs_opt_ag", "lars_rs_opt_ag", "sgd_fused"]
LIKE_TORCH = [
    ("adam_rs_opt_ag", "Adam", {"lr": 0.01, "betas": (0.8, 0.9)}),
    ("adamw_rs_opt_ag", "AdamW", {"lr": 0.01, "weight_decay": 0.1}),
    ("sgd_fused", "SGD", {"lr": 0.1, "momentum": 0.5}),
]


@pytest.fixture(scope="module")
def ranks():
    with CallRanks([Seat()] * RANKS, timeout_s=LIMIT_S) as running:
        yield running


def written(running, name):
    path = running.folder / f"{name}.py"
    path.write_text(emit_optimizer(checked(name, RANKS)), encoding="utf-8")
    return str(path)


def test_files_keep_the_style(tmp_path):
    check_style(tmp_path, [emit_optimizer(checked(name, RANKS)) for name in OPTIMIZERS])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("adam_ar_opt", "3 of p, m, v are kept whole"),
        ("adam_overlapped", "loops over chunks"),
        ("mlp_rs_ag", "mlp_tail has not one input that is partial"),
        ("adamw_mixed_fused", "master is not f16[31], as the gradient g is"),
        ("zero2", "zero2 has not one input that is partial"),
    ],
)
def test_what_is_no_optimizer_is_refused(name, said):
    with pytest.raises(ProgramError) as refused:
        emit_optimizer(checked(name, RANKS))
    assert said in str(refused.value)
    assert "as an optimizer is emitted what scatters one sum of gradients" in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_does_what_its_program_does(ranks, name):
    assert ranks.call(RANK, "check", written(ranks, name), timeout_s=LIMIT_S) == [0] * RANKS


@pytest.mark.slow
@pytest.mark.parametrize(("name", "like", "numbers"), LIKE_TORCH)
def test_a_model_trains_as_with_torch_and_checkpoints_go_both_ways(ranks, name, like, numbers):
    found = ranks.call(RANK, "against_torch", written(ranks, name), like, numbers, 8, timeout_s=LIMIT_S)
    assert max(apart for apart, _, _ in found) < CLOSE
    assert {kept for _, kept, _ in found} == {-(-found[0][2] // RANKS)}, "a slice of every state"


@pytest.mark.slow
def test_lamb_in_slices_is_plain_lamb_over_fifty_steps(ranks):
    found = ranks.call(RANK, "against_lamb", written(ranks, "lamb_layers_rs_opt_ag"), 50, timeout_s=LIMIT_S)
    assert max(apart for apart, _, _ in found) < CLOSE
    assert found[0][2] < found[0][1]
