"""A function is tried with tensors of several lengths: the verdict names them, and a mistake with one is a mistake."""

import pytest
from frontend.torch_function.tracing import source

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.torch_function import plan
from p2smt.frontend.torch_function.plan import TraceOptions
from p2smt.frontend.verification import verify_file
from p2smt.verify.plan_verdict import PlanProof, PlanRule
from p2smt.verify.verdict import Proved, Refuted, Unknown

NODES = (
    "rank = dist.get_rank()\nnodes = [dist.new_group([0, 1]), dist.new_group([2, 3])]\n"
    "across = [dist.new_group([0, 2]), dist.new_group([1, 3])]\n"
)
HIERARCHICAL = (
    "shard = torch.empty(whole.numel() // 2)\ndist.reduce_scatter_single(shard, whole, group=nodes[rank // 2])\n"
    "dist.all_reduce(shard, group=across[rank % 2])\ndist.all_gather_single(whole, shard, group=nodes[rank // 2])\n"
)
UNPADDED = NODES + "whole = tensor[: tensor.numel() // 2 * 2]\n" + HIERARCHICAL
PADDED = (
    NODES + "whole = torch.zeros(-(-tensor.numel() // 2) * 2)\nwhole[: tensor.numel()] = tensor\n" + HIERARCHICAL
) + "tensor.copy_(whole[: tensor.numel()])"


@pytest.fixture
def here(monkeypatch):
    """Functions are traced in this process, which has torch already."""

    def traced(requests, timeout_s):
        from p2smt.frontend.torch_function.trace import trace

        return [trace(request) for request in requests]

    monkeypatch.setattr(plan, "_traced", traced)


def verified(tmp_path, body, devices=4, **asked):
    return verify_file(source(tmp_path, body), asked=AskedGoal(**asked), tracing=TraceOptions(devices))


@pytest.mark.usefixtures("here")
def test_a_tail_that_is_never_reduced(tmp_path):
    found = verified(tmp_path, UNPADDED)
    assert isinstance(found.verdict, Refuted)
    assert found.verdict.counter_example.rule == PlanRule.MISSING
    assert found.verdict.counter_example.message.startswith(
        "with tensors of 5 elements: no step writes it: data[4] of device 0 lacks"
    )
    assert found.plan.goal.source.length == 5
    assert found.notes == ("with tensors of 4 elements it is right",)


@pytest.mark.usefixtures("here")
def test_what_is_right_with_all_lengths_names_them(tmp_path):
    found = verified(tmp_path, PADDED)
    assert found.verdict == Proved(PlanProof(4 * 2 + 4 * 5 + 4))
    assert found.notes == ("with tensors of 4, 5, 1 elements; no other length was tried",)


@pytest.mark.usefixtures("here")
def test_lengths_that_a_function_refuses_are_named(tmp_path):
    body = "assert tensor.numel() % 4 == 0, 'no shards'\ndist.all_reduce(tensor)"
    found = verified(tmp_path, body)
    assert isinstance(found.verdict, Proved)
    assert found.notes[0] == "with tensors of 4 elements; no other length was tried"
    assert found.notes[1].startswith("not with tensors of 5, 1 elements: ")
    assert found.notes[1].endswith("rank 0, line 6: AssertionError: no shards")
    with pytest.raises(VerifyError, match="AssertionError: never"):
        verified(tmp_path, "raise AssertionError('never')")


@pytest.mark.usefixtures("here")
def test_short_tensors_leave_ranks_without_a_shard(tmp_path):
    """Four ranks that own a quarter each, rounded up: of one element three own nothing."""
    body = (
        "size = -(-tensor.numel() // 4)\nshards = [tensor[i * size : (i + 1) * size] for i in range(4)]\n"
        "for root, shard in enumerate(shards):\n    dist.reduce(shard, dst=root)\n    dist.broadcast(shard, src=root)"
    )
    assert isinstance(verified(tmp_path, body).verdict, Proved)


@pytest.mark.usefixtures("here")
def test_a_mistake_comes_before_a_doubt_and_a_doubt_before_a_proof(tmp_path):
    asks = "work = dist.all_reduce(tensor, async_op=True)\nif tensor.numel() == 5 and work.is_completed():\n    pass\n"
    found = verified(tmp_path, asks + "work.wait()").verdict
    assert isinstance(found, Unknown)
    assert found.reason.startswith("with tensors of 5 elements: line 7: what is done depends on whether a call has")
    found = verified(tmp_path, asks + "work.wait()\nif tensor.numel() == 1:\n    tensor.zero_()").verdict
    assert isinstance(found, Refuted)
    assert found.counter_example.message.startswith("with tensors of 1 element: ")


@pytest.mark.usefixtures("here")
def test_goals_of_blocks_are_tried_with_lengths_that_divide(tmp_path):
    body = (
        "shard = torch.empty(tensor.numel() // 4)\ndist.reduce_scatter_single(shard, tensor)\n"
        "return shard if tensor.numel() == 4 else shard.mul_(0.5)"
    )
    found = verified(tmp_path, body, collective=Collective.REDUCE_SCATTER)
    assert isinstance(found.verdict, Refuted)
    assert found.verdict.counter_example.message.startswith("with tensors of 12 elements: ")
    assert isinstance(verified(tmp_path, "pass", devices=1).verdict, Refuted)


@pytest.mark.slow
def test_the_command_line_tries_and_names_lengths(tmp_path, capsys):
    path = str(source(tmp_path, UNPADDED))
    assert run(["verify", path, "--run-python", "--devices", "4"]) == 1
    assert "with tensors of 4 elements it is right" in capsys.readouterr().out
    assert run(["verify", path, "--run-python", "--devices", "4", "--elements", "6", "--json"]) == 0
    assert "with tensors of 6 elements; no other length was tried" in capsys.readouterr().out
