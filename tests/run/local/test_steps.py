"""Emitted steps in real gloo processes: losses, parameters and states equal those of PyTorch on one device."""

import hashlib
import multiprocessing
import re
from functools import cache
from pathlib import Path

import pytest
from emit.torch.sharded_models import sharded_model
from emit.torch.step_programs import MESH, MOVED, ZERO
from forked_ranks import on_ranks
from run.local.trained import batches_of, eager, sharded, training
from tiers import is_full, sample

from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import RunError
from p2smt.frontend.torch_graph.settings import Example
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.way import Way

pytestmark = pytest.mark.slow

RANK = str(Path(__file__).with_name("step_rank.py"))
LIMIT_S, STEPS, CLOSE = 120.0, 3 if is_full() else 2, 1e-10
STARVED = """program wide
mesh device=3
input x : f32[6, 2] sliced(0)
parameter w : f32[4096, 2]
large = matmul(w, transpose(w, 1, 0))
loss = AllReduce(sum(matmul(x, transpose(w, 1, 0)))) + sum(large)
output loss
"""
SHARES = {
    Example.MLP: (1, 2, 4),
    Example.VGG: (1, 0, 1),
    Example.VIT: (3, 2, 1),
    Example.BERT: (1, 1, 1),
    Example.MOE: (0, 1, 3),
    Example.GPT: (2, 0, 1),
}
"""Even and uneven shares, and such as leave a rank without any."""


@pytest.fixture(scope="module")
def ranks():
    with CallRanks([Seat()] * 3, timeout_s=LIMIT_S) as running:
        yield running


def written(running, text):
    path = running.folder / f"step{hashlib.sha256(text.encode()).hexdigest()[:16]}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


@cache
def program(example, shares):
    return sharded(example, shares)


def apart(found, expected):
    """The largest difference of two checkpoints, relative to 1 or more."""
    worst = 0.0
    for part in ("module", "optimizer"):
        assert found[part].keys() == expected[part].keys()
    pairs = [(found["module"][key], each) for key, each in expected["module"].items()]
    for name, moments in expected["optimizer"].items():
        assert found["optimizer"][name].keys() == moments.keys()
        pairs += [(found["optimizer"][name][key], each) for key, each in moments.items()]
    for mine, theirs in pairs:
        worst = max(worst, float((mine - theirs).abs().max() / theirs.abs().max().clamp(min=1)))
    assert found.get("step") == expected.get("step")
    return worst


def expected_of(example, steps=STEPS):
    """The state in which training begins, the batches, and what PyTorch makes of them."""
    task = training(example)
    state = {name: each.clone() for name, each in task.module.state_dict().items()}
    for name, each in task.module.state_dict().items():
        first = next(key for key, other in task.module.state_dict().items() if other.data_ptr() == each.data_ptr())
        state[name] = state[first]
    batches = batches_of(task, steps)
    return task, state, batches, eager(task, batches)


def some(*examples, among=Example):
    """These in both tiers, all others in the full one."""
    # functions are emitted for the operations that occur, whatever the model
    return [each if each in examples else pytest.param(each, marks=pytest.mark.thorough) for each in among]


@pytest.mark.thorough  # others train below; convolutions on simulated ranks in tests/spmd/test_captured_models.py
@pytest.mark.parametrize("example", Example)
def test_a_model_trains_as_on_one_device(ranks, example):
    """Tied weights with clipping, which GPT has, train in both tiers in tests/run/campaign.

    What else experts need, blocks exchanged between all ranks, is among the conversions below.
    """
    task, state, batches, losses = expected_of(example)
    text = emit_program(program(example, SHARES[example]))
    path = written(ranks, text)
    for found, checkpoint in ranks.call(RANK, "train", path, state, batches, True, timeout_s=LIMIT_S):
        assert found == pytest.approx(losses, rel=CLOSE)
        expected = module_of(text)["Step"].from_torch(task.module, task.optimizer)
        assert checkpoint.pop("step") == STEPS
        assert expected.pop("step") in (STEPS, 0), "torch's SGD does not count"
        assert apart(checkpoint, expected) < CLOSE


def module_of(text):
    names = {"__name__": "emitted"}
    exec(compile(text, "emitted", "exec"), names)
    return names


def test_ranks_give_their_own_parts_of_the_batch_and_keep_no_more(ranks):
    _, state, batches, losses = expected_of(Example.MLP)
    text = emit_program(program(Example.MLP, SHARES[Example.MLP]))
    kept = []
    for found, elements in ranks.call(RANK, "parts", written(ranks, text), state, batches, timeout_s=LIMIT_S):
        assert found == pytest.approx(losses, rel=CLOSE)
        kept.append(elements)
    whole = 2 * sum(each.numel() for each in state.values())  # as many moments
    assert kept == sorted(kept)
    assert kept[0] < whole / 6
    assert sum(kept) < 1.1 * whole


