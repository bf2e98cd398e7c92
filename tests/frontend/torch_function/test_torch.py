"""Python functions traced for all ranks: what they do is followed, the rest is said, and nothing runs unasked."""

import subprocess
import sys
from itertools import combinations

import pytest
from frontend.torch_function.tracing import source, traced, verdict
from looped import looped
from tiers import is_full, sample

from p2smt.cli.main import run
from p2smt.errors import VerifyError
from p2smt.frontend.importers import read_any
from p2smt.frontend.torch_function.plan import TraceOptions, trace_torch
from p2smt.verify.check import verify
from p2smt.verify.plan_verdict import PlanProof, PlanRule
from p2smt.verify.verdict import Proved, Refuted, Unknown


@looped(
    "body",
    [
        "dist.all_reduce(tensor)",
        "out = tensor.clone()\ndist.all_reduce(out)\nreturn out",
        "dist.reduce(tensor, dst=2)\ndist.broadcast(tensor, src=2)",
        "parts = [torch.empty_like(tensor) for _ in range(4)]\ndist.all_gather(parts, tensor)\nreturn sum(parts)",
        "parts = torch.empty(4, tensor.numel())\ndist.all_gather_single(parts, tensor)\nreturn parts.sum(0)",
        "parts = torch.empty(4, 2)\ndist.all_to_all_single(parts, tensor)\nshard = parts.sum(dim=0)\n"
        "dist.all_gather_single(tensor, shard)",
        "blocks = [torch.empty(2) for _ in range(4)]\ndist.all_to_all(blocks, list(tensor.chunk(4)))\n"
        "shard = torch.stack(blocks).sum(0)\ndist.all_gather(list(tensor.chunk(4)), shard)",
        "root = dist.get_rank() == 1\nparts = [torch.empty(8) for _ in range(4)] if root else None\n"
        "dist.gather(tensor, parts, dst=1)\nif root:\n    tensor.copy_(torch.stack(parts).sum(0))\n"
        "dist.broadcast(tensor, src=1)",
        "grid = tensor.view(2, 4).t().contiguous()\ndist.all_reduce(grid)\nreturn grid.t().reshape(-1)",
        "order = torch.zeros_like(tensor)\norder += tensor\ndist.all_reduce(order)\ntensor.zero_()\ntensor.add_(order)",
        "rank = dist.get_rank()\nfor peer in (rank ^ 1, rank ^ 2):\n    came = torch.empty_like(tensor)\n"
        "    works = [dist.isend(tensor, peer), dist.irecv(came, peer)]\n    [work.wait() for work in works]\n"
        "    tensor += came",
        "rank = dist.get_rank()\nfor peer in (rank ^ 1, rank ^ 2):\n    sent = dist.isend(tensor.clone(), peer)\n"
        "    came = torch.zeros_like(tensor)\n    receipt = dist.irecv(came, peer)\n    sent.wait()\n"
        "    receipt.wait()\n    tensor = tensor + came\nreturn tensor",
        "dist.barrier()\nhalves = tensor[:4], tensor[4:]\nfor half in halves:\n    dist.all_reduce(half)",
        "tensor *= 0.25\ntensor *= 1\ndist.all_reduce(tensor)\nreturn tensor / 0.25",
    ],
)
def test_right_functions(tmp_path, body):
    assert isinstance(verdict(tmp_path, body, elements=8), Proved)


@pytest.mark.parametrize(
    "body",
    [
        "dist.all_reduce(tensor)\ntensor //= 4",
        "dist.all_reduce(tensor)\ntensor //= 4\nout = torch.zeros_like(tensor)\nout += tensor\nreturn out",
        "dist.all_reduce(tensor)\ntensor //= 4\ntotal = torch.zeros_like(tensor)\ntotal += tensor\ntensor.copy_(total)",
        "tensor += tensor\ntensor //= 2\ndist.all_reduce(tensor)\ntensor //= 2\ntensor //= 2",
    ],
)
def test_right_averages_of_integers(tmp_path, body):
    assert isinstance(verdict(tmp_path, body, dtype="int32", average=True), Proved)


