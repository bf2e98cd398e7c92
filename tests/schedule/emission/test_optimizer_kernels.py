"""Emitted optimizers with kernels of Triton's train as torch.optim does; Triton's interpreter runs them on ranks."""

import importlib.util

import pytest
from emit.emitted import check_style
from paths import TESTS
from schedule.emission.packaged import checked
from schedule.emission.test_optimizer import LIKE_TORCH, OPTIMIZERS
from tiers import is_full, sample

from p2smt.emit.target import KernelLanguage
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.schedule.emission.optimizer import emit_optimizer

RANK = str(TESTS / "schedule" / "emission" / "optimizer_rank.py")
INTERPRETER = str(TESTS / "schedule" / "emission" / "kernel_rank.py")
RANKS, LIMIT_S = 2, 180.0
STEPS = 4 if is_full() else 2
CLOSE = {"float64": 1e-13, "float32": 1e-5, "bfloat16": 2.0**-5}
"""How far parameters may be from those of the file whose kernels are torch's."""
needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="triton is not installed: pip install 'p2smt[triton]', on Linux"
)


def emitted(name):
    return emit_optimizer(checked(name, RANKS), kernels=KernelLanguage.TRITON)


@pytest.fixture(scope="module")
def ranks():
    with CallRanks([Seat()] * RANKS, timeout_s=LIMIT_S) as running:
        assert running.call(INTERPRETER, "interpreted", timeout_s=LIMIT_S) == ["1"] * RANKS
        yield running


def written(running, name, text):
    path = running.folder / f"{name}{abs(hash(text))}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_files_keep_the_style_and_have_kernels(tmp_path):
    texts = [emitted(name) for name in OPTIMIZERS]
    check_style(tmp_path, texts)
    for text in texts:
        assert "@triton.jit\ndef updated_kernel(" in text
        assert "needs torch, triton alone" in text
        assert "updated_kernel," in text[text.index("\ndef updated(") :]


@pytest.mark.thorough  # LAMB and those of torch.optim are compared below
@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_kernels_update_as_torch_does(ranks, name):
    """The others are compared below: those of torch.optim with those themselves, LAMB with plain LAMB.

    In the standard tier in bfloat16, as what is compared below is in float64.
    """
    kernels = written(ranks, name, emitted(name))
    assert ranks.call(RANK, "check", kernels, is_full(), timeout_s=LIMIT_S) == [0] * RANKS
    plain = written(ranks, name, emit_optimizer(checked(name, RANKS)))
    for real, close in sample(reversed(CLOSE.items()), 1):
        assert max(ranks.call(RANK, "beside", kernels, plain, real, STEPS, is_full(), timeout_s=LIMIT_S)) <= close


@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize(("name", "like", "numbers"), LIKE_TORCH)
def test_a_model_trains_with_kernels_as_with_torch(ranks, name, like, numbers):
    path = written(ranks, name, emitted(name))
    found = ranks.call(RANK, "against_torch", path, like, numbers, 4, is_full(), timeout_s=LIMIT_S)
    assert max(apart for apart, _, _ in found) < 1e-9


@needs_triton
@pytest.mark.slow
def test_lamb_with_kernels_is_plain_lamb(ranks):
    path = written(ranks, "lamb", emitted("lamb_layers_rs_opt_ag"))
    found = ranks.call(RANK, "against_lamb", path, 10, timeout_s=LIMIT_S)
    assert max(apart for apart, _, _ in found) < 1e-9


SPOILED = [("m * beta1", "m * beta2"), ("inside = position < count", "inside = position < count - 1")]


@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize(("right", "wrong"), SPOILED)
def test_an_update_that_is_spoiled_is_found(ranks, right, wrong):
    text = emitted("adam_fused")
    assert right in text
    kernels = written(ranks, "spoiled", text.replace(right, wrong, 1))
    plain = written(ranks, "plain", emit_optimizer(checked("adam_fused", RANKS)))
    found = ranks.call(RANK, "beside", kernels, plain, "float64", STEPS, is_full(), timeout_s=LIMIT_S)
    assert max(found) > CLOSE["float64"]