@pytest.mark.parametrize("way", sample([Way.PADDED, Way.GROUPED, Way.EXCHANGE], 2))
def test_uneven_collectives_are_done_in_every_way(ranks, way):
    made = parse_program(ZERO)
    text = emit_program(made, {each.name: way for each in made.statements})
    suffix = {Way.PADDED: "padded", Way.GROUPED: "grouped", Way.EXCHANGE: "exchanged"}[way]
    for goal in ("all_gather", "reduce_scatter"):
        call = rf"= {goal}_bucket_exchanged\(" if way is Way.EXCHANGE else rf"along_rank, {goal}_{suffix}\s*\)"
        assert re.search(call, text), "in a bucket with an even one"
    assert re.search(r"all_reduce_bucket\(.*dist\.ReduceOp\.MAX\)", text)
    assert ranks.call(RANK, "check", written(ranks, text), timeout_s=LIMIT_S) == [0] * 3
    apart = emit_program(made, {each.name: way for each in made.statements}, buckets=0)
    assert "bucket" not in apart
    assert apart.count(f" all_gather_{suffix}(") >= 2
    assert apart.count(f" reduce_scatter_{suffix}(") >= 2
    if is_full() or way is not Way.PADDED:  # the functions are those that buckets call
        assert ranks.call(RANK, "check", written(ranks, apart), is_full(), timeout_s=LIMIT_S) == [0] * 3


def overlapped_and_at_once(program, most):
    """A step that sums gradients beside the backward pass, and the same that waits for each sum where it is begun."""
    text = emit_program(program, buckets=most)
    at_once = text.replace("op, group=axis.group, async_op=True) if axis.size", "op, group=axis.group) if axis.size")
    assert at_once != text
    assert text.count(" = all_reduce_begun(") > 2
    return text, at_once


@pytest.mark.parametrize("example", some(Example.BERT, among=(Example.BERT, Example.VIT, Example.GPT)))
def test_gradients_are_summed_beside_the_backward_pass_bit_for_bit(ranks, example):
    """Dropout and Adam; tied weights and clipping, convolutions; parameters on every rank, samples cut.

    What sums gradients is the same for all; the others are what a step computes, and trained above.
    """
    task, state, batches, losses = expected_of(example)
    made = sharded_model(example.value, (1, 1, 1), baseline="data parallel")
    texts = overlapped_and_at_once(made, 600)
    each = [
        ranks.call(RANK, "train", written(ranks, text), state, batches, number == 0 or is_full(), timeout_s=LIMIT_S)
        for number, text in enumerate(texts)
    ]
    expected = module_of(texts[0])["Step"].from_torch(task.module, task.optimizer)
    expected.pop("step")
    for (found, checkpoint), (at_once, plain) in zip(*each, strict=True):
        assert found == at_once == pytest.approx(losses, rel=CLOSE)
        assert same_bits(checkpoint, plain)
        checkpoint.pop("step")
        assert apart(checkpoint, expected) < CLOSE


@pytest.mark.thorough  # the same functions sum gradients on three ranks above
@pytest.mark.parametrize("count", [2, 4])
def test_two_and_four_ranks_sum_gradients_beside_the_backward_pass(count):
    _, state, batches, losses = expected_of(Example.MLP)
    made = sharded_model("mlp", (1,) * count, baseline="data parallel")
    with CallRanks([Seat()] * count, timeout_s=LIMIT_S) as running:
        texts = overlapped_and_at_once(made, 600)
        each = [
            running.call(RANK, "train", written(running, text), state, batches, timeout_s=LIMIT_S) for text in texts
        ]
    for (found, checkpoint), (at_once, plain) in zip(*each, strict=True):
        assert found == at_once == pytest.approx(losses, rel=CLOSE)
        assert same_bits(checkpoint, plain)


def test_every_other_conversion_is_done(ranks):
    text = emit_program(parse_program(MOVED))
    assert ranks.call(RANK, "check", written(ranks, text), timeout_s=LIMIT_S) == [0] * 3
    spoiled = text.replace("return exchanged(blocks, lengths, axis)", "return 2 * exchanged(blocks, lengths, axis)")
    assert spoiled != text
    assert min(ranks.call(RANK, "check", written(ranks, spoiled), is_full(), timeout_s=LIMIT_S)) > 0


def test_two_axes_one_of_which_cuts_what_the_other_has_cut():
    with CallRanks([Seat()] * 4, timeout_s=LIMIT_S) as running:
        text = emit_program(parse_program(MESH))
        assert running.call(RANK, "check", written(running, text), timeout_s=LIMIT_S) == [0] * 4


def same_bits(found, expected):
    return apart(found, expected) == 0.0