@looped(
    ("body", "rule", "words"),
    [
        ("dist.broadcast(tensor, src=0)", PlanRule.MISSING, "step 1 (line 6: broadcast)"),
        (
            "rank = dist.get_rank()\npeer = rank ^ 1\ncame = torch.zeros_like(tensor)\n"
            "sent = dist.isend(tensor.clone(), peer)\nif rank % 2:\n    tensor += came\n"
            "dist.irecv(came, peer).wait()\nsent.wait()\nif rank % 2 == 0:\n    tensor += came\n"
            "across = [dist.new_group([0, 2]), dist.new_group([1, 3])]\n"
            "dist.all_reduce(tensor, group=across[rank % 2])",
            PlanRule.MISSING,
            "lacks the contribution of device 0",
        ),
        ("if dist.get_rank():\n    dist.all_reduce(tensor)", PlanRule.ORDER, "for rank 0, which ends without it"),
        (
            "rank = dist.get_rank()\ndist.send(tensor, (rank + 1) % 4)\ndist.recv(tensor, (rank - 1) % 4)",
            PlanRule.ORDER,
            "rank 0 waits in a message of 4 float32 among [0, 1] (line 7) for rank 1",
        ),
        (
            "if dist.get_rank() == 2:\n    dist.all_reduce(tensor)\nelse:\n    dist.broadcast(tensor, src=0)",
            PlanRule.MISMATCH,
            "rank 0 calls broadcast of 4 float32 with root 0 among [0, 1, 2, 3] (line 9), where rank 2 calls all_",
        ),
        (
            "out = [torch.empty(1 + (dist.get_rank() == 3)) for _ in range(4)]\ndist.all_gather(out, tensor[:1])",
            PlanRule.MISMATCH,
            "where rank 3 calls all_gather of blocks of 2 float32",
        ),
        (
            "room = [torch.empty(1 + (peer == 2)) for peer in range(4)] if dist.get_rank() == 1 else None\n"
            "dist.gather(tensor[:1], room, dst=1)",
            PlanRule.LENGTHS,
            "rank 1 has room for 2 elements, and 1 come from rank 2",
        ),
    ],
)
def test_wrong_functions(tmp_path, body, rule, words):
    found = verdict(tmp_path, body)
    assert isinstance(found, Refuted)
    assert (found.counter_example.rule, words in found.counter_example.message) == (rule, True), (
        found.counter_example.message
    )


AVERAGED, DOUBLE = "op=dist.ReduceOp.AVG", "torch.zeros(4, dtype=torch.float64)"
BLOCKS = "list(torch.zeros(4, 1)) if dist.get_rank() == {0} else None"
CALLS = {
    "all_reduce": (
        "dist.all_reduce(tensor)",
        f"dist.all_reduce(tensor, {AVERAGED})",
        "dist.all_reduce(tensor[:2])",
        f"dist.all_reduce({DOUBLE})",
    ),
    "reduce": (
        "dist.reduce(tensor, 0)",
        f"dist.reduce(tensor, 0, {AVERAGED})",
        "dist.reduce(tensor, 1)",
        "dist.reduce(tensor[:2], 0)",
        f"dist.reduce({DOUBLE}, 0)",
    ),
    "broadcast": (
        "dist.broadcast(tensor, 0)",
        "dist.broadcast(tensor, 1)",
        "dist.broadcast(tensor[:2], 0)",
        f"dist.broadcast({DOUBLE}, 0)",
    ),
    "reduce_scatter": (
        "dist.reduce_scatter_single(torch.zeros(1), tensor)",
        f"dist.reduce_scatter_single(torch.zeros(1), tensor, {AVERAGED})",
        "dist.reduce_scatter_single(torch.zeros(2), torch.zeros(8))",
        f"dist.reduce_scatter_single({DOUBLE}[:1], {DOUBLE})",
    ),
    "all_gather": (
        "dist.all_gather_single(torch.zeros(4), tensor[:1])",
        "dist.all_gather_single(torch.zeros(8), tensor[:2])",
        f"dist.all_gather_single({DOUBLE}, {DOUBLE}[:1])",
    ),
    "all_to_all": ("dist.all_to_all_single(torch.zeros(4), tensor)", f"dist.all_to_all_single({DOUBLE}, {DOUBLE})"),
    "gather": (
        f"dist.gather(tensor[:1], {BLOCKS.format(0)}, dst=0)",
        f"dist.gather(tensor[:1], {BLOCKS.format(1)}, dst=1)",
    ),
    "scatter": (
        f"dist.scatter(tensor[:1], {BLOCKS.format(0)}, src=0)",
        f"dist.scatter(tensor[:1], {BLOCKS.format(1)}, src=1)",
    ),
    "barrier": ("dist.barrier()",),
}
"""Calls that differ in one thing from the first of their name: the reduction, the root, the length, the type."""
UNLIKE = [pair for calls in CALLS.values() for pair in combinations(calls, 2)]
UNLIKE += [(calls[0], CALLS["all_reduce"][1]) for calls in CALLS.values()]


