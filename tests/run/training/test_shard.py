"""`p2smt.shard` in real gloo processes: a model that is spread over ranks trains as on one device."""

import re
from pathlib import Path

import pytest
import torch
from documents import Document
from forked_ranks import started
from paths import ROOT
from tiers import is_full

import p2smt
from p2smt.errors import RunError
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.run.rank.modules import load_module

pytestmark = pytest.mark.slow

RANK = str(Path(__file__).with_name("shard_rank.py"))
shard_rank = load_module(RANK)
LIMIT_S, CLOSE = 120.0, 1e-11


@pytest.fixture(scope="module")
def ranks():
    with CallRanks([Seat()] * 2, timeout_s=LIMIT_S) as running:
        yield running


CUT = ["words.weight sliced(0)", "layers.2.weight sliced(1)", "layers.block_1.bias sliced(0)"]


@pytest.mark.parametrize(
    ("shares", "conditions"),
    [
        pytest.param("even", [], marks=pytest.mark.thorough),  # shares are even where checkpoints go on, below
        pytest.param("0.8/0.2", CUT, marks=pytest.mark.thorough),  # tests/run/campaign, tests/run/local/test_steps.py
        # the loop and limits are those of tests/spmd/test_alternation.py and test_memory.py; here they are accepted
        pytest.param("alternate", [*CUT, "at most 30GB"], marks=pytest.mark.thorough),
        # ranks train on parts of their own, below
        pytest.param("0/1", CUT, marks=pytest.mark.thorough),
    ],
)
def test_a_model_trains_as_on_one_device_from_what_rank_0_has(ranks, shares, conditions):
    found = ranks.call(RANK, "trains", "node:1,gpu:2", shares, conditions, timeout_s=LIMIT_S)
    for losses, parameters, number, source in found:
        assert max(losses, parameters) < CLOSE
        assert number == 6
        cut = re.findall(r'^    "([\w.]+)": Tensor\("parameter", .* cuts=', source, re.MULTILINE)
        assert {each.split(" ")[0] for each in conditions if not each.startswith("at most")} <= set(cut)


@pytest.mark.thorough  # emitted programs are run in tests/run/local
def test_collectives_are_reduction_programs_where_these_are_faster():
    """Two hosts of two ranks: weights are gathered across hosts first, and then inside."""
    with CallRanks([Seat()] * 4, timeout_s=LIMIT_S) as four:
        found = four.call(RANK, "trains", "lab:2x2", "even", CUT, True, timeout_s=LIMIT_S)
    for losses, parameters, number, source in found:
        assert max(losses, parameters) < CLOSE
        assert number == 6
        assert "def all_gather_by_program(" in source, "functions that nothing calls are not written"


@pytest.mark.thorough  # their steps are captured in tests/frontend/torch_graph/test_optimizers.py
def test_optimizers_of_others_are_followed(ranks):
    names = ["RMSprop", "Heavy"] if is_full() else ["Heavy"]
    for far in ranks.call(RANK, "other_optimizers", "node:1,gpu:2", names, timeout_s=LIMIT_S):
        assert len(far) == len(names)
        assert max(far) < CLOSE


@pytest.mark.thorough  # checkpoints load into another sharding in tests/run/local/test_steps.py
def test_checkpoints_go_from_one_sharding_to_another(ranks):
    for differs, same, worst in ranks.call(RANK, "resumes", "node:1,gpu:2", timeout_s=LIMIT_S):
        assert same == 0
        assert worst < CLOSE
        assert differs


@pytest.mark.parametrize(
    "conditions",
    # what each rank gives is exchanged in the same way where the batch is not cut
    [["x sliced(0)"], pytest.param(["words.weight sliced(0)"], marks=pytest.mark.thorough)],
)
def test_each_rank_gives_its_own_part_and_whoever_does_not_keep_to_that_is_told(ranks, conditions):
    first, second = ranks.call(RANK, "own_batches", "node:1,gpu:2", conditions, timeout_s=LIMIT_S)
    assert max(first[0], second[0]) < CLOSE
    assert first[1] == second[1]
    for said, wanted in zip(
        first[1],
        (
            "all ranks gave the same samples, and batches='own' says that each gives its part",
            "ranks have different learning rates; step the scheduler on every rank",
            "",
            "ranks gave different batches, and batches='whole' says that all give the same",
            "ranks have different learning rates; step the scheduler on every rank",
            "ranks gave 2 to 3 samples; all must give the same number",
            "ranks gave batches of different shapes; all must give",
            "ranks gave samples of different shapes, so the loss is not that of one batch; pad them",
        ),
        strict=True,
    ):
        assert said.startswith(wanted), said


