"""The emitted DDP hook in real gloo processes: gradients equal plain DDP's over several steps."""

import json
import multiprocessing
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from scripts.loading import script_module
from support import problem
from tiers import is_full

from p2smt.emit.torch.ddp_source import emit_ddp
from p2smt.errors import RunError
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.file import plan_text
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PermuteStep, Plan
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat

pytestmark = pytest.mark.slow

RANK = str(Path(__file__).with_name("ddp_rank.py"))
LIMIT_S = 120.0
STEPS = 4 if is_full() else 2
CLOSE = {"float32": 1e-5, "float64": 1e-13, "float16": 2e-2, "bfloat16": 1e-1}

SCATTERED = (
    "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), AllReduce); (level0, InsideGroup, AllGather)"
)
REDUCED = "(level0, InsideGroup, Reduce); (level0, Master(root), AllReduce); (level0, InsideGroup, Broadcast)"
PERMUTING = (
    "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), ReduceScatter); (root, InsideGroup, AllGather)"
)


def plan(text: str, sizes: tuple[int, ...] = (2, 2)) -> Plan:
    devices = sizes[0] * sizes[1]
    asked = problem(sizes, [devices])
    lowering = Lowering(asked, all_placements(asked).items[0])
    return lowering.plan(read_program(lowering.hierarchy, text)) if text else lowering.direct


def subset(reduced: int = 0, sizes: tuple[int, ...] = (2, 2), axes: tuple[int, ...] = (2, 2)) -> Plan:
    asked = problem(sizes, axes, [reduced])
    return Lowering(asked, all_placements(asked).items[0]).direct


PLANS = {
    "AllReduce": plan(""),
    "ReduceScatter-AllReduce-AllGather": plan(SCATTERED),
    "Reduce-AllReduce-Broadcast": plan(REDUCED),
    "permuting": plan(PERMUTING),
    "permuting, in chunks": replace(plan(PERMUTING), chunks=5),
    "first axis": subset(0),
    "second axis": subset(1),
}

TRAINED = ("Reduce-AllReduce-Broadcast", "permuting, in chunks")
"""In both tiers."""


@pytest.fixture(scope="module")
def ranks() -> Iterator[CallRanks]:
    before = multiprocessing.active_children()
    with CallRanks([Seat()] * 4, timeout_s=LIMIT_S) as running:
        folder = running.folder
        yield running
    assert multiprocessing.active_children() == before
    assert not folder.exists()


def emitted(ranks: CallRanks, chosen: Plan) -> str:
    path = ranks.folder / f"plan{hash(chosen)}.py"
    path.write_text(emit_ddp(chosen), encoding="utf-8")
    return str(path)


def test_the_plans_are_what_their_names_say():
    assert any(isinstance(step, PermuteStep) for step in PLANS["permuting"].steps)
    permuting = len(PLANS["permuting"].steps)
    assert [len(chosen.steps) for chosen in PLANS.values()] == [1, 3, 3, permuting, permuting, 1, 1]
    assert "_in_chunks" in emit_ddp(PLANS["permuting, in chunks"])
    assert {chosen.groups(chosen.reduction).size for chosen in (PLANS["first axis"], PLANS["second axis"])} == {2}


@pytest.mark.parametrize(
    "name",
    # run by the tests of data types, of the hook registered by hand, of buckets and of what does not fit
    [each if each in TRAINED else pytest.param(each, marks=pytest.mark.thorough) for each in PLANS],
)
def test_gradients_equal_those_of_plain_ddp(ranks, name):
    for worst, buckets, _ in ranks.call(RANK, "train", emitted(ranks, PLANS[name]), STEPS, timeout_s=LIMIT_S):
        assert worst < CLOSE["float32"]
        assert buckets == STEPS


@pytest.mark.thorough  # gradients in buckets are compared with plain DDP
@pytest.mark.parametrize("name", ["permuting, in chunks", "first axis"])
def test_many_small_buckets_that_are_rebuilt(ranks, name):
    path = emitted(ranks, PLANS[name])
    for worst, buckets, first in ranks.call(RANK, "train", path, STEPS, 0.001, timeout_s=LIMIT_S):
        assert worst < CLOSE["float32"]
        assert buckets - first == 3 * (STEPS - 1), "rebuilt after the first step"
        assert first == 1


@pytest.mark.parametrize(
    "dtype",
    [
        pytest.param("float32", marks=pytest.mark.thorough),  # other tests train in it
        pytest.param("float64", marks=pytest.mark.thorough),  # wider than those in which others train
        "bfloat16",
        pytest.param("float16", marks=pytest.mark.thorough),  # as narrow as bfloat16
    ],
)
def test_every_floating_data_type(ranks, dtype):
    path, bucket_mb = emitted(ranks, PLANS["permuting"]), 0.002 if is_full() else 25.0
    for worst, *_ in ranks.call(RANK, "train", path, STEPS, bucket_mb, dtype, timeout_s=LIMIT_S):
        assert worst < CLOSE[dtype]


@pytest.mark.thorough  # gradients in buckets are compared in this file
def test_gradients_that_are_views_of_buckets_and_steps_without_reduction(ranks):
    path = emitted(ranks, PLANS["ReduceScatter-AllReduce-AllGather"])
    for worst, *_ in ranks.call(RANK, "bucket_views", path, STEPS, timeout_s=LIMIT_S):
        assert worst < CLOSE["float32"]