@pytest.mark.parametrize("last", sample([0, 3], 1))
def test_members_agree_on_all_that_a_call_says(tmp_path, last):
    """One rank calls the one and all others the other; which of them is alone makes no difference."""
    for one, other in UNLIKE:
        found = verdict(tmp_path, f"if dist.get_rank() == {last}:\n    {one}\nelse:\n    {other}")
        assert isinstance(found, Refuted), (one, other)
        assert found.counter_example.rule is PlanRule.MISMATCH, (one, other, found.counter_example.message)
        assert " calls " in found.counter_example.message


@pytest.mark.parametrize("room", ["2", "1", "4", "2, dtype=torch.float64", "2, dtype=torch.float16"])
def test_both_ends_of_a_message_say_its_length_and_type(tmp_path, room):
    """With room for just what is sent the two get on, and what is missing is the sum."""
    for posts in ("send(tensor, 1)", "isend(tensor, 1).wait()"):
        takes = posts.replace("send(tensor, 1)", "recv(came, 0)")
        body = f"came = torch.empty({room})\nif dist.get_rank():\n    dist.{takes}\nelse:\n    dist.{posts}"
        found = verdict(tmp_path, body, devices=2)
        assert isinstance(found, Refuted)
        assert (found.counter_example.rule is PlanRule.MISMATCH) is (room != "2"), found.counter_example.message


def test_members_who_call_the_same_get_on(tmp_path):
    for call in (call for calls in CALLS.values() for call in calls):
        found = verdict(tmp_path, f"{call}\ntensor = torch.zeros(4)")
        assert not isinstance(found, Refuted) or found.counter_example.rule not in (
            PlanRule.MISMATCH,
            PlanRule.ORDER,
        ), (
            call,
            found.counter_example.message,
        )


@pytest.mark.parametrize("count", [1, 3, 5])
def test_a_call_that_takes_a_block_for_each_rank_is_given_as_many(tmp_path, count):
    """By too few and by too many, wherever there are lists; a root alone gives them, or takes them."""
    many, sizes = f"list(torch.zeros({count}, 1))", [*[1] * (count - 1), 5 - count]
    for call in (
        f"dist.all_gather({many}, tensor[:1])",
        f"dist.reduce_scatter(torch.zeros(1), {many})",
        f"dist.all_to_all({many}, list(tensor.chunk(4)))",
        f"dist.all_to_all(list(tensor.chunk(4)), {many})",
        f"dist.gather(tensor[:1], {many} if dist.get_rank() == 0 else None, dst=0)",
        f"dist.scatter(tensor[:1], {many} if dist.get_rank() == 0 else None, src=0)",
        f"dist.all_to_all_single(torch.zeros(4), tensor, {sizes}, [1, 1, 1, 1])",
        f"dist.all_to_all_single(torch.zeros(4), tensor, [1, 1, 1, 1], {sizes})",
    ):
        with pytest.raises(VerifyError, match=f"rank 0, line 6: {count} blocks for 4 ranks; give one for each of them"):
            verdict(tmp_path, call)