def test_ranks_that_read_unlike_weights_by_layer_are_all_told(ranks):
    for said in zip(*ranks.call(RANK, "reads_apart", timeout_s=LIMIT_S), strict=True):
        assert said[0] == said[1]
        assert said[0].startswith("ranks read different weights while they evaluate by layer: ")


@pytest.mark.thorough  # parts of one rank are written and read in test_sharded.py
def test_sharded_checkpoints_are_read_in_another_sharding_and_by_plain_torch(ranks, alone, tmp_path):
    path = str(tmp_path / "checkpoint")
    for far, same, number in ranks.call(RANK, "sharded_checkpoints", "node:1,gpu:2", path, timeout_s=LIMIT_S):
        assert (far, same, number) == (0, True, 1)
    module, optimizer, batches = shard_rank.made(2, layers=["1"])
    one = p2smt.shard(module, shard_rank.loss, batches[0], "gpu:1", optimizer=optimizer)
    one.load(path)
    other, its, batches = shard_rank.made(layers=["1"])
    shard_rank.eager(other, its, batches[:1], max_norm=None)
    assert shard_rank.apart(one.state_dict()["module"], other.state_dict()) < CLOSE
    one.close()


@pytest.mark.thorough  # late sums are proved in tests/job/test_micro_batches.py
def test_gradients_are_summed_in_the_last_micro_batch_alone_short_ones_too(ranks):
    for far, late in ranks.call(RANK, "accumulates", "node:1,gpu:2", timeout_s=LIMIT_S):
        assert far < CLOSE
        assert "layers.1.weight.accumulated" in late


def test_what_does_not_fit_is_said_on_every_rank(ranks):
    first, second = ranks.call(RANK, "refusals", "node:1,gpu:2", timeout_s=LIMIT_S)
    assert first == second
    for said, wanted in zip(
        first,
        (
            "RunError: the system has 8 devices, one for each rank, but 2 ranks have joined",
            "RunError: the model cannot be sharded: ",
            "RunError: the model cannot be sharded: TypeError: loss() missing 1 required positional argument: 'labels'",
            "ValueError: the batch has 1 tensors, but the step takes 2: x, labels",
            "KeyError: the batch lacks 'labels'; it has 'x'",
            "KeyError: the module has no more, which this checkpoint has: it belongs to another model",
        ),
        strict=True,
    ):
        assert said.startswith(wanted), said


def test_ranks_have_to_have_joined():
    with pytest.raises(RunError, match="ranks have not joined: call torch"):
        p2smt.shard(torch.nn.Linear(2, 2), lambda module, x: module(x).sum(), torch.ones(2, 2), "gpu:1")


@pytest.mark.thorough  # its names are typed in tests/test_public.py, and models train on ranks above
def test_the_example_that_is_shown_runs_as_torchrun_starts_it(tmp_path):
    (text,) = (
        each for each in Document(ROOT / "p2smt" / "run" / "README.md").blocks("python") if "p2smt.shard(" in each
    )
    shown = "print(losses[-1] < 0.1 < losses[0])\ntorch.distributed.destroy"
    assert text.count("torch.distributed.destroy") == 1
    (tmp_path / "train.py").write_text(text.replace("torch.distributed.destroy", shown), encoding="utf-8")
    ended = started(tmp_path, "train.py", 2, PYTHONPATH=str(ROOT))
    assert ended.codes == [0, 0], ended.err.decode()
    assert "".join(ended.out.decode().split()) == "TrueTrue"  # lines of two ranks may run into each other