def test_the_hook_registered_by_hand_with_a_layer_that_some_ranks_skip(ranks):
    for worst in ranks.call(RANK, "direct", emitted(ranks, PLANS["permuting"]), STEPS, timeout_s=LIMIT_S):
        assert worst < CLOSE["float32"]


@pytest.mark.thorough  # every floating type is tried alone
@pytest.mark.parametrize("name", PLANS)
def test_average_gradients_of_several_data_types(ranks, name):
    assert ranks.call(RANK, "mixed", emitted(ranks, PLANS[name]), timeout_s=LIMIT_S) == [0] * 4


def test_what_does_not_fit_is_refused(ranks):
    names = ("AllReduce", "first axis", "second axis")
    paths = [emitted(ranks, PLANS[name]) for name in names]
    for rank, said in enumerate(ranks.call(RANK, "refusals", *paths, timeout_s=LIMIT_S)):
        across = "0, 2" if rank % 2 == 0 else "1, 3"
        pair = "0, 1" if rank < 2 else "2, 3"
        wrap = "wrap it: DistributedDataParallel(model, process_group=reduction_group())"
        assert said[:5] == [
            "TypeError: the model is a Sequential; wrap it: DistributedDataParallel(model)",
            f"ValueError: the model averages over 4 ranks (0, 1, 2, 3), this reduction over 2 ({pair}); {wrap}",
            f"ValueError: the model averages over 2 ranks ({pair}), this reduction over 4 (0, 1, 2, 3); {wrap}",
            "ValueError: the model has a process group that the reduction uses; give it one of its own: "
            "DistributedDataParallel(model, process_group=reduction_group())",
            "TypeError: 7 makes sparse gradients, which are not supported; say sparse=False",
        ]
        assert said[5] == "TypeError: a gradient is torch.sparse_coo; sparse gradients are not supported"
        assert said[6].startswith("RuntimeError: ")
        assert "ZeroDivisionError: division by zero" in said[6]
        assert said[7] == (
            f"ValueError: the model averages over 2 ranks ({pair}), this reduction over 2 ({across}); {wrap}"
        )


def test_gradients_are_reduced_in_buckets_of_about_the_size_asked_for(ranks):
    """24 numbers of 4 bytes fit; a gradient of 40 has a bucket of its own, float64 another one; padded to 4."""
    expected = [("torch.float32", 24), ("torch.float32", 4), ("torch.float32", 40), ("torch.float32", 4)]
    expected.append(("torch.float64", 4))
    path = emitted(ranks, PLANS["permuting"])
    for lengths, right in ranks.call(RANK, "bucketed", path, timeout_s=LIMIT_S):
        assert right
        assert lengths == expected


def test_another_number_of_ranks_is_refused(ranks):
    path = emitted(ranks, plan("", (2, 4)))
    said = ranks.call(RANK, "size_mistake", path, timeout_s=LIMIT_S)
    assert said == ["this reduction is made for 8 ranks, not for 4"] * 4


@pytest.mark.thorough  # the same hook on four ranks is above; eight run in test_run.py and test_goals.py
def test_eight_ranks():
    """What is written for 2x4 is run in test_run.py and test_goals.py; the hook is the same as that of 2x2."""
    with CallRanks([Seat()] * 8, timeout_s=LIMIT_S) as running:
        path = emitted(running, plan(PERMUTING, (2, 4)))
        for worst, *_ in running.call(RANK, "train", path, STEPS, 0.001, timeout_s=LIMIT_S):
            assert worst < CLOSE["float32"]


def test_a_call_that_fails_is_named_and_ends_the_ranks(tmp_path):
    (tmp_path / "fails.py").write_text("def fail(number):\n    raise ValueError(f'no {number}')\n", encoding="utf-8")
    with CallRanks([Seat()], timeout_s=LIMIT_S) as running:
        with pytest.raises(RunError, match="rank 0 failed: ValueError: no 7"):
            running.call(str(tmp_path / "fails.py"), "fail", 7, timeout_s=LIMIT_S)
        assert running.ended


@pytest.mark.thorough  # the hook trains other models
def test_the_script_that_trains_a_resnet(tmp_path, capsys, monkeypatch):
    def trained(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["train_resnet", *arguments])
        code = script_module("train_resnet").main()
        return (code, *capsys.readouterr())

    path = tmp_path / "plan.json"
    path.write_text(plan_text(PLANS["permuting"]), encoding="utf-8")
    small = ("--runs", "2", "--steps", "2", "--warmups", "1", "--width", "4", "--bucket-mb", "0.01")
    code, out, err = trained(str(path), "--system", "2x2", *small)
    assert code == 0, err
    found = json.loads(out)
    assert found["losses_equal"]
    assert len(found["losses"]) == 3
    assert [run["kind"] for run in found["runs"]] == ["alone", "plain", "hook"] * 2
    assert found["ratio"] > 0
    assert found["predicted"]["ratio"] > 0
    code, _, err = trained(str(path), "--system", "nothing")
    assert code == 2
    assert err.startswith("train_resnet: ")