@pytest.mark.parametrize(("tags", "kind"), [((2, 1), Proved), ((1, 2), Refuted)])
def test_messages_meet_by_their_tags(tmp_path, tags, kind):
    """The halves are sent first, second, and taken second, first."""
    body = (
        "peer = 1 - dist.get_rank()\ncame = torch.empty_like(tensor)\n"
        "works = [dist.isend(tensor[:1], peer, tag=1), dist.isend(tensor[1:], peer, tag=2)]\n"
        f"works += [dist.irecv(came[1:], peer, tag={tags[0]}), dist.irecv(came[:1], peer, tag={tags[1]})]\n"
        "[work.wait() for work in works]\ntensor += came"
    )
    assert isinstance(verdict(tmp_path, body, devices=2), kind)


@looped(
    ("body", "message"),
    [
        ("raise RuntimeError('no\\nway')", "rank 0, line 6: RuntimeError: no way"),
        ("import sys\nsys.exit(3)", "rank 0, line 7: SystemExit: 3"),
        (
            "return tensor[:2]",
            "rank 0, the function returns a tensor of 2; it has to return the result, a tensor of 4, or None",
        ),
        ("return 5", "the function returns int; it has to return the result, a tensor, or None"),
        (
            "dist.reduce_scatter_single(torch.empty(2), tensor)",
            "input has 4 elements and output 2; among 4 ranks input must be 4 times as long",
        ),
        (
            "dist.all_to_all_single(torch.empty(5), torch.empty(5))",
            "rank 0, line 6: 5 elements do not divide into 4 equal blocks; give split sizes",
        ),
        ("def broken(:", "rank 0, SyntaxError: invalid syntax"),
        ("x = 1\0", "rank 0, SyntaxError: the file has null bytes; save it as text in UTF-8"),
    ],
)
def test_what_cannot_be_run_is_refused(tmp_path, body, message):
    with pytest.raises(VerifyError) as caught:
        verdict(tmp_path, body)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@looped(
    ("body", "message"),
    [
        ("return tensor.max()", "rank 0, line 6: max on the payload is not supported; only sums, copies and divisions"),
        ("if tensor[0] > 0:\n    pass", "rank 0, line 6: gt on the payload is not supported"),
        ("return float(tensor[0])", "line 6: _local_scalar_dense on the payload is not supported"),
        ("dist.all_reduce(tensor, op=dist.ReduceOp.MAX)", "the reduction is MAX; only sums and averages"),
        ("tensor.fill_(2)", "the payload is filled with 2"),
        ("tensor /= 0", "the payload is divided by 0"),
        ("return torch.ones(4) / tensor", "a number is multiplied by the payload or divided by it"),
        (
            "return tensor * tensor",
            "the payload is multiplied by a tensor; only multiplication by numbers is supported",
        ),
        (
            "return tensor * torch.ones(4)",
            "the payload is multiplied by a tensor; only multiplication by numbers is supported",
        ),
        ("return tensor.sum().expand(4)", "a sum over all elements of the payload; only sums along one dimension"),
        ("return torch.lerp(tensor, tensor, torch.ones(4))", "lerp with a tensor as the weight; only a number"),
        ("tensor += 1", "a number is added to the payload; only sums and differences of its parts are supported"),
        ("tensor.copy_(torch.arange(4.0))", "values that do not come from the payload are written to it"),
        ("tensor.abs_()", "rank 0, line 6: abs_ on the payload is not supported"),
        (
            "return 1 - tensor",
            "the payload is subtracted from a number; only sums and differences of its parts are supported",
        ),
        ("tensor[:2].relu_()", "relu_ on the payload is not supported"),
        (
            "dist.all_reduce(tensor.int())",
            "the payload is converted to torch.int32; only conversions between floating-point",
        ),
        ("tensor.mul_(-1e-9)", "the payload is multiplied by -1e-09; only fractions of whole numbers are supported"),
        (
            "tensor //= 4",
            "the payload is divided by 4.0 and rounded; only integers divided by whole numbers are supported",
        ),
        ("tensor.div_(2, rounding_mode='floor')", "the payload is divided by 2.0 and rounded"),
        ("return 1 / tensor", "reciprocal on the payload is not supported"),
        (
            "tensor.mul_(tensor.clone())",
            "the payload is multiplied by a tensor; only multiplication by numbers is supported",
        ),
        (
            "dist.all_reduce(tensor.view(torch.int32))",
            "the bits of the payload are reinterpreted as torch.int32",
        ),
        ("return tensor[tensor.argsort()]", "sort on the payload is not supported"),
        ("tensor.lerp_(tensor.clone(), torch.ones(4))", "lerp with a tensor as the weight; only a number"),
        ("return torch.nn.functional.pad(tensor, (0, 4), value=1)", "the payload is padded with 1"),
        (
            "every = [None] * 4\ndist.all_gather_object(every, 1)\ndist.all_reduce(tensor)",
            "rank 0, line 7: all_gather_object exchanges Python objects, whose values are not known here; exchange ten",
        ),
        ("dist.broadcast_object_list([1])", "line 6: broadcast_object_list exchanges Python objects"),
        ("dist.recv(tensor)", "line 6: a receive from any source depends on timing; name the source"),
    ],
)
def test_what_cannot_be_followed_is_unknown(tmp_path, body, message):
    found = verdict(tmp_path, body)
    assert isinstance(found, Unknown)
    assert message in found.reason
    assert "\n" not in found.reason


