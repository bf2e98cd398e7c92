"""Emitted optimizers train as torch.optim does, with states in slices; checkpoints go from one to the other."""

import pytest
from emit.emitted import check_style
from paths import TESTS
from schedule.emission.packaged import checked
from tiers import is_full, sample

from p2smt.errors import ProgramError
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.schedule.check import check_schedule
from p2smt.schedule.emission.optimizer import emit_optimizer
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted

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
        ("adam_ar_opt", "3 of p, m, v are kept unsharded"),
        ("adam_overlapped", "loops over chunks"),
        ("mlp_rs_ag", "mlp_tail does not have exactly one input that is partial(+)"),
        ("adamw_mixed_fused", "master is not f16[31] like the gradient g"),
        ("zero2", "zero2 does not have exactly one input that is partial(+)"),
    ],
)
def test_what_is_no_optimizer_is_refused(name, said):
    with pytest.raises(ProgramError) as refused:
        emit_optimizer(checked(name, RANKS))
    assert said in str(refused.value)
    assert "an emitted optimizer has to reduce-scatter one sum of gradients" in str(refused.value)


SGD = (TESTS.parent / "p2smt" / "schedule" / "examples" / "sgd.tp").read_text(encoding="utf-8").replace("1048576", "32")
STEPS = (TESTS.parent / "p2smt" / "schedule" / "examples" / "sgd_fused.steps").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "steps", "said"),
    [
        ("lr", "rate", STEPS, "the scalar rate is not one of"),
        ("sum / ranks", "sum * softmax(m, 0) / ranks", "rs, ag = split sum rs-ag", "2 of p, m are kept unsharded"),
        ("sum = AllReduce(g)", "half = g * 0.5\nsum = AllReduce(half)", STEPS, "a collective other than the sum of gr"),
        ("state m : f32[N]", "state m : f32[N]\nstate n : f32[8]", STEPS, "n is not f32[32] like the gradient g"),
        ("input g", "input h : f32[N]\ninput g", STEPS, "sgd does not have exactly one input that is partial(+)"),
    ],
)
def test_what_is_nearly_an_optimizer_is_refused_for_its_reason(old, new, steps, said):
    assert old in SGD
    found = check_schedule(parse_program(SGD.replace(old, new)), parse_schedule(steps), RANKS)
    assert isinstance(found.verdict, Proved)
    with pytest.raises(ProgramError) as refused:
        emit_optimizer(found)
    assert said in str(refused.value)


def test_a_schedule_that_is_not_proved_is_not_emitted():
    found = check_schedule(parse_program(SGD), parse_schedule(STEPS), RANKS)
    assert "class " in emit_optimizer(found)
    wrong = check_schedule(parse_program(SGD), parse_schedule(STEPS.replace("slice m\n", "slice p\n")), RANKS)
    assert isinstance(wrong.verdict, Refuted)
    with pytest.raises(ProgramError, match="the schedule is refused; p2smt schedule explains it"):
        emit_optimizer(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIMIZERS if is_full() else ["adam_fused", "lamb_layers_rs_opt_ag", "lars_rs_opt_ag"])
def test_an_optimizer_does_what_its_program_does(ranks, name):
    """AdamW and SGD are compared with torch's, below."""
    assert ranks.call(RANK, "check", written(ranks, name), timeout_s=LIMIT_S) == [0] * RANKS


@pytest.mark.slow
@pytest.mark.parametrize(("name", "like", "numbers"), LIKE_TORCH)
def test_a_model_trains_as_with_torch_and_checkpoints_go_both_ways(ranks, name, like, numbers):
    found = ranks.call(RANK, "against_torch", written(ranks, name), like, numbers, 8, timeout_s=LIMIT_S)
    assert max(apart for apart, _, _ in found) < CLOSE
    assert {kept for _, kept, _ in found} == {-(-found[0][2] // RANKS)}, "a slice of every state"


@pytest.mark.slow
def test_lamb_in_slices_is_plain_lamb_over_many_steps(ranks):
    found = ranks.call(
        RANK, "against_lamb", written(ranks, "lamb_layers_rs_opt_ag"), 50 if is_full() else 15, timeout_s=LIMIT_S
    )
    assert max(apart for apart, _, _ in found) < CLOSE
    assert found[0][2] < found[0][1]


@pytest.mark.thorough  # checkpoints convert in test_processes.py
@pytest.mark.slow
def test_checkpoints_of_lamb_in_slices_go_on_in_plain_lamb_and_on_other_ranks_and_back(ranks, four):
    """Half of the steps by one, the other half by another, which loads its checkpoint: all are plain LAMB's."""
    half = 25 if is_full() else 3
    path, folder = written(ranks, "lamb_layers_rs_opt_ag"), ranks.folder
    who = {"plain": (ranks, ""), "two": (ranks, path), "four": (four, path)}

    def trained(name, begin, first, last, to):
        running, text = who[name]
        running.call(RANK, "train_lamb", text, begin, first, last, str(folder / to), timeout_s=LIMIT_S)
        return str(folder / to)

    whole = trained("plain", "", 0, 2 * half, "whole")
    turns = [("four", "plain"), ("two", "plain"), ("four", "two"), ("plain", "two"), ("plain", "four")]
    tried = sample(turns, 2)
    halves = {name: trained(name, "", 0, half, f"{name}_half") for name in who if name in dict(tried)}
    for before, after in tried:
        end = trained(after, halves[before], half, 2 * half, f"{before}_{after}")
        found = ranks.call(RANK, "checkpoints_apart", end, whole, timeout_s=LIMIT_S)
        assert max(apart for apart, _ in found) < 1e-10, f"{before}, then {after}"
        assert {compared for _, compared in found} == {6 + 6 * 3}
    (apart, _), *_ = ranks.call(RANK, "checkpoints_apart", halves["plain"], whole, timeout_s=LIMIT_S)
    assert apart > 1e-3