@pytest.mark.parametrize(
    "example",
    # tied weights, which GPT has, go from one sharding to another in tests/run/campaign
    [Example.MLP, pytest.param(Example.GPT, marks=pytest.mark.thorough)],
)
def test_a_checkpoint_loads_into_another_sharding_and_into_one_device(ranks, example):
    _, state, batches, losses = expected_of(example, steps=4)
    texts = [emit_program(program(example, shares)) for shares in (SHARES[example], (0, 1, 1))]
    assert texts[0] != texts[1]
    paths = [written(ranks, text) for text in texts]
    checkpoint, reread, found = ranks.call(RANK, "continued", *paths, state, batches, timeout_s=LIMIT_S)[1]
    assert found == pytest.approx(losses[2:], rel=CLOSE)
    assert same_bits(reread, checkpoint)
    alone = training(example)
    step = module_of(texts[0])["Step"]
    step.into_torch(checkpoint, alone.module, alone.optimizer)
    back = step.from_torch(alone.module, alone.optimizer)
    assert same_bits(back | {"step": checkpoint["step"]}, checkpoint)
    assert eager(alone, batches[2:], first=3) == pytest.approx(losses[2:], rel=CLOSE)


def test_a_closed_step_leaves_no_threads_behind_and_makes_no_step(ranks):
    _, state, batches, _ = expected_of(Example.MLP, steps=1)
    path = written(ranks, emit_program(program(Example.MLP, SHARES[Example.MLP])))
    said = "the process groups of this step are closed; make another step"
    assert ranks.call(RANK, "closed", path, state, batches[0], timeout_s=LIMIT_S) == [(0, said)] * 3


def test_what_does_not_fit_is_said(ranks):
    _, state, batches, _ = expected_of(Example.MLP, steps=1)
    path = written(ranks, emit_program(program(Example.MLP, SHARES[Example.MLP])))

    def said(state, batch):
        return ranks.call(RANK, "refused", path, state, batch, timeout_s=LIMIT_S)

    (batch,) = batches
    other = {**state, "layers.0.weight": state["layers.0.weight"][:4]}
    assert said(other, batch)[0] == (
        "ValueError: layers.0.weight is torch.float64 [4, 8] in this checkpoint, and torch.float64 [32, 8] in the "
        "step: it is a checkpoint of another model"
    )
    deeper = {**state, "layers.2.weight": state["layers.0.weight"] + 1}
    assert (
        said(deeper, batch)
        == ["KeyError: the step does not know layers.2.weight of this checkpoint: it belongs to another model"] * 3
    )
    less = {name: each for name, each in state.items() if name != "layers.1.bias"}
    assert said(less, batch)[2].startswith(
        "KeyError: the checkpoint lacks layers.1.bias: it belongs to another model, "
    )
    assert said(state, {"x": batch["x"]})[0] == "KeyError: the batch lacks 'y'; it has 'x'"
    assert said(state, {**batch, "y": batch["y"][:2]})[0].startswith("ValueError: y is [2, 8]; it has to be [3, 8]")
    with CallRanks([Seat()] * 2, timeout_s=LIMIT_S) as two:
        file = written(two, Path(path).read_text(encoding="utf-8"))
        other = two.call(RANK, "refused", file, state, batch, timeout_s=LIMIT_S)
    assert other == ["RuntimeError: this step is made for 3 ranks, not for 2"] * 2


def test_a_rank_that_is_killed_ends_all_at_once():
    before = {*multiprocessing.active_children()}
    _, state, batches, _ = expected_of(Example.MLP, steps=1)
    with CallRanks([Seat()] * 3, timeout_s=LIMIT_S) as running:
        path = written(running, emit_program(program(Example.MLP, SHARES[Example.MLP])))
        with pytest.raises(RunError, match="rank 1 was ended by SIGKILL"):
            running.call(RANK, "dying", path, state, batches[0], timeout_s=LIMIT_S)
        assert_gone(running, before)


@pytest.mark.thorough  # a rank that is killed is named above
def test_a_rank_with_too_little_memory_is_named():
    before = {*multiprocessing.active_children()}
    with CallRanks([Seat()] * 3, timeout_s=LIMIT_S) as running:
        path = written(running, emit_program(parse_program(STARVED)))
        with pytest.raises(RunError, match=r"MemoryError: rank 1 has too little memory for a step: .*67108864 bytes"):
            running.call(RANK, "starved", path, 1, 2**24, timeout_s=LIMIT_S)
        assert_gone(running, before)


def assert_gone(running, before):
    """No process is left but those before, nor what was written for them."""
    assert running.ended
    assert not running.folder.exists()
    assert {*multiprocessing.active_children()} <= before


def test_the_file_alone_checks_itself(tmp_path):
    text = emit_program(program(Example.MLP, (1, 2)))
    said = on_ranks(tmp_path, {"step.py": (text, 2), "alone.py": (text, 0)}, TORCH_DISTRIBUTED_DEBUG="DETAIL")
    printed, codes = said["step.py"]
    assert codes == [0, 0]
    assert "step on 2 ranks (gloo, torch " in printed
    assert printed.strip().endswith("equals one device")
    assert said["alone.py"] == ("start 2 processes: torchrun --standalone --nproc-per-node 2 alone.py\n", [2])