def test_an_error_of_the_users_own_code_is_no_bad_input(tmp_path, capsys):
    path = source(tmp_path, "dist.broadcast(tensor, src=3, group=dist.new_group([0, 1]))")
    assert run(["verify", str(path), "--run-python", "--devices", "4"]) == 1
    assert "rank 0, line 6: ValueError: Global rank 3 is not part of group\n" in capsys.readouterr().err


def test_a_length_at_which_a_function_cannot_be_followed_leaves_it_unknown(tmp_path, capsys):
    path = source(tmp_path, "dist.all_reduce(tensor)\nif len(tensor) == 5:\n    tensor.max()")
    assert run(["verify", str(path), "--run-python", "--devices", "4"]) == 3
    assert "line 8: max on the payload is not supported" in capsys.readouterr().out


@pytest.mark.slow
def test_files_and_options_that_do_not_fit_are_refused(tmp_path):
    path = source(tmp_path, "pass")
    with pytest.raises(VerifyError, match="there is no function 'other'; name one with --function: reduce"):
        trace_torch(path, TraceOptions(2, function="other"))
    with pytest.raises(VerifyError, match=r"0 devices with 0 elements; give 1 to 4096 devices \(--devices\)"):
        trace_torch(path, TraceOptions(0))
    endless = source(tmp_path, "import time\nwhile True:\n    time.sleep(1)")
    with pytest.raises(VerifyError, match="not traced within 2 s; give --timeout or fewer devices"):
        trace_torch(endless, TraceOptions(2, timeout_s=2))


def test_python_runs_only_when_asked(tmp_path, capsys):
    marker = tmp_path / "ran"
    path = tmp_path / "reduce.py"
    path.write_text(f"open({str(marker)!r}, 'w')\n", encoding="utf-8")
    assert run(["verify", str(path)]) == 2
    assert "verifying it runs its code; if you trust it, give --run-python" in capsys.readouterr().err
    assert run(["verify", str(path), "--format", "torch"]) == 2
    assert run(["verify", str(path), "--run-python"]) == 2
    assert "--run-python needs the number of ranks that run the function; give --devices" in capsys.readouterr().err
    assert not marker.exists()


def test_a_function_finds_the_users_own_modules_whatever_their_names(tmp_path):
    """The file runs anew on every rank, under a name that a module beside it may have as well."""
    (tmp_path / "plan.py").write_text("calls = []\n", encoding="utf-8")
    body = (
        "import sys\nimport plan\nplan.calls.append(dist.get_rank())\n"
        "assert plan.calls == [dist.get_rank()], plan.calls\nassert sys.argv[0].endswith('reduce.py')\n"
        "dist.all_reduce(tensor)"
    )
    assert isinstance(verdict(tmp_path, body, 3), Proved)


@pytest.mark.slow
def test_prints_of_the_function_stay_out_of_the_answer(tmp_path, capsys):
    path = source(tmp_path, "print('hello')\ndist.all_reduce(tensor)")
    assert run(["verify", str(path), "--run-python", "--devices", "2"]) == 0
    assert capsys.readouterr().out.startswith("valid: ")


@pytest.mark.parametrize("program", sample([0, 17, 46, 92], 2))
def test_what_p2smt_emits_is_right_when_traced(program, tmp_path):
    """The emitted file itself, on the ranks it is made for, and with a payload that has to be padded."""
    from support import problem

    from p2smt.emit.torch.source import emit_torch
    from p2smt.placement.matrix import ParallelismMatrix
    from p2smt.reduction.plan.lower import Lowering
    from p2smt.reduction.synth.session import Synthesizer

    asked = problem((2, 4), [8], limit=5)
    lowering = Lowering(asked, ParallelismMatrix(((2, 4),)))
    programs = Synthesizer().synthesize(asked).placements[0].programs
    path = tmp_path / "reduction.py"
    path.write_text(emit_torch(lowering.plan(programs[program])), encoding="utf-8")
    assert isinstance(verify(traced(path, 8, 10)), Proved)  # the only class whose objects can be called
    broken = path.read_text(encoding="utf-8").replace("dist.all_reduce(buffer", "dist.broadcast(buffer, group_src=0", 1)
    path.write_text(broken, encoding="utf-8")
    found = verify(traced(path, 8, 10, "Reduction"))
    assert isinstance(found, Proved) == ("_all_reduce(buffer, G" not in broken)


@pytest.mark.slow
def test_many_ranks(tmp_path):
    ranks = 512 if is_full() else 128
    body = (
        "rank = dist.get_rank()\n"
        f"nodes = [dist.new_group(list(range(8 * n, 8 * n + 8))) for n in range({ranks // 8})]\n"
        f"across = [dist.new_group(list(range(n, {ranks}, 8))) for n in range(8)]\nshard = torch.empty({ranks // 8})\n"
        "dist.reduce_scatter_single(shard, tensor, group=nodes[rank // 8])\n"
        "dist.all_reduce(shard, group=across[rank % 8])\n"
        "dist.all_gather_single(tensor, shard, group=nodes[rank // 8])"
    )
    plan = read_any(source(tmp_path, body), tracing=TraceOptions(ranks))
    assert verify(plan) == Proved(PlanProof(8 * ranks))


def test_torch_missing_is_said(tmp_path, monkeypatch):
    """Without torch the child ends with ImportError; an interpreter without site-packages has none."""
    path = source(tmp_path, "pass")
    real = subprocess.run

    def without(command, **more):
        code = "import sys; sys.stderr.write(\"ModuleNotFoundError: No module named 'torch'\"); sys.exit(1)"
        return real([sys.executable, "-c", code], **more)

    monkeypatch.setattr(subprocess, "run", without)
    with pytest.raises(VerifyError, match="No module named 'torch'; install torch to trace torch code"):
        trace_torch(path, TraceOptions(2))
